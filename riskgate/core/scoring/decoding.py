"""What arguments hide: one pass each of JSON in a string, URL-encoding, base64, comments and split literals.

A decoded text keeps the way back, so that evidence quotes the encoded piece where it stands and says by `via`
how it was read. Core rules never look at these texts.
"""

import binascii
import json
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeAlias

import re2

from riskgate.core.action import Json
from riskgate.core.assessment import Evidence
from riskgate.core.scoring.hiding import DIGIT, LEAST, START, Sign
from riskgate.core.scoring.matching import compiled
from riskgate.core.scoring.views import Leaf, Node, Texts, walked

BUDGET = 1 << 20
"""The most code points that each pass reads, over all arguments of an action."""

DOCUMENTS = 1 << 18
"""The most code points of JSON in strings that are read."""

PIECES = 1 << 15
"""The most pieces of base64 that are decoded."""

Span: TypeAlias = tuple[int, int, int, bool]
"""Where a piece starts in the decoded text, its first and last code point in the source, and whether it
stands there as it is.
"""

_ENCODED = compiled(rb"(?:%[0-9A-Fa-f]{2})+")
_PIECE = rb"(?:^|[^A-Za-z0-9+/_-])(%%sD{%d,}(?:\r?\nD+)+={0,2}|%%sD{%d,}={0,2})".replace(b"D", DIGIT)
_BASE64 = compiled(_PIECE % (60, LEAST) % (b"", b""))
_LIKELY = compiled(_PIECE % (60 - LEAST, 0) % (START, START))
"""The pieces that start like a text."""
_COMMENT = compiled(rb"/\*!\d*|/\*[^*]*\*+(?:[^*/][^*]*\*+)*/|\*/")
_SPLIT = compiled(rb"'\s*(?:\|\||\+)\s*[Nn]?'|\"\s*(?:\|\||\+)\s*\"")
_STANDARD = str.maketrans("-_", "+/", "\r\n=")
_LINES = str.maketrans("", "", "\t\r\n")


class Decoded(Leaf):
    """A text that was read out of another one, `origin`."""

    __slots__ = ("_origin", "_spans", "_via")

    def __init__(
        self,
        origin: Leaf,
        text: str,
        via: str,
        spans: list[Span],
        node: "Node | None" = None,
        in_key: bool = False,
    ) -> None:
        super().__init__(node or origin.node, text, in_key)
        self._origin = origin
        self._via = via
        self._spans = spans

    @property
    def origin(self) -> Leaf:
        return self._origin

    def quote(self, rule: str, first: int, last: int, via: str) -> Evidence:
        start, from_, until, exact = self._spans[
            bisect_right(self._spans, first, key=lambda span: span[0]) - 1
        ]
        begin = from_ + first - start if exact else from_
        start, from_, until, exact = self._spans[
            bisect_right(self._spans, last - 1, key=lambda span: span[0]) - 1
        ]
        end = from_ + last - start if exact else until
        told = [how for how in (self._via, via) if how not in ("", "folded", "joined")]
        return self._origin.quote(rule, begin, end, ", ".join(told))


def decoded(texts: Texts, seen: Collection[int]) -> tuple[Texts, Texts] | None:
    """What the texts hide: for all rules, and for those about statements alone. None where they hide nothing.

    `seen` are the signs that they have.
    """
    inner, lists = _parsed(texts.leaves) if Sign.DOCUMENT in seen else ([], [])
    below = [leaf for leaf in inner if not leaf.in_key]
    sources = [*(leaf for leaf in texts.leaves if not leaf.in_key), *below]

    def where(sign: Sign) -> list[Leaf]:
        """The texts that a pass has to read; nothing is known of those out of documents."""
        return sources if sign in seen else below

    plain = [*inner, *_each(where(Sign.ENCODED), ("%",), _from_url)]
    if Sign.PACKED_WIDE in seen or below:
        plain += _from_base64(sources, _BASE64)
    elif Sign.PACKED in seen:
        plain += _from_base64(sources, _LIKELY)
    statements = [
        *_each(where(Sign.COMMENT), ("/*",), _without_comments),
        *_each(where(Sign.SPLIT), ("|", "+"), _glued),
    ]
    if not plain and not statements:
        return None
    return Texts(plain, lists, []), Texts(statements, [], [])


