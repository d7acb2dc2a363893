"""Every audit event as one sentence for people: a table of sentences with places for who, what and how long.

The result is parts of text, never HTML, so that a template shows whatever an agent wrote as text and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from string import Formatter
from typing import Any, Literal
from uuid import UUID

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode
from riskgate.core.roles import ActorKind
from riskgate.services.shapes import EventView
from riskgate.web import call_text, words

Kind = Literal["plain", "person", "code", "call"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a sentence. `person` is a name, `code` was or could have been written by an agent, `call` is code
    that names the call which the line is about."""

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

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)

    @property
    def score_text(self) -> str:
        return "" if self.score is None else words.score(self.score)

    @property
    def second_text(self) -> str:
        return "".join(segment.text for segment in self.second)


# ------------------------------------------------------------------ words


def duration(seconds: float) -> str:
    """A span of time in at most two units: `41 s`, `1 min 07 s`, `2 h 05 min`, `3 d 4 h`."""
    whole = max(0, round(seconds))
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    if days:
        return f"{days} d {hour} h" if hour else f"{days} d"
    if hours:
        return f"{hours} h {minute:02} min" if minute else f"{hours} h"
    if minutes:
        return f"{minutes} min {second:02} s" if second else f"{minutes} min"
    return f"{second} s"


CHALLENGES: Mapping[str, str] = {
    "confirm": "confirmation",
    "quiz": "quiz",
    "teach_back": "teach-back",
    "multi_party": "challenge",
}

ORDINALS: Mapping[int, str] = {1: "first", 2: "second", 3: "third"}


# ------------------------------------------------------------------ the places in a sentence


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


def _who(told: Told) -> Segment:
    event = told.event
    if event.actor_kind is ActorKind.SYSTEM:
        return Segment(event.actor_name, "person")
    if event.actor_id is not None and event.actor_id == told.reader_id:
        return Segment("You", "person")
    return Segment(event.actor_name, "person")


def _call(told: Told) -> Segment:
    if told.call_shown:
        return Segment("it")
    if told.event.call_id is None:
        return Segment("an action")
    return Segment(told.event.signature or told.event.function_name, "call")


def _after(told: Told) -> Segment:
    return Segment(f" after {duration(told.data['seconds'])}" if told.has("seconds") else "")


def _in_time(told: Told) -> Segment:
    return Segment(f"in {duration(told.data['seconds'])}" if told.has("seconds") else "in time")


def _agent(told: Told) -> Segment:
    return Segment(told.event.agent_name or "The agent", "person")


def _score(told: Told) -> Segment:
    return Segment("scored" if told.event.score is None else f"scored {words.score(told.event.score)}")


def _level(told: Told) -> Segment:
    return Segment(told.event.level.name if told.event.level else "this level")


def _score_level(told: Told) -> Segment:
    """The level by score alone, where a floor has raised it."""
    by_score = str(told.data.get("score_level", ""))
    return Segment("" if told.event.level is None or by_score == told.event.level.name else by_score)


def _policy(told: Told) -> Segment:
    version = told.event.policy_version
    return Segment("" if version is None else f" with policy {version}")


def _challenge(told: Told) -> Segment:
    return Segment(CHALLENGES.get(str(told.data.get("kind")), "challenge"))


def _seat(told: Told) -> Segment:
    return Segment(f" in seat {told.data['seat']}" if told.has("seat") else "")


def _version(told: Told) -> Segment:
    version = told.event.policy_version
    return Segment("a policy" if version is None else f"policy {version}")


def _attempt(told: Told) -> Segment:
    number = told.data.get("attempt")
    return Segment(ORDINALS.get(number, f"{number}th") if isinstance(number, int) else "")


def _again(told: Told) -> Segment:
    return Segment("") if told.data.get("attempt") == 1 else _attempt(told)


def _role(told: Told) -> Segment:
    return Segment(f" as {told.data['role']}" if told.has("role") else "")


def _environment(told: Told) -> Segment:
    return Segment(f" for {told.event.environment}" if told.event.environment else "")


def _said(key: str, kind: Kind, otherwise: str = "") -> Callable[[Told], Segment]:
    def place(told: Told) -> Segment:
        return Segment(str(told.data[key]), kind) if told.has(key) else Segment(otherwise)

    return place


PLACES: Mapping[str, Callable[[Told], Segment]] = {
    "who": _who,
    "call": _call,
    "after": _after,
    "in_time": _in_time,
    "agent": _agent,
    "scored": _score,
    "level": _level,
    "score_level": _score_level,
    "policy": _policy,
    "version": _version,
    "challenge": _challenge,
    "seat": _seat,
    "role": _role,
    "environment": _environment,
    "reason": _said("reason", "plain"),
    "asked": _said("reason", "code"),
    "rule": _said("rule", "code"),
    "floor": _said("floor", "code"),
    "summary": _said("summary", "plain"),
    "failed": _said("failed", "plain"),
    "error": _said("error", "code"),
    "right": _said("right", "plain"),
    "of": _said("of", "plain"),
    "attempt": _attempt,
    "again": _again,
    "person": _said("person", "person", "somebody"),
    "team": _said("team", "person", "the team"),
    "session": _said("session", "code", "a session"),
    "key": _said("key", "code"),
}


