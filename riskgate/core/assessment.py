"""What scoring answers: the number, the level, and the evidence for both."""

from dataclasses import dataclass
from typing import Any

from riskgate.core.levels import MICRO, WEIGHT, Level


@dataclass(frozen=True, slots=True)
class Evidence:
    """One place that a rule matched.

    rule    the id of the rule, `core.verb.destructive`
    text    a short excerpt, masked where the rule marks a secret
    at      JSON Pointer into the action; "" where nothing in the action can be pointed at
    span    start and end in code points of the original string at `at`; None for the whole value
    in_key  the name of the member at `at` matched, not its value
    via     "" where the text as written matched; else the view in which only it was found, such as "folded" or "joined"
    """

    rule: str
    text: str
    at: str = ""
    span: tuple[int, int] | None = None
    in_key: bool = False
    via: str = ""

    def as_json(self) -> dict[str, Any]:
        """The shape that the API answers and the database keeps."""
        out: dict[str, Any] = {"rule": self.rule, "text": self.text}
        if self.at:
            out["at"] = self.at
        if self.in_key:
            out["in"] = "key"
        if self.span is not None:
            out["span"] = list(self.span)
        if self.via:
            out["via"] = self.via
        return out

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Evidence":
        span = data.get("span")
        return cls(
            rule=data["rule"],
            text=data["text"],
            at=data.get("at", ""),
            span=(span[0], span[1]) if span else None,
            in_key=data.get("in") == "key",
            via=data.get("via", ""),
        )


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of the composite: `score` in 10⁻⁶, `weight` in 10⁻⁴, `sentence` for the operator."""

    name: str
    score: int
    weight: int
    sentence: str = ""
    evidence: tuple[Evidence, ...] = ()

    @property
    def contribution(self) -> float:
        """What it adds to the score, as a number in 0..1."""
        return self.score * self.weight / (MICRO * WEIGHT)

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "score": self.score / MICRO,
            "weight": self.weight / WEIGHT,
            "contribution": self.contribution,
            "sentence": self.sentence,
            "evidence": [item.as_json() for item in self.evidence],
        }


@dataclass(frozen=True, slots=True)
class Floor:
    """The least level that a matched rule allows, and why, in a sentence for the operator."""

    rule: str
    level: Level
    reason: str
    evidence: tuple[Evidence, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "level": self.level.name,
            "reason": self.reason,
            "evidence": [item.as_json() for item in self.evidence],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Floor":
        evidence = tuple(Evidence.from_json(item) for item in data["evidence"])
        return cls(data["rule"], Level[data["level"]], data["reason"], evidence)


@dataclass(frozen=True, slots=True)
class Assessment:
    """`score` is the exact composite in 10⁻⁶; `level` is the higher of the score's own level and every floor."""

    score: int
    score_level: Level
    level: Level
    factors: tuple[Factor, ...]
    floors: tuple[Floor, ...] = ()
    failed: str = ""
    """Why scoring failed, where it did: such a call is CRITICAL."""
