"""All arguments, each member a row of its own."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from riskgate.core.action import Action, Json, pointer
from riskgate.core.rendering import MASK
from riskgate.web.call_text.pieces import FOLD, HEAD, NOTHING, Piece, Pieces, Spots, counted, folded
from riskgate.web.call_text.signature import key_of, scalar


@dataclass(frozen=True, slots=True)
class Row:
    """One member of the arguments.

    rest  what is folded away of a long text; `shown` where it holds a match, which nothing may hide
    note  what it is, where that is not to be seen: a mask, an object, an empty text
    """

    depth: int
    key: Pieces
    value: Pieces
    note: str = ""
    rest: Pieces = ()
    rest_length: int = 0
    shown: bool = False


DEPTHS = 8
"""Members further down are indented no more, and say by signs how far down they are."""


def tree(action: Action, found: Mapping[str, Spots], masked: Collection[str]) -> tuple[Row, ...]:
    """All arguments, each member a row, positional ones by their number."""
    out: list[Row] = []
    for i, value in enumerate(action.args):
        out += _rows(value, pointer("args", i), (Piece(str(i), "name"),), 0, found, masked)
    for name, value in action.kwargs.items():
        at = pointer("kwargs", name)
        out += _rows(value, at, key_of(name, found.get(at, NOTHING)), 0, found, masked)
    return tuple(out)


def _rows(
    value: Json, at: str, key: Pieces, depth: int, found: Mapping[str, Spots], masked: Collection[str]
) -> Iterator[Row]:
    here = found.get(at, NOTHING)
    if depth > DEPTHS:
        key = (Piece("› " * (depth - DEPTHS), "escape"), *key)
    indent = min(depth, DEPTHS)
    if isinstance(value, Mapping):
        yield Row(indent, key, (), f"object, {counted(len(value), 'key')}")
        for name, child in value.items():
            below = at + pointer(name)
            yield from _rows(child, below, key_of(name, found.get(below, NOTHING)), depth + 1, found, masked)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield Row(indent, key, (), f"list, {counted(len(value), 'item')}")
        for i, child in enumerate(value):
            yield from _rows(child, at + pointer(i), (Piece(str(i), "name"),), depth + 1, found, masked)
    elif isinstance(value, str) and at in masked:
        yield Row(indent, key, (Piece(MASK * 2),), f"masked, {counted(len(value), 'character')}")
    elif isinstance(value, str) and len(value) > FOLD:
        yield _folded(value, key, indent, here)
    else:
        yield Row(indent, key, scalar(value, at, here, masked, lines=True))


def _folded(text: str, key: Pieces, depth: int, here: Spots) -> Row:
    head, rest, matched = folded(text, here)
    return Row(depth, key, (Piece('"'), *head), "", (*rest, Piece('"')), len(text) - HEAD, matched)
