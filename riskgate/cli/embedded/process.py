"""Commands that go through `child.py`, and the identity a database server may run under."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

Identity = Literal["self", "namespace", "nobody"]

CHILD = Path(__file__).with_name("child.py")


def command(
    argv: Sequence[str | Path], *, identity: Identity = "self", on_parent_death: int = signal.SIGTERM
) -> list[str]:
    """The command that runs `argv` as a child of this very process, to be started from its main thread."""
    head = [sys.executable, "-I", "-S", str(CHILD), str(os.getpid()), str(int(on_parent_death)), identity]
    return [*head, *(str(each) for each in argv)]


def unprivileged_identity(probe: Sequence[str | Path]) -> Identity | None:
    """The identity under which a program that refuses root can run; `probe` is run to find out. None: there
    is none.
    """
    if os.geteuid() != 0:
        return "self"
    identities: tuple[Identity, ...] = ("namespace", "nobody")
    for identity in identities:
        tried = subprocess.run(command(probe, identity=identity), capture_output=True, check=False)
        if tried.returncode == 0:
            return identity
    return None