# ------------------------------------------------------------------ the sentences


def _always(told: Told) -> bool:
    return True


def _by_system(told: Told) -> bool:
    return told.event.actor_kind is ActorKind.SYSTEM


def _unclaimed(told: Told) -> bool:
    return told.data.get("reason_code") == ReasonCode.EXPIRED_UNCLAIMED


@dataclass(frozen=True, slots=True)
class Sentence:
    """What happened, and below it what there is to add.

    main     with places in braces
    seconds  the first of these whose places are all filled is the second line
    clause   how it goes on in the sentence that it is folded into
    aside    what it adds below the sentence that it is folded into
    when     whether this sentence is the right one; the last of an event's sentences always is
    """

    main: str
    seconds: tuple[str, ...] = ()
    clause: str = ""
    aside: tuple[str, ...] = ()
    when: Callable[[Told], bool] = _always


QUOTED = ("“{reason}”",)
GRADED = ("{right} of {of} right at the {attempt} attempt.", "{right} of {of} right.")

SENTENCES: Mapping[Event, tuple[Sentence, ...]] = {
    Event.SUBMITTED: (Sentence("{who} submitted {call}", ("“{asked}”",)),),
    Event.SCORED: (
        Sentence(
            "{call} {scored}{policy}",
            (
                "Scoring failed, so it counts as {level}: {failed}",
                "{score_level} by score; floor {floor} raises it to {level}.",
                "{summary}",
            ),
            clause="; {scored}{policy}",
        ),
    ),
    Event.OPENED: (Sentence("{who} opened {call}"),),
    Event.CHALLENGE_ISSUED: (Sentence("{who} started the {challenge} for {call}", ("{again} attempt.",)),),
    Event.CHALLENGE_PASSED: (
        Sentence(
            "{who} passed the {challenge} for {call}",
            GRADED,
            aside=("{challenge} passed at the {attempt} attempt.", "{challenge} passed."),
        ),
    ),
    # How many were right is never told: whoever may try again would learn which to keep.
    Event.CHALLENGE_FAILED: (
        Sentence("{who} failed the {challenge} for {call}", ("It was the {attempt} attempt.",)),
    ),
    Event.VOTED: (Sentence("{who} voted to approve {call}{seat}"),),
    Event.APPROVED: (
        Sentence(
            "{call} was approved at once",
            ("Nobody is needed at {level}.",),
            clause=", approved at once",
            when=_by_system,
        ),
        Sentence("{who} approved {call}{after}", QUOTED),
    ),
    Event.DENIED: (
        Sentence(
            "A rule refused {call}",
            ("Rule {rule}: {reason}", "{reason}"),
            clause=", refused by a rule",
            aside=("Rule {rule}: {reason}", "{reason}"),
            when=_by_system,
        ),
        Sentence("{who} denied {call}{after}", QUOTED),
    ),
    Event.RETURNED: (Sentence("{who} sent {call} back{after}", QUOTED),),
    Event.CANCELLED: (Sentence("{who} cancelled {call}{after}", QUOTED),),
    Event.EXPIRED: (
        Sentence("{agent} did not claim {call} in time; the approval expired", when=_unclaimed),
        Sentence("Nobody decided {call} {in_time}; it expired"),
    ),
    Event.REVOKED: (Sentence("{who} revoked {call} before it was claimed", QUOTED),),
    Event.CLAIMED: (Sentence("{who} claimed {call}"),),
    Event.SUCCEEDED: (Sentence("{who} ran {call}; it succeeded"),),
    Event.FAILED: (Sentence("{who} ran {call}; it failed", ("{error}",)),),
    Event.UNKNOWN: (
        Sentence("{agent} never said how {call} ended", ("Look at it by hand: it may have run.",)),
    ),
    Event.SESSION_OPENED: (Sentence("{who} opened the session {session}"),),
    Event.SESSION_CLOSED: (Sentence("{who} closed the session {session}"),),
    Event.TEAM_CREATED: (Sentence("{who} made the team {team}"),),
    Event.MEMBER_ADDED: (Sentence("{who} added {person} to the team{role}"),),
    Event.AGENT_REGISTERED: (Sentence("{who} registered the agent {agent}{environment}"),),
    Event.AGENT_PAUSED: (Sentence("{who} paused the agent {agent}", QUOTED),),
    Event.AGENT_RESUMED: (Sentence("{who} resumed the agent {agent}", QUOTED),),
    Event.KEY_MADE: (Sentence("{who} made an API key for {agent}", ("It begins with {key}.",)),),
    Event.KEY_REVOKED: (Sentence("{who} revoked an API key of {agent}", ("It began with {key}.",)),),
    Event.POLICY_PUBLISHED: (Sentence("{who} published {version}", QUOTED),),
    Event.SIGNED_IN: (Sentence("{who} signed in"),),
}


# ------------------------------------------------------------------ telling


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
    return Line(event.id, event.at, event.kind, segments, second, event.level, event.score, event.call_id)


ORDER: Mapping[Event, int] = {kind: place for place, kind in enumerate(Event)}
