"""Single characters that are not shown as themselves: controls, invisible ones, look-alikes."""

import unicodedata
from functools import lru_cache
from typing import Literal

from riskgate.core.scoring.lookalikes import LOOKALIKES

Kind = Literal["text", "name", "escape", "chip", "look"]

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


def special(text: str, quoted: bool, lines: bool) -> dict[int, tuple[str, Kind]]:
    """By position, each character that is not shown as itself."""
    out: dict[int, tuple[str, Kind]] = {}
    escapes = {**ESCAPES, **QUOTING} if quoted else ESCAPES
    alike = set() if text.isascii() else lookalikes(text)
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
        elif hidden(character):
            out[i] = (code_point(character), "chip")
        elif unicodedata.combining(character):
            stacked += 1
            if stacked > STACKED:
                out[i] = (code_point(character), "chip")
        else:
            stacked = 0
    return out
