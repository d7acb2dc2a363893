"""The call as one line of code."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from riskgate.core.action import Action, Json, pointer
from riskgate.core.rendering import MASK, plain_name
from riskgate.web.call_text.matches import NOTHING, Spots
from riskgate.web.call_text.pieces import Piece, Pieces, Room, cost, excerpt, fit, joined
from riskgate.web.call_text.walk import Paths, members, paths

SIGNATURE = 6_000
"""The bytes of a signature, when its matches are not counted."""
SIGNATURE_TEXT = 240
SIGNATURE_MEMBERS = 20
"""What is longer stands in the tree below the signature."""
KEY = 160
"""The bytes of a member's name."""


def scalar(value: Json, at: str, here: Spots, masked: Collection[str], most: int, *, lines: bool) -> Pieces:
    if at in masked:
        return (Piece(MASK * 2),)
    if isinstance(value, str):
        return (Piece('"'), *excerpt(value, here.spans(value), most, quoted=True, lines=lines), Piece('"'))
    return (Piece(json.dumps(value), "text", here.whole or bool(here.value)),)


def key_of(name: str, here: Spots) -> Pieces:
    """A member's name; in quotes where it would read as more than a name."""
    spans = [(0, len(name))] if here.whole_key else here.key
    return _quoted(name, excerpt(name, spans, KEY, kind="name", quoted=True, lines=False))


def _quoted(name: str, parts: Pieces) -> Pieces:
    return parts if plain_name(name) else (Piece('"'), *parts, Piece('"'))


@dataclass(frozen=True, slots=True)
class Line:
    """What goes on one line: `most` members of each object and list, `text` bytes of each text."""

    found: Mapping[str, Spots]
    masked: Collection[str]
    room: Room
    most: int
    text: int


@dataclass(frozen=True, slots=True)
class Member:
    """One member on its way into a line. `below` leads to the matches in it; None where there are none."""

    name: str | None
    equals: str
    value: Json
    at: str
    below: "Paths | None"

    def key(self, line: Line) -> Pieces:
        if self.name is None:
            return ()
        return (*key_of(self.name, line.found.get(self.at, NOTHING)), Piece(self.equals, "name"))


def listed(each: Iterable[Member], count: int, line: Line) -> Iterator[Piece]:
    """Members, one after the other. Where there is no more room, only what leads to a match is left of them."""
    shown = 0
    for member in each:
        if line.room.left <= 0 and (member.below is None or line.room.matches <= 0):
            continue
        yield from line.room.put((Piece(", "),) if shown else ())
        yield from line.room.put(member.key(line))
        yield from inline(member, line)
        shown += 1
    if count > shown:
        yield Piece(f"{', ' if shown else ''}… {count - shown:,} more", "escape")


def inline(member: Member, line: Line) -> Iterator[Piece]:
    """A value on one line."""
    value, at = member.value, member.at
    if isinstance(value, (Mapping, list, tuple)) and at not in line.masked:
        opened, closed = "{}" if isinstance(value, Mapping) else "[]"
        below = member.below or {}
        named = isinstance(value, Mapping)
        children = (
            Member(name if named else None, ": ", child, at + pointer(name), below.get(name))
            for name, child in islice(members(value), line.most)
        )
        yield from line.room.put((Piece(opened),))
        yield from listed(children, len(value), line)
        yield from line.room.put((Piece(closed),))
        return
    here = line.found.get(at, NOTHING)
    if here is not NOTHING:
        line.room.matches -= 1
    yield from line.room.put(_leaf(value, at, here, line))


def _leaf(value: Json, at: str, here: Spots, line: Line) -> Pieces:
    if isinstance(value, str) and at not in line.masked and len(value) <= SIGNATURE_TEXT:
        whole = fit(value, here.spans(value), 3 * SIGNATURE_TEXT, quoted=True, lines=False)
        if whole is not None:
            return (Piece('"'), *whole, Piece('"'))
    most = max(min(line.text, line.room.left), SIGNATURE_TEXT)
    return scalar(value, at, here, line.masked, most, lines=False)


def signature(action: Action, found: Mapping[str, Spots], masked: Collection[str]) -> Pieces:
    """The call as one line of code. Only texts and collections of unusual length are shortened."""
    name = action.function_name
    spans = found.get("/function_name", NOTHING).spans(name)
    out = [*_quoted(name, excerpt(name, spans, SIGNATURE // 2, quoted=True, lines=False)), Piece("(")]
    below = paths(found)
    positional = below.get("args", {})
    by_name = below.get("kwargs", {})
    arguments = [
        *(
            Member(None, "", value, pointer("args", i), positional.get(str(i)))
            for i, value in enumerate(action.args[:SIGNATURE_MEMBERS])
        ),
        *(
            Member(key, "=", value, pointer("kwargs", key), by_name.get(key))
            for key, value in islice(action.kwargs.items(), SIGNATURE_MEMBERS)
        ),
    ]
    line = Line(found, masked, Room(SIGNATURE - cost(out)), SIGNATURE_MEMBERS, SIGNATURE_TEXT + 40)
    out += listed(arguments[:SIGNATURE_MEMBERS], len(action.args) + len(action.kwargs), line)
    return joined([*out, Piece(")")])
