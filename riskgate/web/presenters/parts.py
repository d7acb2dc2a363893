"""What a line of history is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.services.shapes import EventView
from riskgate.web import call_text, words

Kind = Literal["plain", "person", "code", "call", "session"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a sentence. `person` is a name, `code` was or could have been written by an agent; `call` and
    `session` are code that names what the line is about."""

    text: str
    kind: Kind = "plain"

    @property
    def pieces(self) -> tuple[call_text.Piece, ...]:
        """The text with what hides or turns letters spelled out, on one line."""
        return call_text.brief(self.text, 4_000)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of history. `second` is empty where there is nothing to add; `score` is in 10⁻⁶."""

    id: UUID
    at: datetime
    event: Event
    segments: tuple[Segment, ...]
    second: tuple[Segment, ...]
    level: Level | None
    score: int | None
    call_id: UUID | None
    session_id: UUID | None

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)

    @property
    def score_text(self) -> str:
        return "" if self.score is None else words.score(self.score)

    @property
    def second_text(self) -> str:
        return "".join(segment.text for segment in self.second)


@dataclass(frozen=True, slots=True)
class Told:
    """An event on its way into a sentence: who reads it, and whether the call stands right above it."""

    event: EventView
    reader_id: UUID | None
    call_shown: bool

    @property
    def data(self) -> Mapping[str, Any]:
        return self.event.data

    def has(self, *keys: str) -> bool:
        return all(self.data.get(key) not in (None, "") for key in keys)
