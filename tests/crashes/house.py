"""The house of a crash round: a real `up`, its processes by name, and the blows that they are dealt."""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx
import psutil

from tests.cli.test_up import Up

MARKS = {"web": "granian", "worker": "celery", "broker": "valkey-server", "postgres": "bin/postgres"}
"""The children of `up`, by what stands in their command lines."""

VICTIMS = (*MARKS, "web's process", "clock", "backend", "writer")
"""Whoever may be killed: also the process in which the web server serves, Celery's beat, the server process of
one connection, and one of PostgreSQL's own helpers.
"""

EVERYTHING = "everything"
"""`up` itself, and everything that it started, at the same moment."""

FIRST: tuple[tuple[str, ...], ...] = (
    ("web", "worker"),
    ("broker", "backend"),
    ("postgres",),
    (EVERYTHING,),
)
"""What the first rounds of every run kill: each part once, alone or with another."""


class House:
    """One data folder, and the `up` that runs on it."""

    def __init__(self, data: Path) -> None:
        self.up = Up(data, RISKGATE_API_KEY_RATE="100000", RISKGATE_API_TEAM_RATE="100000")
        self.log = data.with_name(data.name + ".log")

    @property
    def url(self) -> str:
        return f"http://localhost:{self.up.port}"

    def environment(self) -> dict[str, str]:
        """What other processes need to work on the same database."""
        lines = (self.up.data / "settings.env").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def find(self, name: str, chance: random.Random) -> list[psutil.Process]:
        """The processes of that name; empty where there is none just now."""
        try:
            if name == EVERYTHING:
                return [psutil.Process(self.up.pid), *self.up.everybody()]
            if name in MARKS:
                return [self.up.child(MARKS[name])]
            if name == "web's process":
                return self._below("web", "granian")
            if name == "clock":
                return self._below("worker", "celery")
            client = self._below("postgres", "[local]")
            if name == "backend":
                return [chance.choice(client)]
            return [chance.choice([each for each in self._below("postgres") if each not in client])]
        except (psutil.NoSuchProcess, ValueError, IndexError):
            return []

    def _below(self, parent: str, mark: str = "") -> list[psutil.Process]:
        found = self.up.child(MARKS[parent]).children()
        return [each for each in found if mark in " ".join(each.cmdline())]

    def strike(self, names: Sequence[str], chance: random.Random) -> list[str]:
        """Kills these, all at once, and answers who was there to be killed."""
        targets = {name: self.find(name, chance) for name in names}
        for processes in targets.values():
            for each in processes:
                try:
                    each.kill()
                except psutil.NoSuchProcess:
                    continue
        if EVERYTHING in names:
            self.up.end()
        return [name for name, processes in targets.items() if processes]

    def restart(self) -> None:
        """Starts `up` again, on the folder as it was left. What the last one said is kept."""
        self.log.replace(self.log.with_suffix(f".{int(time.time() * 1000)}.log"))
        self.up.start()

    def ready(self) -> bool:
        return self.up.is_ready()


def wait(condition: Callable[[], bool], seconds: float, what: str) -> float:
    """Returns when it holds: how many seconds it took. Raises TimeoutError."""
    began = time.monotonic()
    while True:
        try:
            if condition():
                return time.monotonic() - began
        except httpx.HTTPError:
            pass
        if time.monotonic() - began > seconds:
            raise TimeoutError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.05)
