"""The arguments, each member a row of its own."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from riskgate.core.action import Action, Json, pointer, tokens
from riskgate.core.rendering import MASK
from riskgate.web.call_text.matches import NOTHING, Spots
from riskgate.web.call_text.pieces import Folded, Piece, Pieces, Room, counted, folded, masked_note
from riskgate.web.call_text.signature import key_of, scalar
from riskgate.web.call_text.walk import Paths, chosen, grow, members, missing, size

ROWS = 300
"""More members than these are counted and not shown; the raw call has them."""
CERTAIN = 100
"""So many rows are kept for members with a match, and for what they stand in."""
SHARE = 50
"""So many members of each object and list come first, before any has more of them."""
TREE = 70_000
"""The bytes that all values may take."""
LEAST, MOST = 200, 8_000
"""The bytes that each of them may take."""


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
    """The arguments, each member a row, positional ones by their number; of very many, the outer ones and all with a
    match before the others, and a last row that says how many more there are."""
    roots: dict[str, Json] = {"args": action.args, "kwargs": action.kwargs}
    total = size(action.args) + size(action.kwargs)
    kept = _kept(roots, found) if total > ROWS else None
    walk = _Walk(found, masked, kept, Room(TREE), min(total, ROWS))
    rows = [
        row
        for name, root in roots.items()
        for row in walk.rows(root, pointer(name), 0, walk.below(kept, name))
    ]
    if total > len(rows):
        unmatched = "" if kept is None else _unmatched(kept, found)
        rows.append(
            Row(0, (), (), f"{counted(total - len(rows), 'more value')}{unmatched}: see the raw call")
        )
    return tuple(rows)


def _places(found: Mapping[str, Spots]) -> list[list[str]]:
    """The members of the arguments that hold a match."""
    steps = [tokens(at) for at in found]
    return [each for each in steps if len(each) > 1 and each[0] in {"args", "kwargs"}]


def _kept(roots: Mapping[str, Json], found: Mapping[str, Spots]) -> Paths:
    """Which members are shown where not all can be."""
    kept: Paths = {name: {} for name in roots}
    count = 0
    for steps in _places(found):
        more = missing(kept, steps)
        if count + more <= CERTAIN:
            grow(kept, steps)
            count += more
    for share in (SHARE, ROWS):
        level = [(kept[name], root) for name, root in roots.items()]
        while level:
            below = []
            for here, value in level:
                for name, child in islice(members(value), share):
                    if name not in here and count < ROWS:
                        here[name] = {}
                        count += 1
                    if name in here and isinstance(child, (dict, list, tuple)):
                        below.append((here[name], child))
            level = below
    return kept


def _unmatched(kept: Paths, found: Mapping[str, Spots]) -> str:
    left_out = sum(missing(kept, steps) > 0 for steps in _places(found))
    return f", {left_out:,} of them matched" if left_out else ""


@dataclass(slots=True)
class _Walk:
    """`kept` is None where everything is shown; `rows_left` rows have LEAST bytes each to themselves."""

    found: Mapping[str, Spots]
    masked: Collection[str]
    kept: "Paths | None"
    room: Room
    rows_left: int

    def below(self, here: "Paths | None", name: str) -> "Paths | None":
        return None if here is None else here[name]

    def rows(self, value: Json, at: str, depth: int, here: "Paths | None") -> Iterator[Row]:
        """A row for each member, and after it those below it."""
        named = isinstance(value, Mapping)
        for name, child in members(value) if here is None else chosen(value, here):
            inside = at + pointer(name)
            spots = self.found.get(inside, NOTHING)
            key = key_of(name, spots) if named else (Piece(name, "name"),)
            if depth > DEPTHS:
                key = (Piece("› " * (depth - DEPTHS), "escape"), *key)
            yield self.row(child, inside, key, min(depth, DEPTHS), spots)
            if inside not in self.masked:
                yield from self.rows(child, inside, depth + 1, self.below(here, name))

    def row(self, value: Json, at: str, key: Pieces, depth: int, here: Spots) -> Row:
        self.rows_left -= 1
        most = max(LEAST, min(MOST, self.room.left - LEAST * self.rows_left))
        if at in self.masked:
            return Row(depth, key, (Piece(MASK * 2),), masked_note(value))
        if isinstance(value, Mapping):
            return Row(depth, key, (), f"object, {counted(len(value), 'key')}")
        if isinstance(value, (list, tuple)):
            return Row(depth, key, (), f"list, {counted(len(value), 'item')}")
        if not isinstance(value, str):
            return Row(depth, key, self.room.put(scalar(value, at, here, (), most, lines=True)))
        text = folded(value, here, most)
        self.room.put((*text.head, *text.rest))
        return _quoted(depth, key, text)


def _quoted(depth: int, key: Pieces, text: Folded) -> Row:
    head, rest = (Piece('"'), *text.head), text.rest
    if not rest:
        return Row(depth, key, (*head, Piece('"')))
    return Row(depth, key, head, "", (*rest, Piece('"')), text.rest_length, text.shown)
