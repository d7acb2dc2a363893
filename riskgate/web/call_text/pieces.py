"""Text in pieces, each with how it is to look. No piece is markup."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from riskgate.core.assessment import Evidence
from riskgate.web.call_text.characters import Kind, code_point, described, special

Span = tuple[int, int]

FOLD = 600
"""A longer text is folded after its first lines, unless the rest holds a match."""
HEAD = 360


@dataclass(frozen=True, slots=True)
class Piece:
    """`chip` is a character that cannot be seen, `look` one that looks like another; both with their code point."""

    text: str
    kind: Kind = "text"
    hit: bool = False
    code: str = ""

    @property
    def title(self) -> str:
        return described(self.code) if self.code else ""


Pieces = tuple[Piece, ...]


@dataclass(slots=True)
class Spots:
    """The spans that matched at one place; `whole` where the value itself did."""

    value: list[Span] = field(default_factory=list)
    key: list[Span] = field(default_factory=list)
    whole: bool = False
    whole_key: bool = False


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


def pieces(
    text: str,
    spans: Iterable[Span] = (),
    *,
    kind: Kind = "text",
    quoted: bool = False,
    lines: bool = True,
) -> Pieces:
    """The text in pieces. `spans` are the matches, in code points of it.

    With `quoted`, quotation marks, backslashes and line breaks are written as JSON writes them, so that a value
    cannot look like the end of itself; with `lines` a line break is also made where one is written.
    """
    hits = merged(spans, len(text))
    found = special(text, quoted, lines)
    edges = sorted({0, len(text), *(edge for span in hits for edge in span), *found, *(i + 1 for i in found)})
    starts = [span[0] for span in hits]
    out: list[Piece] = []
    for start, end in pairwise(edges):
        at = bisect_right(starts, start) - 1
        hit = at >= 0 and start < hits[at][1]
        if start in found:
            shown, how = found[start]
            code = code_point(text[start]) if how in {"chip", "look"} else ""
            out.append(Piece(shown, how, hit, code))
        else:
            out.append(Piece(text[start:end], kind, hit))
    return tuple(out)


def joined(parts: Iterable[Piece]) -> Pieces:
    out: list[Piece] = []
    for part in parts:
        last = out[-1] if out else None
        if last and (last.kind, last.hit) == (part.kind, part.hit) and part.kind in ("text", "name"):
            out[-1] = replace(last, text=last.text + part.text)
        else:
            out.append(part)
    return tuple(out)


def folded(text: str, here: Spots, *, quoted: bool = True) -> tuple[Pieces, Pieces, bool]:
    """The head of a text, the rest of it ((), where it is short), and whether the rest holds a match."""
    spans = [(0, len(text))] if here.whole else here.value
    if len(text) <= FOLD:
        return pieces(text, spans, quoted=quoted), (), False
    head = pieces(text[:HEAD], spans, quoted=quoted)
    rest = pieces(text[HEAD:], [(s - HEAD, e - HEAD) for s, e in spans], quoted=quoted)
    return head, rest, any(piece.hit or piece.code for piece in rest)


def counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
