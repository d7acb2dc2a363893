"""The calls of a run: what became of each in two or three words, and their scores as a chart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from riskgate.core.levels import MICRO, Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.services.shapes import CallLine
from riskgate.web import words

# ------------------------------------------------------------------ words


@dataclass(frozen=True, slots=True)
class Became:
    """`word` is the status as people say it; `how` how it came to be decided, or "" ."""

    word: str
    how: str


def _approved(line: CallLine) -> str:
    return f"approved by {line.approved_by}" if line.approved_by else "approved at once"


def _pending(line: CallLine) -> str:
    return f"{line.approvals} of {line.seats} approvals" if line.seats > 1 else "waits for a decision"


def _by(line: CallLine) -> str:
    return f"by {line.ended_by}" if line.ended_by else "by a rule"


def _withdrawn(line: CallLine) -> str:
    return "by the agent" if line.withdrawn_by_agent or not line.ended_by else f"by {line.ended_by}"


def _expired(line: CallLine) -> str:
    if line.reason_code is ReasonCode.EXPIRED_UNCLAIMED:
        return f"{_approved(line)}, not claimed in time"
    return "nobody decided in time"


BECAME: Mapping[Status, tuple[str, Callable[[CallLine], str]]] = {
    Status.PENDING: ("pending", _pending),
    Status.APPROVED: ("approved", lambda line: f"by {line.approved_by}" if line.approved_by else "at once"),
    Status.DENIED: ("denied", _by),
    Status.RETURNED: ("sent back", _by),
    Status.CANCELLED: ("withdrawn", _withdrawn),
    Status.EXPIRED: ("expired", _expired),
    Status.REVOKED: ("revoked", _by),
    Status.EXECUTING: ("running", _approved),
    Status.SUCCEEDED: ("succeeded", _approved),
    Status.FAILED: ("failed", _approved),
    Status.UNKNOWN: ("unknown", lambda line: f"{_approved(line)}, never reported"),
}


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    call: CallLine
    score: str
    became: Became


def rows(calls: Sequence[CallLine], first: int = 1) -> tuple[Row, ...]:
    """The calls with their numbers, counted from `first`."""
    return tuple(
        Row(number, call, words.score(call.score), became(call))
        for number, call in enumerate(calls, start=first)
    )


def became(line: CallLine) -> Became:
    word, how = BECAME[line.status]
    return Became(word, how(line))


# ------------------------------------------------------------------ the chart

HEIGHT = 144
"""Pixels between the scores 0 and 1."""
ABOVE = 12
"""Pixels for the marks of what scores 1, and as many below 0."""


@dataclass(frozen=True, slots=True)
class Point:
    """`x` is a percentage, `y` in pixels from the top; `joined` is the way from the point before, where there is
    one."""

    x: str
    y: str
    level: str
    title: str
    joined: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Threshold:
    level: str
    y: str
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The scores of a part of a run from left to right, 0 at the bottom. `said` tells the picture in a sentence.

    ends  where the first and the last of them stand, and their numbers
    """

    points: tuple[Point, ...]
    ends: tuple[tuple[str, str], ...]
    thresholds: tuple[Threshold, ...]
    height: int
    floor: int
    said: str


def _y(score: int) -> str:
    return f"{ABOVE + HEIGHT * (MICRO - score) / MICRO:.1f}"


def chart(rows: Sequence[Row], thresholds: Sequence[int]) -> Chart:
    """The chart of at least one call; `thresholds` in 10⁻⁶, for MEDIUM, HIGH and CRITICAL, or none."""
    points: list[Point] = []
    for index, row in enumerate(rows):
        before = points[-1] if points else None
        points.append(
            Point(
                x=f"{(index + 0.5) / len(rows) * 100:.2f}%",
                y=_y(row.call.score),
                level=row.call.level.name,
                title=f"{row.number}: {row.score} {row.call.level.name}",
                joined=(before.x, before.y) if before else None,
            )
        )
    named = zip((Level.MEDIUM, Level.HIGH, Level.CRITICAL), thresholds, strict=False)
    return Chart(
        points=tuple(points),
        ends=tuple(dict.fromkeys((points[i].x, f"{rows[i].number:,}") for i in (0, -1))),
        thresholds=tuple(
            Threshold(level.name, _y(score), words.decimals(score, MICRO, least=1)) for level, score in named
        ),
        height=HEIGHT + 2 * ABOVE,
        floor=HEIGHT + ABOVE,
        said=_said(rows),
    )


def _said(rows: Sequence[Row]) -> str:
    if len(rows) == 1:
        return f"The score of action {rows[0].number}: {rows[0].score}, {rows[0].call.level.name}."
    least = min(rows, key=lambda row: row.call.score)
    most = max(rows, key=lambda row: row.call.score)
    return (
        f"Scores of the actions {rows[0].number} to {rows[-1].number}: between {least.score} and {most.score}, "
        f"the highest at action {most.number}, {most.call.level.name}. The list below has each of them."
    )
