"""Starts one program that never outlives whoever asked for it, and never runs as root where it must not.

As a script (standard library only, started by `process.command`)::

    child.py PARENT_PID DEATH_SIGNAL IDENTITY PROGRAM [ARGUMENT…]

IDENTITY is `self`, `namespace` (root, seen by the program as `nobody` inside a user namespace of its own;
files keep belonging to root) or `nobody` (setuid). The program replaces this process, so its pid is the one
that was started.
"""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
import threading
import time

PR_SET_PDEATHSIG = 1
CLONE_NEWUSER = 0x10000000
LINUX = sys.platform.startswith("linux")


def die_with_parent(parent: int | None = None, number: int = signal.SIGTERM) -> None:
    """Have this process sent `number` when its parent dies. On Linux the kernel does it, and it survives
    exec.
    """
    parent = os.getppid() if parent is None else parent
    if LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:  # it died before the kernel was told
            os.kill(os.getpid(), number)
        return
    threading.Thread(target=_watch, args=(parent, os.getpid(), number), daemon=True).start()


def _watch(parent: int, pid: int, number: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os.kill(pid, number)


def enter_namespace() -> None:
    """Become `nobody` in a new user namespace whose only inhabitant is the present user outside. Raises
    OSError.
    """
    nobody = pwd.getpwnam("nobody")
    uid, gid = os.geteuid(), os.getegid()
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "user namespaces are refused here")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{nobody.pw_uid} {uid} 1"),
        ("gid_map", f"{nobody.pw_gid} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def become_nobody() -> None:
    """Give up root for good. Raises OSError."""
    nobody = pwd.getpwnam("nobody")
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)


def _run_watched(parent: int, number: int, program: list[str]) -> int:
    """Where the kernel knows no death signal: stay beside the program, pass signals on, end it when the
    parent is gone.
    """
    child = subprocess.Popen(program)
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        signal.signal(each, lambda got, _frame: child.send_signal(got))
    threading.Thread(target=_watch, args=(parent, child.pid, number), daemon=True).start()
    code = child.wait()
    return code if code >= 0 else 128 - code


def main(arguments: list[str]) -> int:
    parent, number, identity, *program = arguments
    try:
        if identity == "namespace":
            enter_namespace()
        elif identity == "nobody":
            become_nobody()
    except (OSError, KeyError) as error:
        sys.stderr.write(f"cannot start {program[0]} as {identity}: {error}\n")
        return 126
    if not LINUX:
        return _run_watched(int(parent), int(number), program)
    die_with_parent(int(parent), int(number))  # after the change of user, which would clear it
    try:
        os.execvp(program[0], program)
    except OSError as error:
        sys.stderr.write(f"cannot start {program[0]}: {error}\n")
        return 126


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
