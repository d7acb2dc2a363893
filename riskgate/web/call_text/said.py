"""What the agent says about its call, what the marks in it mean, and the call as it came."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import msgspec

from riskgate.core.action import Action, Json, pointer
from riskgate.web.call_text.characters import described
from riskgate.web.call_text.matches import NOTHING, Spots
from riskgate.web.call_text.pieces import FOLD, HEAD, Piece, Pieces, Room, folded, joined, masked_note
from riskgate.web.call_text.signature import Line, Member, inline
from riskgate.web.call_text.walk import Paths, paths

SAID = 8_000
"""The bytes that each thing said may take, when its matches are not counted."""
MEMBERS = 1_000
LEGEND = 24
"""So many kinds of marks are explained; what any other is, is told where it stands."""


@dataclass(frozen=True, slots=True)
class Words:
    """Something that the agent says about its call."""

    label: str
    text: Pieces
    rest: Pieces = ()
    rest_length: int = 0
    shown: bool = False


def words(label: str, text: str, here: Spots = NOTHING) -> Words:
    said = folded(text, here, SAID, quoted=False)
    return Words(label, said.head, said.rest, said.rest_length, said.shown)


def members(
    label: str,
    values: Mapping[str, Json],
    at: str,
    found: Mapping[str, Spots],
    masked: Collection[str] = frozenset(),
) -> Words:
    """Hints or metadata, one member a line."""
    below = paths(found).get(at.removeprefix("/"), {})
    line = Line(found, masked, Room(SAID), MEMBERS, SAID * 3 // 4)
    out: list[Piece] = []
    left_out = 0
    for name, value in values.items():
        member = Member(name, ": ", value, at + pointer(name), below.get(name))
        if line.room.left <= 0 and (member.below is None or line.room.matches <= 0):
            left_out += 1
            continue
        out += [Piece("\n")] if out else []
        out += line.room.put(member.key(line))
        out += inline(member, line)
    if left_out:
        out.append(Piece(f"\n… {left_out:,} more: see the raw call", "escape"))
    return _folded(label, joined(out))


def _folded(label: str, parts: Pieces) -> Words:
    """Folded after its first lines, where it is long."""
    length = sum(len(part.text) for part in parts)
    if length <= FOLD:
        return Words(label, parts)
    head: list[Piece] = []
    left = HEAD
    rest = list(parts)
    while rest and len(rest[0].text) <= left:
        left -= len(rest[0].text)
        head.append(rest.pop(0))
    if rest and rest[0].kind in ("text", "name"):
        cut = rest[0]
        head.append(replace(cut, text=cut.text[:left]))
        rest[0] = replace(cut, text=cut.text[left:])
    shown = any(part.hit or part.code for part in rest)
    return Words(label, tuple(head), tuple(rest), sum(len(part.text) for part in rest), shown)


@dataclass(frozen=True, slots=True)
class Explained:
    code: str
    meaning: str


def legend(groups: Iterable[Pieces]) -> tuple[Explained, ...]:
    """Each marked code point once, in the order of the page."""
    codes = list(dict.fromkeys(piece.code for group in groups for piece in group if piece.code))
    explained = [Explained(code, described(code)) for code in codes[:LEGEND]]
    if len(codes) > LEGEND:
        explained.append(Explained("…", f"{len(codes) - LEGEND:,} more kinds, each named where it stands"))
    return tuple(explained)


def raw(action: Action, masked: Collection[str], **more: Json) -> str:
    """The whole call as JSON, with every character outside ASCII written as its escape, and secrets masked."""
    document: dict[str, Json] = {
        "function_name": action.function_name,
        "args": action.args,
        "kwargs": action.kwargs,
        "docstring": action.docstring,
        "hints": dict(action.hints),
        **more,
    }
    covered = _covered(document, paths(masked)) if masked else document
    return msgspec.json.format(json.dumps(covered), indent=2)


def _covered(value: Json, below: Paths) -> Json:
    """The value with everything replaced that `below` leads to."""
    if not below:
        return f"[{masked_note(value)}]"
    if isinstance(value, Mapping):
        hidden = {name: _covered(value[name], each) for name, each in below.items() if name in value}
        return {**value, **hidden}
    if isinstance(value, (list, tuple)):
        items = list(value)
        for place, each in below.items():
            items[int(place)] = _covered(items[int(place)], each)
        return items
    return value
