"""`manage.py test`: pytest with the arguments it is given, on as many cores as are good for it."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
MOST = 4  # each worker makes a database of its own first


def main(arguments: Sequence[str]) -> int:
    os.chdir(HOME)
    chosen = any(each.startswith(("-n", "--numprocesses", "--pdb", "-p")) for each in arguments)
    spread = [] if chosen else ["-n", str(min(MOST, os.cpu_count() or 1)), "--dist", "loadgroup"]
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *spread, *arguments])
