"""`python -m tests.crashes --rounds 1000`: kills what it can, and looks at the books after each round."""

import argparse
import logging
import os
import platform
import secrets
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

import django

from tests.crashes.house import House
from tests.crashes.ledger import Ledger


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crashes", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--agents", type=int, default=6, help="how many ask at the same time (default: 6)")
    parser.add_argument("--seed", type=int, default=None, help="repeats the choices of an earlier run")
    given = parser.parse_args()
    seed = secrets.randbelow(10**6) if given.seed is None else given.seed
    folder = Path(tempfile.mkdtemp(prefix="riskgate-crashes-"))
    house = House(folder / "var")
    print(
        f"seed {seed}, on {platform.node()}, {os.cpu_count()} cores; everything is kept in {folder}",
        flush=True,
    )
    try:
        house.up.start()
        os.environ.update(house.environment(), DJANGO_SETTINGS_MODULE="riskgate.config.settings")
        django.setup()
        for name in ("psycopg.pool", "riskgate.client.http"):  # what they would tell is what this is about
            logging.getLogger(name).setLevel(logging.CRITICAL)
        went_well = _rounds(house, folder, given.rounds, given.agents, seed)
    finally:
        house.up.end()
    if went_well:
        shutil.rmtree(folder)
    else:
        print(f"The data, the log and the ledger are in {folder}.")
    return 0 if went_well else 1


def _rounds(house: House, folder: Path, number: int, agents: int, seed: int) -> bool:
    from tests.crashes.rounds import Disagreement, Report, Rounds

    ledger = Ledger(folder / "ledger.jsonl")
    rounds = Rounds(house, ledger, agents=agents, seed=seed)
    reports: list[Report] = []
    began = time.monotonic()
    rounds.begin()
    try:
        for each in range(number):
            reports.append(rounds.round(each))
            print(reports[-1], flush=True)
        facts = rounds.end()
    except Disagreement as found:
        print(f"round {len(reports)}: the books do not agree", *found.sentences, sep="\n", flush=True)
        return False
    finally:
        rounds.stop_agents.set()
        rounds.stop_people.set()
    minutes = (time.monotonic() - began) / 60
    print(f"{number} rounds in {minutes:.1f} minutes: {facts} acknowledged answers, and the books agree.")
    for name in ("ready", "submitted", "clock"):
        seconds = sorted(getattr(report, name) for report in reports)
        tail = quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[-1]
        print(
            f"{name:<10} median {seconds[len(seconds) // 2]:.2f} s, p95 {tail:.2f} s, longest {seconds[-1]:.2f} s"
        )
    for what, times in sorted(ledger.counts.items()):
        print(f"{what}: {times}")
    return True


if __name__ == "__main__":
    sys.exit(main())
