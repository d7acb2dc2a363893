#!/usr/bin/env python3
"""Every command of riskgate. `up` starts it all, `test` runs the tests; the others are listed by `help`.

Standard library only down to `main`: the first start installs the locked dependencies into `.venv`, beside
this file, unless the interpreter that runs it has them already.
"""

import hashlib
import os
import subprocess
import sys

HOME = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HOME, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")

if sys.version_info < (3, 11):
    sys.exit("riskgate needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2]))


def installed(lock, stamp):
    """Whether this interpreter has what the lock says. Of `.venv` itself, the stamp of an install knows."""
    if os.path.realpath(sys.prefix) == os.path.realpath(VENV):
        return stamped(lock, stamp)
    from importlib import metadata

    found = {(each.name or "").lower().replace("_", "-"): each.version for each in metadata.distributions()}
    with open(lock) as lines:
        pins = [line.split(" ")[0].split("==") for line in lines if line[0] not in " #\n" and ";" not in line]
    return all(found.get(name) == version for name, version in pins)


def stamped(lock, stamp):
    if not os.path.exists(stamp):
        return False
    with open(lock, "rb") as locked, open(stamp) as noted:
        return noted.read() == hashlib.sha256(locked.read()).hexdigest()


def install(lock, stamp):
    """Bring `.venv` to what the lock says, made by this very interpreter where it is not there."""
    print("Installing the dependencies into .venv, once …", flush=True)
    if not (os.path.exists(PYTHON) and os.path.exists(os.path.join(VENV, "bin", "pip"))):
        try:
            import ensurepip  # noqa: F401
        except ImportError:
            sys.exit("This Python comes without ensurepip: install it (on Debian: apt install python3-venv).")
        subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
    pip = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "-qq"]
    done = subprocess.run([*pip, "--require-hashes", "--only-binary", ":all:", "-r", lock], check=False)
    if done.returncode != 0:
        sys.exit("The dependencies could not be installed (see above): is this machine on the network?")
    with open(lock, "rb") as locked, open(stamp, "w") as noted:
        noted.write(hashlib.sha256(locked.read()).hexdigest())


def ensure(name):
    """Return when the dependencies are here; else start again, by the interpreter that has them."""
    lock, stamp = os.path.join(HOME, name), os.path.join(VENV, name + ".sha256")
    if installed(lock, stamp):
        return
    if not (os.path.exists(PYTHON) and stamped(lock, stamp)):
        install(lock, stamp)
    os.execv(PYTHON, [PYTHON, *sys.argv])


def load_settings():
    """What `up` noted in its data folder, for commands that are run beside it. The environment goes first."""
    path = os.path.join(os.environ.get("RISKGATE_DATA") or os.path.join(HOME, "var"), "settings.env")
    if "DATABASE_URL" not in os.environ and os.path.exists(path):
        with open(path) as lines:
            for line in lines:
                name, _, value = line.rstrip("\n").partition("=")
                os.environ.setdefault(name, value)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "riskgate.config.settings")


def main(arguments):
    command = arguments[0] if arguments else "help"
    ensure("requirements-dev.lock" if command == "test" else "requirements.lock")
    if command == "up":
        from riskgate.cli import up

        return up.main(arguments[1:])
    if command == "test":
        from riskgate.cli import test

        return test.main(arguments[1:])
    if command == "lifecycle":
        from riskgate.core.lifecycle import diagram

        print(diagram())
        return 0
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    if command in ("help", "--help", "-h") and len(arguments) < 2:
        print(
            "`up` starts everything (see up --help), `test` runs the tests, `lifecycle` prints the states; "
            "the others need a started `up`."
        )
    load_settings()
    try:
        return execute_from_command_line([sys.argv[0], *arguments])
    except ImproperlyConfigured as error:
        print(error, "Start `up` first, or set what is missing.", sep="\n", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
