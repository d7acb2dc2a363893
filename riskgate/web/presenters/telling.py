"""Events into lines: sentences filled, and what one event brought about at once told in its line."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from string import Formatter
from uuid import UUID

from riskgate.core.events import Event
from riskgate.services.shapes import EventView
from riskgate.web.presenters.parts import Line, Segment, Told
from riskgate.web.presenters.places import PLACES
from riskgate.web.presenters.sentences import SENTENCES, Sentence


def _fill(pattern: str, told: Told) -> tuple[Segment, ...]:
    """The pattern with its places filled. What is filled in is never read as a pattern."""
    parts: list[Segment] = []
    for literal, place, _, _ in Formatter().parse(pattern):
        parts.append(Segment(literal))
        if place is not None:
            parts.append(PLACES[place](told))
    joined: list[Segment] = []
    for part in parts:
        if joined and joined[-1].kind == part.kind == "plain":
            joined[-1] = Segment(joined[-1].text + part.text)
        elif part.text:
            joined.append(part)
    return tuple(joined)


def _first_filled(patterns: tuple[str, ...], told: Told) -> tuple[Segment, ...]:
    for pattern in patterns:
        places = [place for _, place, _, _ in Formatter().parse(pattern) if place is not None]
        if all(PLACES[place](told).text for place in places):
            return _begun(_fill(pattern, told))
    return ()


def _sentence(told: Told) -> Sentence:
    return next(sentence for sentence in SENTENCES[told.event.kind] if sentence.when(told))


def _begun(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """With a capital where the sentence begins with plain words; names and code stay as they are."""
    first, *rest = segments
    if first.kind != "plain":
        return segments
    return (Segment(first.text[:1].upper() + first.text[1:]), *rest)


def present(event: EventView, *, reader_id: UUID | None, call_shown: bool = False) -> Line:
    """One event as one line. With `call_shown` the call stands above the line, and is only "it" in it."""
    return _line((event,), reader_id, call_shown)


def present_all(
    events: Iterable[EventView], *, reader_id: UUID | None, call_shown: bool = False
) -> tuple[Line, ...]:
    """The events in their order, each a line; what one of them brought about at once goes on in its line."""
    lines: list[Line] = []
    for (call_id, _), instant in groupby(events, key=lambda event: (event.call_id, event.at)):
        together = list(instant)
        while together:
            leader = _leader(together) if call_id is not None else None
            if leader is None:
                lines.append(_line((together.pop(0),), reader_id, call_shown))
                continue
            folded = [leader, *(event for event in together if event.kind in FOLDED[leader.kind])]
            together = [event for event in together if event not in folded]
            lines.append(_line(tuple(folded), reader_id, call_shown))
    return tuple(lines)


FOLDED: Mapping[Event, frozenset[Event]] = {
    Event.SUBMITTED: frozenset({Event.SCORED, Event.APPROVED, Event.DENIED}),
    Event.APPROVED: frozenset({Event.VOTED, Event.CHALLENGE_PASSED}),
    Event.VOTED: frozenset({Event.CHALLENGE_PASSED}),
    Event.CHALLENGE_ISSUED: frozenset({Event.OPENED}),
}
"""Which events of the same call and the same instant are told in the line of which, the strongest leader first."""


def _leader(together: Iterable[EventView]) -> EventView | None:
    here = {event.kind: event for event in together}
    return next(
        (here[kind] for kind, followers in FOLDED.items() if kind in here and followers & here.keys()), None
    )


def _line(events: tuple[EventView, ...], reader_id: UUID | None, call_shown: bool) -> Line:
    """The first event as a line, with the clauses and asides of those that are folded into it."""
    told = [Told(event, reader_id, call_shown) for event in events]
    main = _sentence(told[0])
    segments = _begun(_fill(main.main, told[0]))
    second = _first_filled(main.seconds, told[0])
    for each in sorted(told[1:], key=lambda each: ORDER[each.event.kind]):
        sentence = _sentence(each)
        segments += _fill(sentence.clause, each)
        second = _first_filled(sentence.aside, each) or second or _first_filled(sentence.seconds, each)
    event = events[0]
    return Line(
        id=event.id,
        at=event.at,
        event=event.kind,
        segments=segments,
        second=second,
        level=event.level,
        score=event.score,
        call_id=event.call_id,
        session_id=event.session_id,
    )


ORDER: Mapping[Event, int] = {kind: place for place, kind in enumerate(Event)}
