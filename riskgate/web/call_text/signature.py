"""The call as one line of code."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

from riskgate.core.action import Action, Json, pointer
from riskgate.core.rendering import MASK
from riskgate.web.call_text.pieces import NOTHING, Piece, Pieces, Spots, counted, joined, merged, pieces

SIGNATURE_TEXT = 240
SIGNATURE_MEMBERS = 20
"""What is longer stands whole in the tree below the signature."""
AROUND = 12
"""How much of a shortened text is shown on both sides of a match."""


def scalar(value: Json, at: str, here: Spots, masked: Collection[str], *, lines: bool) -> Pieces:
    if isinstance(value, str):
        if at in masked:
            return (Piece(MASK * 2, "text"),)
        spans = [(0, len(value))] if here.whole else here.value
        return (Piece('"'), *pieces(value, spans, quoted=True, lines=lines), Piece('"'))
    return (Piece(json.dumps(value), "text", here.whole or bool(here.value)),)


def key_of(name: str, here: Spots) -> Pieces:
    return pieces(
        name, [(0, len(name))] if here.whole_key else here.key, kind="name", quoted=True, lines=False
    )


def _short(text: str, here: Spots) -> Iterator[Piece]:
    """A long text in a signature: its beginning, its end and every match in it; the rest stands only in the tree."""
    spans = merged([(0, len(text))] if here.whole else here.value, len(text))
    windows = [(0, SIGNATURE_TEXT * 2 // 3), (len(text) - SIGNATURE_TEXT // 6, len(text))]
    if not here.whole:
        windows += [(start - AROUND, end + AROUND) for start, end in spans]
    last = 0
    yield Piece('"')
    for start, end in merged(windows, len(text)):
        if start > last:
            yield Piece(f" … {counted(start - last, 'character')} … ", "escape")
        within = [(s - start, e - start) for s, e in spans]
        yield from pieces(text[start:end], within, quoted=True, lines=False)
        last = end
    yield Piece('"')


def inline(value: Json, at: str, found: Mapping[str, Spots], masked: Collection[str]) -> Iterator[Piece]:
    here = found.get(at, NOTHING)
    if isinstance(value, Mapping):
        yield Piece("{")
        for i, (name, child) in enumerate(islice(value.items(), SIGNATURE_MEMBERS)):
            below = at + pointer(name)
            yield from ([Piece(", ")] if i else [])
            yield from key_of(name, found.get(below, NOTHING))
            yield Piece(": ")
            yield from inline(child, below, found, masked)
        yield from _more(len(value))
        yield Piece("}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield Piece("[")
        for i, child in enumerate(value[:SIGNATURE_MEMBERS]):
            yield from ([Piece(", ")] if i else [])
            yield from inline(child, at + pointer(i), found, masked)
        yield from _more(len(value))
        yield Piece("]")
    elif isinstance(value, str) and len(value) > SIGNATURE_TEXT and at not in masked:
        yield from _short(value, here)
    else:
        yield from scalar(value, at, here, masked, lines=False)


def _more(count: int) -> list[Piece]:
    left_out = count - SIGNATURE_MEMBERS
    return [Piece(f", … {left_out:,} more", "escape")] if left_out > 0 else []


def signature(action: Action, found: Mapping[str, Spots], masked: Collection[str]) -> Pieces:
    """The call as one line of code. Only texts and collections of unusual length are shortened."""
    name = found.get("/function_name", NOTHING)
    whole = [(0, len(action.function_name))] if name.whole else name.value
    out = [*pieces(action.function_name, whole, quoted=True, lines=False), Piece("(")]
    members: list[tuple[str | None, str, Json]] = [
        *((None, pointer("args", i), value) for i, value in enumerate(action.args)),
        *((key, pointer("kwargs", key), value) for key, value in action.kwargs.items()),
    ]
    for i, (key, at, value) in enumerate(members[:SIGNATURE_MEMBERS]):
        out += [Piece(", ")] if i else []
        if key is not None:
            out += [*key_of(key, found.get(at, NOTHING)), Piece("=", "name")]
        out += inline(value, at, found, masked)
    out += [*_more(len(members)), Piece(")")]
    return joined(out)
