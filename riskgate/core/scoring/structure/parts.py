"""A command and its words."""

from collections.abc import Sequence
from dataclasses import dataclass, field

OPAQUE = "\xa0"
"""Stands in a word for a blank or an operator that is only text there."""

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"})

_OPAQUE = {ord(char): OPAQUE for char in " \t\n\r\v\f|<>\x1a"}


class Word:
    """`raw` is the word without quotes, `text` the same with what only looks like syntax made OPAQUE.

    `places` is the offset of each of its characters in the source.
    """

    __slots__ = ("places", "raw", "text")

    def __init__(self, raw: str, places: Sequence[int], operator: bool = False) -> None:
        self.raw = raw
        self.text = raw if operator or raw.isalnum() else raw.translate(_OPAQUE)
        self.places = places


@dataclass(slots=True)
class Command:
    """`piped` says that its output goes to the command that follows it in the list; `here` is what it is fed."""

    words: list[Word] = field(default_factory=list)
    piped: bool = False
    here: Word | None = None
