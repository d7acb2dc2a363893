"""The command for very many rounds: `python -m tests.races --help`."""

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial

from tests import plugin


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.races", description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=1000, help="rounds in all, spread over the stories (1000)"
    )
    parser.add_argument("--story", help="only the stories whose name has this in it")
    parser.add_argument("--seed", type=int, default=None, help="the delays of an earlier run")
    parser.add_argument(
        "--model", type=int, metavar="N", help="run the model of a call's life N times instead"
    )
    asked = parser.parse_args(arguments)
    with plugin.prepare():
        _ready()
        try:
            return _model(asked.model) if asked.model else _stories(asked)
        finally:
            _hang_up()


def _ready() -> None:
    """Django, and an empty database with all tables."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # as in tests/conftest.py
    call_command("migrate", verbosity=0)


def _hang_up() -> None:
    from django.db import connections

    connections.close_all()
    connections["default"].close_pool()


def _stories(asked: argparse.Namespace) -> int:
    from tests.races import rig
    from tests.races.ground import Ground
    from tests.races.stories import STORIES

    stories = [story for story in STORIES if asked.story is None or asked.story in story.name]
    if not stories:
        print(f"No story is called {asked.story}. There are:", *(story.name for story in STORIES), sep="\n  ")
        return 2
    seed = asked.seed if asked.seed is not None else time.time_ns() % 1_000_000
    ground = Ground()
    share = -(-asked.rounds // sum(1 + story.main for story in stories))
    many = sum(share * (1 + story.main) for story in stories)
    began = time.monotonic()
    done = 0
    print(f"{len(stories)} stories, {many} rounds, seed {seed}", flush=True)
    for story in stories:
        start = time.monotonic()
        rounds = share * (1 + story.main)
        told = partial(_progress, story.name, rounds)
        try:
            tally = rig.run(story, ground, rounds=rounds, seed=seed, told=told)
        except rig.Broken as error:
            print(f"\nBROKEN: {error}", flush=True)
            return 1
        done += rounds
        seconds = time.monotonic() - start
        counts = ", ".join(f"{name} {count}" for name, count in tally.most_common())
        never = story.outcomes - set(tally)
        print(f"{story.name}: {counts}; {1000 * seconds / rounds:.1f} ms a round", flush=True)
        if never:
            print(f"  never met: {', '.join(sorted(never))}", flush=True)
            if rounds >= 200:
                return 1
    print(f"{done} rounds in {time.monotonic() - began:.0f} s: everything held.", flush=True)
    return 0


def _progress(name: str, rounds: int, done: int) -> None:
    if sys.stderr.isatty():
        print(
            f"\r{name}: {done} of {rounds}",
            end="\x1b[K" if done < rounds else "\r\x1b[K",
            file=sys.stderr,
            flush=True,
        )
    elif done % 1000 == 0:
        print(f"{name}: {done} of {rounds}", flush=True)


def _model(lives: int) -> int:
    from tests.people import make_world
    from tests.races.lifecycle import run_lives

    began = time.monotonic()
    run_lives(make_world(), lives, steps=60)
    print(f"{lives} lives in {time.monotonic() - began:.0f} s: the calls did as the model said.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
