"""Where a text matched: the spans that scoring found, by the place that they stand in."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from riskgate.core.assessment import Evidence

Span = tuple[int, int]
"""Code points of the text, from and up to."""


@dataclass(slots=True)
class Spots:
    """The spans that matched at one place; `whole` where the value itself did."""

    value: list[Span] = field(default_factory=list)
    key: list[Span] = field(default_factory=list)
    whole: bool = False
    whole_key: bool = False

    def spans(self, text: str) -> list[Span]:
        return [(0, len(text))] if self.whole else self.value


def spots(evidence: Iterable[Evidence]) -> dict[str, Spots]:
    """By JSON Pointer, everything that matched there."""
    found: dict[str, Spots] = {}
    for item in evidence:
        if not item.at:
            continue
        here = found.setdefault(item.at, Spots())
        if item.in_key:
            here.whole_key |= item.span is None
            here.key += [item.span] if item.span else []
        else:
            here.whole |= item.span is None
            here.value += [item.span] if item.span else []
    return found


NOTHING = Spots()


def merged(spans: Iterable[Span], length: int) -> list[Span]:
    out: list[Span] = []
    for start, end in sorted((max(0, s), min(e, length)) for s, e in spans):
        if start >= end:
            continue
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out
