"""How a call came out, in a sentence and what follows from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from riskgate.core.events import Event
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.roles import ActorKind
from riskgate.services.shapes import CallView, EventView, Member, Review
from riskgate.web import words

DECIDING = (Event.REVOKED, Event.DENIED, Event.RETURNED, Event.CANCELLED, Event.APPROVED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`said` is what a person or the agent wrote about it; `by_other` that the reader had no part in it."""

    title: str
    next: str = ""
    said: str = ""
    by_other: bool = False


@dataclass(frozen=True, slots=True)
class _Told:
    call: CallView
    who: str
    approved_by: str
    now: datetime

    def within(self, by: datetime | None) -> str:
        """To the nearest minute, so that a quarter of an hour is not 14 minutes a second later."""
        return words.coarse((by - self.now).total_seconds() + 30) if by else "some time"


def _by(told: _Told) -> str:
    return f"Approved by {told.approved_by}. " if told.approved_by else ""


SENTENCES: Mapping[Status, Callable[[_Told], tuple[str, str]]] = {
    Status.APPROVED: lambda told: (
        "This was approved at once."
        if told.call.reason_code is ReasonCode.AUTO_APPROVED
        else f"{told.who} approved this.",
        f"The agent has {told.within(told.call.use_by)} to claim it.",
    ),
    Status.DENIED: lambda told: (
        ("A rule refused this.", "No person can approve what a rule refuses.")
        if told.call.reason_code is ReasonCode.REFUSED_BY_RULE
        else (f"{told.who} denied this.", "The agent was told to stop.")
    ),
    Status.RETURNED: lambda told: (
        f"{told.who} sent this back.",
        "The agent was asked to change it and submit it again.",
    ),
    Status.CANCELLED: lambda told: (f"{told.who} withdrew this.", "Nothing is left to decide."),
    Status.EXPIRED: lambda told: (
        ("The approval expired.", f"{_by(told)}The agent did not claim it in time.")
        if told.call.reason_code is ReasonCode.EXPIRED_UNCLAIMED or told.call.use_by
        else ("Nobody decided this in time.", "It expired and cannot run. The agent may submit it again.")
    ),
    Status.REVOKED: lambda told: (f"{told.who} took the approval back.", "The agent can no longer claim it."),
    Status.EXECUTING: lambda told: (
        "The agent claimed this and is running it.",
        f"{_by(told)}It has {told.within(told.call.outcome_by)} to say how it ended.",
    ),
    Status.SUCCEEDED: lambda told: ("It ran and succeeded.", _by(told)),
    Status.FAILED: lambda told: ("It ran and failed.", _by(told)),
    Status.UNKNOWN: lambda told: (
        "Nobody knows how this ended.",
        f"{_by(told)}The agent claimed it and never reported. Look at it by hand: it may have run.",
    ),
}


def _decision(review: Review) -> EventView | None:
    return next((event for kind in DECIDING for event in review.timeline if event.kind is kind), None)


def has_voted(review: Review, member: Member) -> bool:
    return any(event.kind is Event.VOTED and event.actor_id == member.user_id for event in review.timeline)


def verdict(review: Review, member: Member, now: datetime) -> Verdict | None:
    """None while it is pending."""
    call = review.call
    if call.status is Status.PENDING:
        return None
    decision = _decision(review)
    by_person = decision is not None and decision.actor_kind is ActorKind.USER
    mine = by_person and decision.actor_id == member.user_id
    name = decision.actor_name if decision is not None else ""
    several = review.decided_by if decision is not None and decision.kind is Event.APPROVED else ""
    told = _Told(
        call=call,
        who="You" if mine and " and " not in several else several or name or "Somebody",
        approved_by="you" if mine and several == name else several,
        now=now,
    )
    title, then = SENTENCES[call.status](told)
    by_other = by_person and not mine and not has_voted(review, member)
    return Verdict(title, then.strip(), call.message, by_other)
