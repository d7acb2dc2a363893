"""What was acknowledged: every answer that somebody got, kept by those who asked and not by riskgate."""

import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Fact:
    """`what` is a status of the call that somebody was told, or `granted` or `voted`. `by` is a person's id."""

    call: str
    what: str
    by: str = ""
    key: str = ""
    jti: str = ""
    sent: str = ""
    """The one argument of the action, which tells it from every other."""


@dataclass
class Ledger:
    path: Path
    facts: list[Fact] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    _tried: set[tuple[str, str]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, call: object, what: str, **more: object) -> None:
        """Somebody was told so."""
        fact = Fact(str(call), what, **{name: str(value) for name, value in more.items()})
        with self._lock:
            self.facts.append(fact)
            self._write({"at": time.time(), **fact.__dict__})

    def attempt(self, call: object, what: str) -> None:
        """A person is about to decide; whether it was done is not known unless `add` follows."""
        with self._lock:
            self._tried.add((str(call), what))

    def attempted(self, call: object, what: str) -> bool:
        with self._lock:
            return (str(call), what) in self._tried

    def disagree(self, sentence: str) -> None:
        with self._lock:
            self.wrong.append(sentence)
            self._write({"at": time.time(), "wrong": sentence})

    def count(self, what: str, number: int = 1) -> None:
        with self._lock:
            self.counts[what] += number

    def _write(self, line: dict[str, Any]) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")
