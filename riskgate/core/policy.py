"""A policy as a value: weights, thresholds, requirements and timings. Every call keeps the version it met."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from riskgate.core.errors import RiskgateError
from riskgate.core.levels import MICRO, WEIGHT, Level

FACTORS = ("function_name", "arguments", "docstring", "hints", "novelty")
"""The factors in their fixed order, on every page and in every answer."""

CHALLENGES = ("confirm", "quiz", "teach_back")

KINDS = ("none", *CHALLENGES, "multi_party")

DAY = 86_400


class PolicyInvalid(RiskgateError):
    """The document cannot be a policy; `details["at"]` is the JSON Pointer of what is wrong."""

    code = "policy_invalid"


@dataclass(frozen=True, slots=True)
class Seat:
    """One person's part of an approval: the challenge, and the least seconds of review before its answer counts."""

    challenge: str
    review_seconds: int


@dataclass(frozen=True, slots=True)
class Requirement:
    """What approving takes at a level. `none` has no seats, `multi_party` at least two, any other kind one."""

    kind: str
    seats: tuple[Seat, ...] = ()
    type_target: bool = False

    @property
    def approvals(self) -> int:
        return len(self.seats)

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "approvals": self.approvals,
            "seats": [{"challenge": s.challenge, "review_seconds": s.review_seconds} for s in self.seats],
            "type_target": self.type_target,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Requirement":
        seats = tuple(Seat(s["challenge"], s["review_seconds"]) for s in data["seats"])
        return cls(data["kind"], seats, data["type_target"])


REQUIREMENTS: dict[Level, Requirement] = {
    Level.LOW: Requirement("none"),
    Level.MEDIUM: Requirement("confirm", (Seat("confirm", 3),)),
    Level.HIGH: Requirement("quiz", (Seat("quiz", 10),)),
    Level.CRITICAL: Requirement("multi_party", (Seat("teach_back", 30), Seat("quiz", 10)), type_target=True),
}


@dataclass(frozen=True, slots=True)
class Timings:
    """All in seconds. `decide_by` is per level; LOW needs no decision and has the MEDIUM value for rules that ask."""

    decide_by: Mapping[Level, int] = field(
        default_factory=lambda: {
            Level.LOW: 3600,
            Level.MEDIUM: 3600,
            Level.HIGH: 3600,
            Level.CRITICAL: 14_400,
        }
    )
    use_by: int = 900
    outcome: int = 3600
    grant: int = 120
    seat_lease: int = 300


@dataclass(frozen=True, slots=True)
class Policy:
    """`weights` in 10⁻⁴, in the order of FACTORS, their sum exactly WEIGHT; `thresholds` in 10⁻⁶.

    `destructive_floor` is the least level of a call whose name has a destructive verb, whatever the weights.
    It and every floor but the ratchet apply only where the pack `guardrails` is on.
    """

    preset: str = "balanced"
    weights: tuple[int, ...] = (3000, 2500, 2000, 1500, 1000)
    thresholds: tuple[int, int, int] = (300_000, 600_000, 800_000)
    packs: tuple[str, ...] = ("core", "guardrails")
    destructive_floor: Level | None = Level.MEDIUM
    requirements: Mapping[Level, Requirement] = field(default_factory=lambda: dict(REQUIREMENTS))
    timings: Timings = field(default_factory=Timings)
    owner_limit: Level = Level.HIGH
    attempts: int = 2
    body_limit: int = 262_144

    def __post_init__(self) -> None:
        if len(self.weights) != len(FACTORS) or min(self.weights) < 0:
            raise PolicyInvalid(
                "A policy has one weight for each factor, and none is negative.", at="/weights"
            )
        total = sum(self.weights)
        if total != WEIGHT:
            raise PolicyInvalid(
                f"The weights must sum to 1, and these sum to {total / WEIGHT:.4f}.", at="/weights"
            )
        low, middle, high = self.thresholds
        if not 0 < low < middle < high <= MICRO:
            raise PolicyInvalid("The thresholds must rise, above 0 and up to 1.", at="/thresholds")
        if "core" not in self.packs:
            raise PolicyInvalid("The pack core is always on.", at="/packs")
        for level in Level:
            requirement = self.requirements[level]
            seats = requirement.approvals
            fits = {"none": seats == 0, "multi_party": seats >= 2}.get(requirement.kind, seats == 1)
            known = all(seat.challenge in CHALLENGES for seat in requirement.seats)
            if requirement.kind not in KINDS or not fits or not known:
                raise PolicyInvalid(
                    f"{level.name} asks for {requirement.kind} with {seats} seats, which nobody could fill.",
                    at=f"/requirements/{level.name}",
                )
            if not 60 <= self.timings.decide_by[level] <= 7 * DAY:
                raise PolicyInvalid(
                    "Decide-by is between one minute and seven days.", at=f"/timings/decide_by/{level.name}"
                )

    def with_packs(self, packs: tuple[str, ...]) -> "Policy":
        """The same policy with other packs on; `core` stays on."""
        return replace(self, packs=tuple(dict.fromkeys(("core", *packs))))

    def as_json(self) -> dict[str, Any]:
        """The document that is stored and answered; `from_json` reads it back to an equal value."""
        return {
            "preset": self.preset,
            "weights": {name: w / WEIGHT for name, w in zip(FACTORS, self.weights, strict=True)},
            "thresholds": {
                level.name: value / MICRO
                for level, value in zip(list(Level)[1:], self.thresholds, strict=True)
            },
            "packs": list(self.packs),
            "destructive_floor": self.destructive_floor.name if self.destructive_floor else None,
            "requirements": {level.name: self.requirements[level].as_json() for level in Level},
            "timings": {
                "decide_by": {level.name: self.timings.decide_by[level] for level in Level},
                "use_by": self.timings.use_by,
                "outcome": self.timings.outcome,
                "grant": self.timings.grant,
                "seat_lease": self.timings.seat_lease,
            },
            "owner_limit": self.owner_limit.name,
            "attempts": self.attempts,
            "body_limit": self.body_limit,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Policy":
        """Reads what `as_json` wrote. Raises PolicyInvalid where it is no policy."""
        timings = data["timings"]
        floor = data["destructive_floor"]
        low, middle, high = (
            _units(data["thresholds"][level.name], MICRO, f"/thresholds/{level.name}")
            for level in list(Level)[1:]
        )
        return cls(
            preset=data["preset"],
            weights=tuple(_units(data["weights"][name], WEIGHT, f"/weights/{name}") for name in FACTORS),
            thresholds=(low, middle, high),
            packs=tuple(data["packs"]),
            destructive_floor=Level[floor] if floor else None,
            requirements={level: Requirement.from_json(data["requirements"][level.name]) for level in Level},
            timings=Timings(
                decide_by={level: timings["decide_by"][level.name] for level in Level},
                use_by=timings["use_by"],
                outcome=timings["outcome"],
                grant=timings["grant"],
                seat_lease=timings["seat_lease"],
            ),
            owner_limit=Level[data["owner_limit"]],
            attempts=data["attempts"],
            body_limit=data["body_limit"],
        )


def _units(value: float, scale: int, at: str) -> int:
    """A number as whole units of 1/scale; finer numbers are refused, not rounded."""
    exact = Fraction(str(value)) * scale
    if exact.denominator != 1:
        raise PolicyInvalid(
            f"{value} has more decimals than are counted; 1/{scale} is the finest step.", at=at
        )
    return exact.numerator


BALANCED = Policy()
CORE = Policy(preset="core", packs=("core",), destructive_floor=None)
PRESETS: dict[str, Policy] = {policy.preset: policy for policy in (BALANCED, CORE)}
