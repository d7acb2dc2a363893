"""What shows that a text may hide another one, for most texts hide nothing.

A sign is there whenever its pass in `decoding.py` finds something; that it is there proves nothing. The patterns are
for texts as they were written, in Latin-1 with a question mark for any other character.
"""

from collections.abc import Iterator
from enum import IntEnum
from functools import cache

DIGIT = rb"[A-Za-z0-9+/_-]"
"""A digit of base64, of either alphabet."""

LEAST = 10
"""The fewest digits that are decoded."""

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def _spelled(bits: str) -> bytes:
    """The base64 digits of these bits, where `x` is either."""
    return b"".join(_digit(bits[at : at + 6].ljust(6, "x")) for at in range(0, len(bits), 6))


@cache
def _digit(bits: str) -> bytes:
    fitting = (
        digit
        for number, digit in enumerate(_DIGITS)
        if all(want in ("x", bit) for want, bit in zip(bits, f"{number:06b}", strict=True))
    )
    return b"[%s]" % "".join(fitting).replace("+", r"+\-").replace("/", "/_").encode()


_CHARACTERS = tuple(
    lead + "10xxxxxx" * more for more, lead in enumerate(("0xxxxxxx", "110xxxxx", "1110xxxx", "11110xxx"))
)
"""The bits of a character in UTF-8."""


def _starts(bits: str = "") -> Iterator[bytes]:
    """The first LEAST digits of all that UTF-8 may start with."""
    if len(bits) >= LEAST * 6 // 8 * 8:
        yield _spelled(bits[: LEAST * 6].ljust(LEAST * 6, "x"))
    else:
        for character in _CHARACTERS:
            yield from _starts(bits + character)


START = b"(?:%s)" % b"|".join(dict.fromkeys(_starts()))
"""What base64 of a text starts with: hardly any word of a language does."""

_WIDE = b"|".join(
    _spelled("x" * at + "0" * 8 + "x" * between + "0" * 8) for at in (0, 2, 4) for between in (8, 24)
)
"""UTF-16 of a Latin text: every second byte is zero, or more than half of these are."""


class Sign(IntEnum):
    """In the order of the patterns in SIGNS."""

    DOCUMENT = 0
    ENCODED = 1
    COMMENT = 2
    SPLIT = 3
    PACKED = 4
    PACKED_WIDE = 5


SIGNS = (
    rb"(?:^|\xff)[\x00-\x20\x85\xa0?]*[{\[]",
    rb"%[0-9A-Fa-f]{2}",
    rb"/\*",
    rb"'\s*(?:\|\||\+)\s*[Nn]?'|\"\s*(?:\|\||\+)\s*\"",
    rb"(?:^|[^A-Za-z0-9+/_-])" + START,
    _WIDE,
)