def _parsed(leaves: Iterable[Leaf]) -> tuple[list[Leaf], list[list[Leaf]]]:
    """The texts in strings that hold a JSON object or list, and its lists of strings."""
    found: list[Leaf] = []
    lists: list[list[Leaf]] = []
    left = DOCUMENTS
    for leaf in leaves:
        text = leaf.text
        if leaf.in_key or len(text) > left or text[:64].lstrip()[:1] not in ("{", "["):
            continue
        left -= len(text)
        try:
            value: Json = json.loads(text)
        except (ValueError, RecursionError):
            continue
        below, more = walked([(leaf.node, value, False)], _maker(leaf))
        found += below
        lists += more
    return found, lists


def _maker(origin: Leaf) -> Callable[[Node, str, bool], Leaf]:
    """Makes the texts of one document, each pointed to where it stands as it is, else to the whole."""
    position = 0

    def make(node: Node, text: str, in_key: bool) -> Leaf:
        nonlocal position
        at = origin.text.find(text, position) if text and position >= 0 else -1
        span = (0, at, at + len(text), True) if at >= 0 else (0, 0, len(origin.text), False)
        # A search that failed is not made again: the time stays linear.
        position = at if at >= 0 or not text else -1
        return Decoded(origin, text, "json", [span], node, in_key)

    return make


Pass: TypeAlias = Callable[[Leaf], "Leaf | None"]


def _each(leaves: Iterable[Leaf], marks: tuple[str, ...], decode: Pass) -> Iterator[Leaf]:
    left = BUDGET
    for leaf in leaves:
        if len(leaf.text) <= left and any(mark in leaf.text for mark in marks):
            left -= len(leaf.text)
            if (found := decode(leaf)) is not None:
                yield found


def _from_url(leaf: Leaf) -> Leaf | None:
    return _replaced(leaf, _ENCODED, "url-decoded", _percent)


def _percent(run: str) -> str:
    return bytes.fromhex(run.replace("%", "")).decode("utf-8", "replace")


def _without_comments(leaf: Leaf) -> Leaf | None:
    return _replaced(leaf, _COMMENT, "comments removed", lambda run: "")


def _glued(leaf: Leaf) -> Leaf | None:
    return _replaced(leaf, _SPLIT, "quotes removed", lambda run: "")


def _replaced(leaf: Leaf, pattern: "re2._Regexp", via: str, read: Callable[[str], str]) -> Leaf | None:
    """The text with each match read otherwise; None where there is none."""
    text, data = leaf.text, leaf.text.encode("latin-1", "replace")
    out: list[str] = []
    spans: list[Span] = []
    length = position = 0
    while (match := pattern.search(data, position)) is not None:
        first, last = match.span()
        for start, end, piece in (
            (position, first, text[position:first]),
            (first, last, read(text[first:last])),
        ):
            if piece:
                spans.append((length, start, end, end == first))
                out.append(piece)
                length += len(piece)
        position = last
    if not position or not (out or position < len(text)):
        return None
    if position < len(text):
        spans.append((length, position, len(text), True))
        out.append(text[position:])
    return Decoded(leaf, "".join(out), via, spans)


def _from_base64(leaves: Iterable[Leaf], pattern: "re2._Regexp") -> Iterator[Leaf]:
    left, pieces = BUDGET, PIECES
    for leaf in leaves:
        if len(leaf.text) < LEAST or len(leaf.text) > left:
            continue
        left -= len(leaf.text)
        data, position = leaf.text.encode("latin-1", "replace"), 0
        while pieces and (match := pattern.search(data, position)) is not None:
            first, last = match.span(1)
            # What ends one piece may be what stands before the next.
            position = last - 1
            pieces -= 1
            if (text := _as_text(leaf.text[first:last])) is not None:
                yield Decoded(leaf, text, "base64", [(0, first, last, False)])


def _as_text(encoded: str) -> str | None:
    """The text that base64 holds, in UTF-8 or (as PowerShell takes it) UTF-16; None where it holds none."""
    standard = encoded.translate(_STANDARD)
    standard = standard[: len(standard) - (len(standard) % 4 == 1)]
    try:
        raw = binascii.a2b_base64(standard + "=" * (-len(standard) % 4))
        wide = len(raw) % 2 == 0 and 2 * raw[1::2].count(0) > len(raw) // 2
        text = raw.decode("utf-16-le" if wide else "utf-8")
    except ValueError:
        return None
    return text if text and text.translate(_LINES).isprintable() else None
