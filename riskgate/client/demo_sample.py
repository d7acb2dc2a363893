"""The bundled sample: invented tool calls, told as stories. See SOURCES beside it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any, Self

from riskgate.client.http import Action


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a story. `output` and `error` are what the agent will pretend came of it."""

    story: str
    function_name: str
    args: Sequence[Any] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    docstring: str | None = None
    hints: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    output: Any = None
    error: str | None = None
    supersedes: str | None = None

    @classmethod
    def found(cls, action: Action) -> Self:
        """The step of an action that an earlier run has left behind."""
        body = action.body
        return cls("found again", body["function_name"], body["args"], body["kwargs"])

    def revised(self, returned: Action) -> "Step":
        """What the agent makes of an action that was sent back: the same as a dry run, in its place."""
        asked = returned.decision.message if returned.decision else ""
        return replace(
            self,
            kwargs={**self.kwargs, "dry_run": True},
            reason=f"You sent this back: {asked} So I ask for a dry run first.",
            supersedes=returned.id,
        )

    @property
    def signature(self) -> str:
        """The call in one short line for a log: what does not print is shown as a dot."""
        values = [_short(value) for value in self.args]
        values += [f"{name}={_short(value)}" for name, value in self.kwargs.items()]
        text = f"{self.function_name}({', '.join(values)})"
        text = "".join(character if character.isprintable() else "·" for character in text)
        return text if len(text) <= 100 else text[:96] + " …)"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 48 else text[:46] + "…"


@dataclass(slots=True)
class Story:
    """A session: its steps come one after the other, each when the one before is decided and done."""

    name: str
    session: str
    steps: list[Step]
    counts: Counter[str] = field(default_factory=Counter)
    busy: bool = False
    """A step is under way."""
    waiting: bool = False
    """That step waits for a person."""

    @property
    def over(self) -> bool:
        return not self.steps and not self.busy


def load() -> list[Step]:
    """Every step of the sample, in its order."""
    text = resources.files("riskgate.client").joinpath("demo_calls.jsonl").read_text(encoding="utf-8")
    return [Step(**json.loads(line)) for line in text.splitlines()]


def stories(steps: Sequence[Step], run: str) -> list[Story]:
    """The steps as stories, in the order of their beginnings. `run` sets the sessions of one round apart."""
    told: dict[str, list[Step]] = {}
    for step in steps:
        told.setdefault(step.story, []).append(step)
    return [Story(name, f"{name}-{run}", list(own)) for name, own in told.items()]
