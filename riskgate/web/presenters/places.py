"""What can be filled into a sentence, and how each place finds it in the event."""

from collections.abc import Callable, Mapping

from riskgate.core.roles import ActorKind
from riskgate.web import words
from riskgate.web.presenters.parts import Kind, Segment, Told


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
    "session": _said("session", "session", "a session"),
    "key": _said("key", "code"),
    "replaces": _said("replaces", "code"),
    "place": _said("at", "code"),
}
