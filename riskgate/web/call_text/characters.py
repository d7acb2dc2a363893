"""Single characters that are not shown as themselves: controls, invisible ones, look-alikes."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from riskgate.core.scoring.lookalikes import LOOKALIKES

Kind = Literal["text", "name", "escape", "chip", "look"]

ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
QUOTING = {'"': '\\"', "\\": "\\\\"}
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Drawn as nothing, though they are letters or symbols by their category."""
STACKED = 2
"""More combining marks than this on one letter hide what is around it."""


def code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


@lru_cache(maxsize=4096)
def described(code: str) -> str:
    """What a code point is, in words: `Cyrillic small letter a, looks like Latin a`."""
    character = chr(int(code[2:], 16))
    name = unicodedata.name(character, "").lower() or "a character without a name"
    name = name.replace("cyrillic", "Cyrillic").replace("greek", "Greek").replace("armenian", "Armenian")
    name = name.replace("latin", "Latin")
    if character in LOOKALIKES:
        return f"{name}, looks like Latin {LOOKALIKES[character]}"
    if unicodedata.bidirectional(character) in {
        "LRE",
        "RLE",
        "LRO",
        "RLO",
        "PDF",
        "LRI",
        "RLI",
        "FSI",
        "PDI",
    }:
        return f"{name}, invisible; turned off here"
    return f"{name}, invisible"


@lru_cache(maxsize=4096)
def hidden(character: str) -> bool:
    """Whether it shows nothing of its own: format characters, controls, unusual spaces, private and unassigned ones."""
    category = unicodedata.category(character)
    if category in {"Cf", "Cc", "Zl", "Zp", "Cs", "Co", "Cn", "Me"}:
        return True
    if category == "Zs":
        return character != " "
    variation = 0xFE00 <= ord(character) <= 0xFE0F or 0xE0100 <= ord(character) <= 0xE01EF
    return variation or character in BLANKS


def lookalikes(text: str) -> set[int]:
    """Where letters only look Latin: in a word with Latin letters, or a whole word of them beside Latin text."""
    latin_text = any(character.isascii() and character.isalpha() for character in text)
    out: set[int] = set()
    start = 0
    for end in range(len(text) + 1):
        if end < len(text) and (text[end].isalpha() or hidden(text[end])):
            continue
        word = [i for i in range(start, end) if text[i].isalpha()]
        alike = [i for i in word if text[i] in LOOKALIKES]
        mixed = any(text[i].isascii() for i in word)
        if alike and (mixed or (latin_text and len(alike) == len(word) > 1)):
            out.update(alike)
        start = end + 1
    return out


@dataclass(frozen=True, slots=True)
class Mark:
    """Where characters stand that are not shown as themselves. They are all the same one."""

    start: int
    end: int
    kind: Kind


def marks(text: str, quoted: bool, most: int) -> list[Mark] | None:
    """Every run of a character that is not shown as itself, in their order; None where there are more than `most`."""
    suspects = {character for character in set(text) if _suspect(character, quoted)}
    if not suspects:
        return []
    runs = list(islice(re.finditer(f"([{re.escape(''.join(sorted(suspects)))}])\\1*", text), most + 1))
    if len(runs) > most:
        return None
    alike = lookalikes(text) if not suspects.isdisjoint(LOOKALIKES) else set()
    out: list[Mark] = []
    stacked, last = 0, -1
    for run in runs:
        character, (start, end) = run[1], run.span()
        if unicodedata.combining(character) and not hidden(character):
            stacked = stacked if start == last else 0
            shown = min(max(STACKED - stacked, 0), end - start)
            stacked += end - start
            last = end
            if start + shown < end:
                out.append(Mark(start + shown, end, "chip"))
        elif character in ESCAPES or character in QUOTING:
            out.append(Mark(start, end, "escape" if quoted else "chip"))
        elif hidden(character):
            last = end if start == last else last
            out.append(Mark(start, end, "chip"))
        else:
            out += [Mark(i, i + 1, "look") for i in range(start, end) if i in alike]
    return out


@lru_cache(maxsize=8192)
def _suspect(character: str, quoted: bool) -> bool:
    if character in ESCAPES or character in QUOTING:
        return quoted or character == "\r"
    return character in LOOKALIKES or hidden(character) or unicodedata.combining(character) > 0


def invisible(text: str) -> int:
    """How many of the characters show nothing of their own; line breaks and tabs are none of them."""
    return sum(
        text.count(character) for character in set(text) if hidden(character) and character not in ESCAPES
    )
