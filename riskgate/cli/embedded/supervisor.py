"""Keeps a handful of child processes running, and tells what they say, line by line, under their names.

One thread, one loop. Whoever started a child is told of its end by the kernel; a child that ends unasked is
started again, later and later the more often it happens. Children are process groups of their own: Ctrl-C
reaches this process alone, which then ends them in order, and what a killed child leaves behind is ended
with it.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before a child is started again
STEADY = 5.0  # seconds after which a child counts as well again
MOMENT = 0.05  # seconds between two looks at a condition


class Interrupted(Exception):
    """Somebody asked for the end while something was awaited."""


@dataclass(frozen=True)
class Service:
    """`command` is asked before each start. `stop` asks the child to end within `patience` seconds, `kill`
    makes it.
    """

    name: str
    command: Callable[[], Sequence[str]]
    stop: signal.Signals = signal.SIGTERM
    kill: signal.Signals = signal.SIGKILL
    patience: float = 10.0


@dataclass
class Child:
    service: Service
    process: subprocess.Popen[bytes] | None = None
    unread: bytes = b""
    started: float = 0.0
    failures: int = 0
    due: float | None = None  # when it is started again

    @property
    def running(self) -> bool:
        return self.process is not None


@dataclass
class Supervisor:
    environ: Mapping[str, str]
    cwd: Path
    interrupts: int = 0
    _children: list[Child] = field(default_factory=list)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _stopping: bool = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While it lasts, SIGINT and SIGTERM are requests to end; afterwards no child is left, whatever
        happened.
        """
        waking, waker = os.pipe()
        for end in (waking, waker):
            os.set_blocking(end, False)
        before = signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        asking = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        kept = {each: signal.signal(each, self._interrupt) for each in asking}
        kept[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector.register(waking, selectors.EVENT_READ, None)
        try:
            yield
        finally:
            self._kill_all()
            for number, handler in kept.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(before)
            self._selector.close()
            os.close(waking)
            os.close(waker)

    def _interrupt(self, *_: object) -> None:
        self.interrupts += 1

    def say(self, name: str, text: str) -> None:
        try:
            print(f"{name:<9}│ {text}", flush=True)
        except OSError:
            self.interrupts = max(self.interrupts, 1)  # nobody reads any more: the terminal is gone

    # Starting

    def start(self, service: Service) -> Child:
        child = Child(service)
        self._children.append(child)
        self._launch(child, service.command())
        return child

    def run(self, name: str, argv: Sequence[str]) -> int:
        """Run a command to its end and return its code. Raises Interrupted."""
        child = Child(Service(name, lambda: argv))
        self._launch(child, argv)
        assert child.process is not None
        while not self._ended(child):
            if self.interrupts:
                self._signal_group(child, signal.SIGKILL)
            self._turn(None)
        code = self._bury(child)
        if self.interrupts:
            raise Interrupted
        return code

    def _launch(self, child: Child, argv: Sequence[str]) -> None:
        child.process = subprocess.Popen(
            argv,
            env=dict(self.environ),
            cwd=self.cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert child.process.stdout is not None
        os.set_blocking(child.process.stdout.fileno(), False)
        self._selector.register(child.process.stdout, selectors.EVENT_READ, child)
        child.started, child.due = time.monotonic(), None

    # Waiting

    def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Look after the children until the condition holds, and say whether it does. Raises Interrupted."""
        deadline = time.monotonic() + seconds
        while not condition():
            looked = time.monotonic()
            while time.monotonic() < looked + MOMENT:
                if self.interrupts:
                    raise Interrupted
                self._turn(MOMENT)
            if looked > deadline:
                return False
        return True

    def keep(self) -> None:
        """Look after the children until somebody asks for the end."""
        while not self.interrupts:
            self._turn(None)

    def _turn(self, timeout: float | None) -> None:
        """One round: read what was said, bury the dead, start what is due."""
        dues = [child.due for child in self._children if child.due is not None]
        if dues:
            until = max(0.0, min(dues) - time.monotonic())
            timeout = until if timeout is None else min(timeout, until)
        for key, _ in self._selector.select(timeout):
            if key.data is None:
                os.read(key.fd, 4096)
            else:
                self._read(key.data)
        for child in self._children:
            if self._ended(child):
                self._bury(child)
                if not self._stopping:
                    self._schedule(child)
            elif child.due is not None and child.due <= time.monotonic() and not self._stopping:
                self._again(child)

    def _schedule(self, child: Child) -> None:
        child.failures = 1 if time.monotonic() - child.started > STEADY else child.failures + 1
        pause = min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** min(child.failures - 1, 10))
        child.due = time.monotonic() + pause
        self.say(child.service.name, f"starting again in {pause:g} s")

    def _again(self, child: Child) -> None:
        try:
            self._launch(child, child.service.command())
        except Exception as error:  # whatever it is, the other children need somebody who looks after them
            self.say(child.service.name, str(error))
            self._schedule(child)

    def _read(self, child: Child) -> bool:
        """Tell what there is to read now, and say whether there was anything."""
        assert child.process is not None
        assert child.process.stdout is not None
        try:
            said = os.read(child.process.stdout.fileno(), 65536)
        except BlockingIOError:
            return False
        if not said:
            self._selector.unregister(child.process.stdout)
            child.process.stdout.close()
        *lines, child.unread = (child.unread + said).split(b"\n")
        if (not said or len(child.unread) > 65536) and child.unread:
            lines, child.unread = [*lines, child.unread], b""
        for line in lines:
            self.say(child.service.name, line.decode(errors="replace").rstrip())
        return bool(said)

    def _ended(self, child: Child) -> bool:
        """Whether it has ended; its pid stays taken until `_bury`, so that a signal cannot hit another."""
        if child.process is None:
            return False
        if not hasattr(os, "waitid"):  # macOS before Python 3.13: there the pid is free a moment earlier
            return child.process.poll() is not None
        return os.waitid(os.P_PID, child.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _bury(self, child: Child) -> int:
        """End what it left behind, read its last words, forget it. Returns its exit code."""
        process = child.process
        assert process is not None
        assert process.stdout is not None
        self._signal_group(child, signal.SIGKILL)
        code = process.wait()
        while not process.stdout.closed and self._read(child):
            pass
        if not process.stdout.closed:  # something that left the group still holds the other end
            self._selector.unregister(process.stdout)
            process.stdout.close()
        child.process = None
        if not self._stopping and code != 0:
            self.say(child.service.name, f"ended with {_described(code)}")
        return code

    def _signal_group(self, child: Child, number: int) -> None:
        if child.process is not None:
            # macOS refuses where only the dead are left in the group.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, number)

    # Ending

    def stop(self, *children: Child) -> None:
        """Ask these to end, all at once, and return when they have. Who overstays its patience is killed; a
        further Ctrl-C is the end of patience.
        """
        self._stopping = True
        began = time.monotonic()
        for child in children:
            if child.process is not None:
                os.kill(child.process.pid, child.service.stop)
        killed: set[int] = set()
        while any(child.running for child in children):
            for number, child in enumerate(children):
                overstayed = time.monotonic() - began > child.service.patience
                if (overstayed or self.interrupts > 1) and number not in killed:
                    self._signal_group(child, child.service.kill)
                    killed.add(number)
            self._turn(MOMENT)

    def _kill_all(self) -> None:
        self._stopping = True
        for child in self._children:
            self._signal_group(child, signal.SIGKILL)
        while any(child.running for child in self._children):
            self._turn(MOMENT)


def _described(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"code {code}"
