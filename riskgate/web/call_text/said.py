"""What the agent says about its call, what the marks in it mean, and the call as it came."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from riskgate.core.action import Action, Json, pointer
from riskgate.web.call_text.characters import described
from riskgate.web.call_text.pieces import HEAD, NOTHING, Piece, Pieces, Spots, counted, folded, joined
from riskgate.web.call_text.signature import inline, key_of


@dataclass(frozen=True, slots=True)
class Words:
    """Something that the agent says about its call."""

    label: str
    text: Pieces
    rest: Pieces = ()
    rest_length: int = 0
    shown: bool = False


def words(label: str, text: str, here: Spots = NOTHING) -> Words:
    head, rest, matched = folded(text, here, quoted=False)
    return Words(label, head, rest, max(len(text) - HEAD, 0), matched)


def members(label: str, values: Mapping[str, Json], at: str, found: Mapping[str, Spots]) -> Words:
    """Hints or metadata, one member a line."""
    out: list[Piece] = []
    for i, (name, value) in enumerate(values.items()):
        below = at + pointer(name)
        out += [Piece("\n")] if i else []
        out += [*key_of(name, found.get(below, NOTHING)), Piece(": ")]
        out += inline(value, below, found, frozenset())
    return Words(label, joined(out))


@dataclass(frozen=True, slots=True)
class Explained:
    code: str
    meaning: str


def legend(groups: Iterable[Pieces]) -> tuple[Explained, ...]:
    """Each marked code point once, in the order of the page."""
    codes = dict.fromkeys(piece.code for group in groups for piece in group if piece.code)
    return tuple(Explained(code, described(code)) for code in codes)


def raw(action: Action, masked: Collection[str]) -> str:
    """The whole call as JSON, with every character outside ASCII written as its escape, and secrets masked."""

    def covered(value: Json, at: str) -> Json:
        if isinstance(value, str):
            return f"[masked, {counted(len(value), 'character')}]" if at in masked else value
        if isinstance(value, Mapping):
            return {name: covered(child, at + pointer(name)) for name, child in value.items()}
        if isinstance(value, Sequence):
            return [covered(child, at + pointer(i)) for i, child in enumerate(value)]
        return value

    document = {
        "function_name": action.function_name,
        "args": covered(action.args, "/args"),
        "kwargs": covered(action.kwargs, "/kwargs"),
        "docstring": action.docstring,
        "hints": dict(action.hints),
    }
    return json.dumps(document, indent=2)
