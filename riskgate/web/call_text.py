"""What an agent wrote, cut into pieces that a template shows as text: matches marked, hidden characters spelled out.

Nothing here makes HTML. A piece is text with a kind, and the template decides how a kind looks.
"""

import json
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, pairwise
from typing import Literal

from riskgate.core.action import Action, Json, pointer
from riskgate.core.assessment import Evidence
from riskgate.core.rendering import MASK
from riskgate.core.scoring.lookalikes import LOOKALIKES

Kind = Literal["text", "name", "escape", "chip", "look"]
Span = tuple[int, int]

FOLD = 600
"""A longer text is folded after its first lines, unless the rest holds a match."""
HEAD = 360

SIGNATURE_TEXT = 240
SIGNATURE_MEMBERS = 20
"""What is longer stands whole in the tree below the signature."""
AROUND = 12
"""How much of a shortened text is shown on both sides of a match."""


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


# ------------------------------------------------------------------ where the rules matched


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


def _merged(spans: Iterable[Span], length: int) -> list[Span]:
    out: list[Span] = []
    for start, end in sorted((max(0, s), min(e, length)) for s, e in spans):
        if start >= end:
            continue
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


# ------------------------------------------------------------------ characters

ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
QUOTING = {'"': '\\"', "\\": "\\\\"}
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Drawn as nothing, though they are letters or symbols by their category."""
STACKED = 2
"""More combining marks than this on one letter hide what is around it."""


def code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


def described(code: str) -> str:
    """What a code point is, in words: `Cyrillic small letter a, looks like Latin a`."""
    character = chr(int(code[2:], 16))
    name = unicodedata.name(character, "").lower() or "a character without a name"
    name = name.replace("cyrillic", "Cyrillic").replace("greek", "Greek").replace("armenian", "Armenian")
    name = name.replace("latin", "Latin")
    if character in LOOKALIKES:
        return f"{name}, looks like Latin {LOOKALIKES[character]}"
    if unicodedata.bidirectional(character) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}:
        return f"{name}, invisible; turned off here"
    return f"{name}, invisible"


@lru_cache(maxsize=4096)
def _hidden(character: str) -> bool:
    """Whether it shows nothing of its own: format characters, controls, unusual spaces, private and unassigned ones."""
    category = unicodedata.category(character)
    if category in {"Cf", "Cc", "Zl", "Zp", "Cs", "Co", "Cn", "Me"}:
        return True
    if category == "Zs":
        return character != " "
    variation = 0xFE00 <= ord(character) <= 0xFE0F or 0xE0100 <= ord(character) <= 0xE01EF
    return variation or character in BLANKS


def _lookalikes(text: str) -> set[int]:
    """Where letters only look Latin: in a word with Latin letters, or a whole word of them beside Latin text."""
    latin_text = any(character.isascii() and character.isalpha() for character in text)
    out: set[int] = set()
    start = 0
    for end in range(len(text) + 1):
        if end < len(text) and (text[end].isalpha() or _hidden(text[end])):
            continue
        word = [i for i in range(start, end) if text[i].isalpha()]
        alike = [i for i in word if text[i] in LOOKALIKES]
        mixed = any(text[i].isascii() for i in word)
        if alike and (mixed or (latin_text and len(alike) == len(word) > 1)):
            out.update(alike)
        start = end + 1
    return out


def _special(text: str, quoted: bool, lines: bool) -> dict[int, tuple[str, Kind]]:
    """By position, each character that is not shown as itself."""
    out: dict[int, tuple[str, Kind]] = {}
    escapes = {**ESCAPES, **QUOTING} if quoted else ESCAPES
    alike = set() if text.isascii() else _lookalikes(text)
    stacked = 0
    for i, character in enumerate(text):
        if character in escapes:
            if quoted:
                broken = "\n" if character == "\n" and lines else ""
                out[i] = (escapes[character] + broken, "escape")
            elif character == "\r":
                out[i] = (code_point(character), "chip")
        elif " " <= character <= "~":
            stacked = 0
        elif i in alike:
            out[i] = (character, "look")
        elif _hidden(character):
            out[i] = (code_point(character), "chip")
        elif unicodedata.combining(character):
            stacked += 1
            if stacked > STACKED:
                out[i] = (code_point(character), "chip")
        else:
            stacked = 0
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
    hits = _merged(spans, len(text))
    special = _special(text, quoted, lines)
    edges = sorted({0, len(text), *(edge for span in hits for edge in span), *special, *(i + 1 for i in special)})
    starts = [span[0] for span in hits]
    out: list[Piece] = []
    for start, end in pairwise(edges):
        at = bisect_right(starts, start) - 1
        hit = at >= 0 and start < hits[at][1]
        if start in special:
            shown, how = special[start]
            code = code_point(text[start]) if how in {"chip", "look"} else ""
            out.append(Piece(shown, how, hit, code))
        else:
            out.append(Piece(text[start:end], kind, hit))
    return tuple(out)


# ------------------------------------------------------------------ values


def _scalar(value: Json, at: str, here: Spots, masked: Collection[str], *, lines: bool) -> Pieces:
    if isinstance(value, str):
        if at in masked:
            return (Piece(MASK * 2, "text"),)
        spans = [(0, len(value))] if here.whole else here.value
        return (Piece('"'), *pieces(value, spans, quoted=True, lines=lines), Piece('"'))
    return (Piece(json.dumps(value), "text", here.whole or bool(here.value)),)


def _key(name: str, here: Spots) -> Pieces:
    return pieces(name, [(0, len(name))] if here.whole_key else here.key, kind="name", quoted=True, lines=False)


def _short(text: str, here: Spots) -> Iterator[Piece]:
    """A long text in a signature: its beginning, its end and every match in it; the rest stands only in the tree."""
    spans = _merged([(0, len(text))] if here.whole else here.value, len(text))
    windows = [(0, SIGNATURE_TEXT * 2 // 3), (len(text) - SIGNATURE_TEXT // 6, len(text))]
    if not here.whole:
        windows += [(start - AROUND, end + AROUND) for start, end in spans]
    last = 0
    yield Piece('"')
    for start, end in _merged(windows, len(text)):
        if start > last:
            yield Piece(f" … {_counted(start - last, 'character')} … ", "escape")
        within = [(s - start, e - start) for s, e in spans]
        yield from pieces(text[start:end], within, quoted=True, lines=False)
        last = end
    yield Piece('"')


def _inline(value: Json, at: str, found: Mapping[str, Spots], masked: Collection[str]) -> Iterator[Piece]:
    here = found.get(at, NOTHING)
    if isinstance(value, Mapping):
        yield Piece("{")
        for i, (name, child) in enumerate(islice(value.items(), SIGNATURE_MEMBERS)):
            below = at + pointer(name)
            yield from ([Piece(", ")] if i else [])
            yield from _key(name, found.get(below, NOTHING))
            yield Piece(": ")
            yield from _inline(child, below, found, masked)
        yield from _more(len(value))
        yield Piece("}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield Piece("[")
        for i, child in enumerate(value[:SIGNATURE_MEMBERS]):
            yield from ([Piece(", ")] if i else [])
            yield from _inline(child, at + pointer(i), found, masked)
        yield from _more(len(value))
        yield Piece("]")
    elif isinstance(value, str) and len(value) > SIGNATURE_TEXT and at not in masked:
        yield from _short(value, here)
    else:
        yield from _scalar(value, at, here, masked, lines=False)


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
            out += [*_key(key, found.get(at, NOTHING)), Piece("=", "name")]
        out += _inline(value, at, found, masked)
    out += [*_more(len(members)), Piece(")")]
    return _joined(out)


def _joined(parts: Iterable[Piece]) -> Pieces:
    out: list[Piece] = []
    for part in parts:
        last = out[-1] if out else None
        if last and (last.kind, last.hit) == (part.kind, part.hit) and part.kind in ("text", "name"):
            out[-1] = replace(last, text=last.text + part.text)
        else:
            out.append(part)
    return tuple(out)


# ------------------------------------------------------------------ the tree


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


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def tree(action: Action, found: Mapping[str, Spots], masked: Collection[str]) -> tuple[Row, ...]:
    """All arguments, each member a row, positional ones by their number."""
    out: list[Row] = []
    for i, value in enumerate(action.args):
        out += _rows(value, pointer("args", i), (Piece(str(i), "name"),), 0, found, masked)
    for name, value in action.kwargs.items():
        at = pointer("kwargs", name)
        out += _rows(value, at, _key(name, found.get(at, NOTHING)), 0, found, masked)
    return tuple(out)


def _rows(
    value: Json, at: str, key: Pieces, depth: int, found: Mapping[str, Spots], masked: Collection[str]
) -> Iterator[Row]:
    here = found.get(at, NOTHING)
    if depth > DEPTHS:
        key = (Piece("› " * (depth - DEPTHS), "escape"), *key)
    indent = min(depth, DEPTHS)
    if isinstance(value, Mapping):
        yield Row(indent, key, (), f"object, {_counted(len(value), 'key')}")
        for name, child in value.items():
            below = at + pointer(name)
            yield from _rows(child, below, _key(name, found.get(below, NOTHING)), depth + 1, found, masked)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield Row(indent, key, (), f"list, {_counted(len(value), 'item')}")
        for i, child in enumerate(value):
            yield from _rows(child, at + pointer(i), (Piece(str(i), "name"),), depth + 1, found, masked)
    elif isinstance(value, str) and at in masked:
        yield Row(indent, key, (Piece(MASK * 2),), f"masked, {_counted(len(value), 'character')}")
    elif isinstance(value, str) and len(value) > FOLD:
        yield _folded(value, key, indent, here)
    else:
        yield Row(indent, key, _scalar(value, at, here, masked, lines=True))


def folded(text: str, here: Spots, *, quoted: bool = True) -> tuple[Pieces, Pieces, bool]:
    """The head of a text, the rest of it ((), where it is short), and whether the rest holds a match."""
    spans = [(0, len(text))] if here.whole else here.value
    if len(text) <= FOLD:
        return pieces(text, spans, quoted=quoted), (), False
    head = pieces(text[:HEAD], spans, quoted=quoted)
    rest = pieces(text[HEAD:], [(s - HEAD, e - HEAD) for s, e in spans], quoted=quoted)
    return head, rest, any(piece.hit or piece.code for piece in rest)


def _folded(text: str, key: Pieces, depth: int, here: Spots) -> Row:
    head, rest, matched = folded(text, here)
    return Row(depth, key, (Piece('"'), *head), "", (*rest, Piece('"')), len(text) - HEAD, matched)


# ------------------------------------------------------------------ the agent's own words


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
        out += [*_key(name, found.get(below, NOTHING)), Piece(": ")]
        out += _inline(value, below, found, frozenset())
    return Words(label, _joined(out))


@dataclass(frozen=True, slots=True)
class Explained:
    code: str
    meaning: str


def legend(groups: Iterable[Pieces]) -> tuple[Explained, ...]:
    """Each marked code point once, in the order of the page."""
    codes = dict.fromkeys(piece.code for group in groups for piece in group if piece.code)
    return tuple(Explained(code, described(code)) for code in codes)


# ------------------------------------------------------------------ the raw call


def raw(action: Action, masked: Collection[str]) -> str:
    """The whole call as JSON, with every character outside ASCII written as its escape, and secrets masked."""

    def covered(value: Json, at: str) -> Json:
        if isinstance(value, str):
            return f"[masked, {_counted(len(value), 'character')}]" if at in masked else value
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
