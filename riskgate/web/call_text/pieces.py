"""Text in pieces, each with how it is to look. No piece is markup.

What an agent wrote can be long, and each character of it a mark of its own. So whatever is shown of it has a bound in
bytes of markup: where it is over, its beginning, its end and its matches are shown, and how much is between them.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from django.utils.html import escape

from riskgate.core.action import Json
from riskgate.web.call_text.characters import (
    ESCAPES,
    QUOTING,
    Kind,
    Mark,
    code_point,
    described,
    invisible,
    marks,
)
from riskgate.web.call_text.matches import Span, Spots, merged

FOLD = 600
"""A longer text is folded after its first lines, unless the rest holds a match."""
HEAD = 360
MATCHES = 8
"""So many matches of one text are shown where not all of it is."""
MATCH = 400
"""The bytes that one of them may take."""
AROUND = 12
"""How much of a shortened text is shown on both sides of a match."""

MARKUP = {"text": 4, "name": 26, "escape": 28, "chip": 37, "look": 63}
HIT = 25


@dataclass(frozen=True, slots=True)
class Piece:
    """`chip` is a character that cannot be seen, `look` one that looks like another; both with their code point.

    times  how many of the same character stand here for one; only a chip is told and not repeated
    """

    text: str
    kind: Kind = "text"
    hit: bool = False
    code: str = ""
    times: int = 1

    @property
    def title(self) -> str:
        return described(self.code) if self.code else ""

    @property
    def cost(self) -> int:
        """The bytes that it takes on a page."""
        return len(escape(self.text).encode()) + MARKUP[self.kind] + HIT * self.hit + len(self.title)


Pieces = tuple[Piece, ...]


def cost(parts: Iterable[Piece]) -> int:
    return sum(part.cost for part in parts)


@dataclass(slots=True)
class Room:
    """What is left of a place on the page, in bytes; `matches` may still be shown when nothing else may."""

    left: int
    matches: int = MATCHES

    def put(self, parts: Pieces) -> Pieces:
        self.left -= cost(parts)
        return parts


def pieces(
    text: str,
    spans: Iterable[Span] = (),
    *,
    kind: Kind = "text",
    quoted: bool = False,
    lines: bool = True,
) -> Pieces:
    """The whole text in pieces. `spans` are the matches, in code points of it.

    With `quoted`, quotation marks, backslashes and line breaks are written as JSON writes them, so that a value
    cannot look like the end of itself; with `lines` a line break is also made where one is written.
    """
    return _cut(text, merged(spans, len(text)), marks(text, quoted, len(text)) or [], kind, lines)


def _cut(text: str, hits: list[Span], found: list[Mark], kind: Kind, lines: bool) -> Pieces:
    edges = sorted({0, len(text)}.union(*hits, (mark.start for mark in found), (mark.end for mark in found)))
    starts = [span[0] for span in hits]
    out: list[Piece] = []
    i = 0
    for start, end in pairwise(edges):
        at = bisect_right(starts, start) - 1
        hit = at >= 0 and start < hits[at][1]
        while i < len(found) and found[i].end <= start:
            i += 1
        if i < len(found) and found[i].start <= start:
            out.append(_marked(text[start:end], found[i].kind, hit, lines))
        else:
            out.append(Piece(text[start:end], kind, hit))
    return tuple(out)


def _marked(run: str, kind: Kind, hit: bool, lines: bool) -> Piece:
    if kind == "escape":
        broken = "\n" if run[0] == "\n" and lines else ""
        return Piece((SHOWN[run[0]] + broken) * len(run), kind, hit)
    code = code_point(run[0])
    if kind == "look":
        return Piece(run, kind, hit, code)
    return Piece(code if len(run) == 1 else f"{code} × {len(run):,}", kind, hit, code, len(run))


SHOWN = ESCAPES | QUOTING


def fit(
    text: str,
    spans: Iterable[Span],
    most: int,
    *,
    kind: Kind = "text",
    quoted: bool = False,
    lines: bool = True,
) -> Pieces | None:
    """The whole text in pieces, where they take no more than `most` bytes. Never takes longer than it is worth."""
    found = marks(text, quoted, most // 16)
    if found is None or len(text) - sum(mark.end - mark.start - 1 for mark in found) > most:
        return None
    parts = _cut(text, merged(spans, len(text)), found, kind, lines)
    return parts if cost(parts) <= most else None


def excerpt(
    text: str,
    spans: Iterable[Span] = (),
    most: int = FOLD,
    *,
    kind: Kind = "text",
    quoted: bool = False,
    lines: bool = True,
) -> Pieces:
    """The whole text, or of a longer one its beginning, its end and the first matches: about `most` bytes, and at
    most MATCHES times MATCH more."""
    spans = list(spans)
    parts = fit(text, spans, most, kind=kind, quoted=quoted, lines=lines)
    if parts is not None:
        return parts
    hits = merged(spans, len(text))
    windows = [
        (0, fitting(text, most * 4 // 7, quoted)),
        (len(text) - fitting(text[: -most - 1 : -1], most // 7, quoted), len(text)),
    ]
    windows += [_around(text, span, quoted) for span in hits[:MATCHES]]
    out: list[Piece] = []
    last = 0
    for start, end in merged(windows, len(text)):
        if start > last:
            out.append(gap(text[last:start], sum(last <= s and e <= start for s, e in hits)))
        inside = [(s - start, e - start) for s, e in hits if s < end and e > start]
        out += pieces(text[start:end], inside, kind=kind, quoted=quoted, lines=lines)
        last = end
    if last < len(text):
        out.append(gap(text[last:], sum(last <= s for s, _ in hits)))
    return tuple(out)


def brief(text: str, most: int = FOLD) -> Pieces:
    """A text on one line, for a place among others."""
    return excerpt(text, (), most, lines=False)


def gap(text: str, matches: int = 0) -> Piece:
    """What is not shown, told by its length and by what is hidden with it. The raw call has it."""
    unseen = invisible(text)
    told = [counted(len(text), "character")]
    told += [f"{unseen:,} of them invisible"] if unseen else []
    told += [f"{matches:,} more matched"] if matches else []
    return Piece(f" … {', '.join(told)} … ", "escape")


def fitting(text: str, most: int, quoted: bool) -> int:
    """How many characters from its beginning take no more than `most` bytes."""
    reach = 16
    while True:
        parts = pieces(text[:reach], quoted=quoted, lines=False)
        taken, left = 0, most
        for part in parts:
            each = part.cost
            long = part.times if part.kind == "chip" else len(part.text)
            if part.kind == "escape":
                long //= 2
            if each > left:
                return taken + (long * left // each if part.kind == "text" else 0)
            taken += long
            left -= each
        if reach >= min(len(text), most):
            return taken
        reach *= 4


def _around(text: str, span: Span, quoted: bool) -> Span:
    """A match with a little on both sides; of one that takes too much, its beginning."""
    start, end = span
    wide = (max(start - AROUND, 0), end + AROUND)
    if fit(text[wide[0] : wide[1]], (), MATCH, quoted=quoted) is not None:
        return wide
    return (start, start + max(fitting(text[start:end], MATCH, quoted), 1))


def joined(parts: Iterable[Piece]) -> Pieces:
    out: list[Piece] = []
    for part in parts:
        last = out[-1] if out else None
        if last and (last.kind, last.hit) == (part.kind, part.hit) and part.kind in ("text", "name"):
            out[-1] = replace(last, text=last.text + part.text)
        else:
            out.append(part)
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text with what is folded away of it: `rest`, (), where it is short; `shown` where the fold stands open."""

    head: Pieces
    rest: Pieces = ()
    rest_length: int = 0
    shown: bool = False


def folded(text: str, here: Spots, most: int, *, quoted: bool = True) -> Folded:
    """The text in about `most` bytes. A fold over a match or a character that cannot be seen stands open."""
    spans = here.spans(text)
    whole = fit(text, spans, most, quoted=quoted)
    if whole is not None and sum(len(part.text) for part in whole) <= FOLD:
        return Folded(whole)
    cut = fitting(text[:HEAD], most // 2, quoted)
    head = pieces(text[:cut], spans, quoted=quoted)
    after = [(start - cut, end - cut) for start, end in spans]
    rest = excerpt(text[cut:], after, max(most - cost(head), most // 2), quoted=quoted)
    shown = any(part.hit or part.code for part in rest) or invisible(text[cut:]) > 0
    return Folded(head, rest, len(text) - cut, shown)


def counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def masked_note(value: Json) -> str:
    """What may be told of a value that is not shown; of a number not even how long it is."""
    return f"masked, {counted(len(value), 'character')}" if isinstance(value, str) else "masked"
