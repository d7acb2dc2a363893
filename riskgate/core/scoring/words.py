"""Text as the rules read it: one byte for each folded character, and the way back to the original code
points.

A folded text is Latin-1 and holds ASCII plus five stand-ins, so that patterns need no Unicode classes and a
match's offset is a character's:

    à À   a letter of another alphabet, small (or without case) and capital
    ²     a digit of another script
    \\xa0  any other character that is not ASCII
    ÿ     the border between two texts that are scanned together; no pattern crosses it
"""

import unicodedata
from itertools import accumulate

from riskgate.core.scoring.lookalikes import LOOKALIKES, STROKED

BORDER = "ÿ"
LOWER, UPPER, DIGIT, OTHER = "à", "À", "²", "\xa0"

EXCERPT = 80
"""The most code points that a piece of evidence quotes."""

_KEPT = 1 << 15
"""How many foldings are remembered; others are computed again, so that no text can fill the memory."""

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Drawn as nothing, though Unicode does not call them format characters."""


def _fold(char: str) -> str:
    """One character folded: "" where it takes no room, else as many bytes as it becomes letters."""
    category = unicodedata.category(char)
    if category in ("Cf", "Mn", "Me") or char in _INVISIBLE:
        return ""
    out = []
    for part in unicodedata.normalize("NFKD", char):
        part = LOOKALIKES.get(part) or STROKED.get(part, part)
        kind = unicodedata.category(part)
        if part.isascii():
            out.append(part)
        elif kind in ("Lu", "Lt"):
            out.append(UPPER)
        elif kind in ("Mn", "Me", "Cf"):
            continue
        elif kind[0] == "L" or kind == "Mc":
            out.append(LOWER)
        elif kind == "Nd":
            out.append(str(unicodedata.decimal(part)))
        elif kind[0] == "N":
            out.append(DIGIT)
        elif kind[0] == "Z":
            out.append("\n" if kind in ("Zl", "Zp") else " ")
        else:
            out.append(OTHER)
    return "".join(out)


class _Foldings(dict[int, str]):
    def __missing__(self, code: int) -> str:
        folded = chr(code) if code < 0x80 else _fold(chr(code))
        if len(self) < _KEPT:
            self[code] = folded
        return folded


_FOLDINGS = _Foldings()


def fold(text: str) -> str:
    """The folded form of a text. ASCII folds to itself."""
    return text.translate(_FOLDINGS)


def fold_starts(text: str) -> list[int]:
    """For each character of a text, and its end, where its folded form starts."""
    return list(accumulate((len(_FOLDINGS[ord(char)]) for char in text), initial=0))


def excerpt(text: str, start: int, end: int) -> str:
    return text[start : min(end, start + EXCERPT)]


# Bytes of Latin-1, for use inside [ ].
LETTER = rb"A-Za-z\xc0\xe0"
ALNUM = LETTER + rb"0-9\xb2"
SPACE = rb"\s\x0b"


def word_pattern(*words: str) -> bytes:
    """A pattern of these words (small ASCII letters), whose one matching group is the word.

    A text is split into words at whatever is no letter, between lower and upper case, before the last
    capital of an acronym, and between letters and digits. A run of letters that is the word in whatever
    case is the word too.
    """
    small = b"|".join(word.encode("ascii") for word in words)
    title = b"|".join(word.capitalize().encode("ascii") for word in words)
    large = b"|".join(word.upper().encode("ascii") for word in words)
    return b"|".join(
        (
            rb"(?:^|[^%s])(%s)(?:$|[^a-z\xe0])" % (LETTER, small),
            rb"(%s)(?:$|[^a-z\xe0])" % title,
            rb"(?:^|[^A-Z\xc0])(%s)(?:$|[^%s]|[A-Z\xc0][a-z\xe0])" % (large, LETTER),
            rb"(?:^|[^%s])((?i:%s))(?:$|[^%s])" % (LETTER, small, LETTER),
        )
    )


def stem_pattern(*stems: str) -> bytes:
    """A pattern of these stems where a word starts: at the start or after what is no letter and no digit."""
    return rb"(?:^|[^%s])((?i:%s))" % (ALNUM, b"|".join(stem.encode("ascii") for stem in stems))


def disguises(text: str, limit: int) -> list[tuple[int, int]]:
    """Spans of characters that make a text pass for another, at most `limit`; ordinary foreign text has none.

    An invisible character inside a Latin word, a look-alike beside a Latin letter, a Latin letter of
    another width or of a mathematical alphabet.
    """
    if text.isascii():
        return []
    odd = {char for char in set(text) if char >= "\x80" and _odd(char)}
    if not odd:
        return []
    found: list[tuple[int, int]] = []
    for index, char in enumerate(text):
        if char not in odd:
            continue
        before, after = _is_latin(text[index - 1 : index]), _is_latin(text[index + 1 : index + 2])
        folded = _FOLDINGS[ord(char)]
        if before and after if not folded else before or after or char not in LOOKALIKES:
            found.append((index, index + 1))
            if len(found) == limit:
                break
    return found


def _odd(char: str) -> bool:
    folded = _FOLDINGS[ord(char)]
    if not folded:
        return unicodedata.category(char) == "Cf" or char in _INVISIBLE
    return char in LOOKALIKES or (_is_latin(folded) and unicodedata.normalize("NFKC", char) == folded)


def _is_latin(text: str) -> bool:
    return text.isascii() and text.isalpha()


def split_words(data: str) -> list[tuple[int, int]]:
    """The spans of the words of a folded text, split as `word_pattern` does; runs of digits are words too."""
    spans: list[tuple[int, int]] = []
    start = 0
    for index in range(1, len(data) + 1):
        if index == len(data) or _splits(data, index):
            if _kind(data[start]):
                spans.append((start, index))
            start = index
    return spans


def _kind(char: str) -> int:
    """0 for what is in no word, 1 for a digit, 2 for a small letter, 3 for a capital."""
    if not char.isalnum() or char == BORDER:
        return 0
    if not char.isalpha():
        return 1
    return 3 if char.isupper() else 2


def _splits(data: str, index: int) -> bool:
    before, after = _kind(data[index - 1]), _kind(data[index])
    if before < 2 or after < 2:
        return before != after or not before
    if after == 3 and before == 2:
        return True
    return after == 3 and index + 1 < len(data) and _kind(data[index + 1]) == 2
