"""How many calls of each level, as one bar and in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from riskgate.core.levels import Level

LEAST = 2.0
"""Per cent of the bar that a level takes at least: one CRITICAL call in ten thousand is still to be seen."""


@dataclass(frozen=True, slots=True)
class Part:
    """`start` and `width` are percentages, as SVG takes them."""

    level: str
    count: int
    start: str
    width: str


def mix(by_level: Mapping[Level, int]) -> tuple[Part, ...]:
    """The levels that occur, the lowest first; together they fill the bar."""
    there = [(level, by_level[level]) for level in Level if by_level.get(level)]
    total = sum(count for _, count in there)
    wide = [max(count / total * 100, LEAST) for _, count in there]
    whole = sum(wide)
    out, start = [], 0.0
    for (level, count), width in zip(there, wide, strict=True):
        share = width / whole * 100
        out.append(Part(level.name, count, f"{start:.2f}%", f"{share:.2f}%"))
        start += share
    return tuple(out)
