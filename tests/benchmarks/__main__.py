"""The table of the numbers.

    python -m tests.benchmarks [--only NAME …] [--quick]

Both sides of a ratio are measured in turns within one run, and all inputs are distinct: read the ratios first. Clients,
servers and database share the machine's cores. Nothing here fails because a machine is slow.
"""

import argparse
import importlib
import signal
import sys

from tests.benchmarks import house, machine
from tests.benchmarks.table import HEAD, show

MODULES = ("scoring", "submitting", "batches", "waiting", "pages", "front", "starting")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks", description="Prints the table of the numbers."
    )
    parser.add_argument(
        "--only", nargs="+", choices=MODULES, default=MODULES, metavar="NAME", help=", ".join(MODULES)
    )
    parser.add_argument("--quick", action="store_true", help="see that it works; the numbers mean nothing")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is ended in any case
    print(machine.described())
    if given.quick:
        print("quick: these numbers mean nothing")
    print(f"\n{HEAD}", flush=True)
    try:
        for name in given.only:
            for line in show(importlib.import_module(f"tests.benchmarks.{name}").rows(given.quick)):
                print(line, flush=True)
    finally:
        house.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
