"""What has to hold of a call whoever was faster: its row, votes, grant, events and messages agree."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from riskgate.core.events import Event
from riskgate.core.lifecycle import ALLOWED, Status
from riskgate.services.transitions import EVENTS
from riskgate.storage.models import AuditEvent, Call, ChallengeAttempt, Grant, Outbox, Vote

MOVES = {event.value: status for status, event in EVENTS.items()}
MOVED_TO = {status.value for status in EVENTS}
GRANTED = {Status.EXECUTING, Status.SUCCEEDED, Status.FAILED, Status.UNKNOWN}


class Broken(AssertionError):
    """Something that has to hold does not."""


def must(holds: object, said: str) -> None:
    """Raises Broken with these words unless it holds."""
    if not holds:
        raise Broken(said)


@dataclass(frozen=True)
class Happened:
    kind: str
    at: datetime
    actor: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Book:
    """Everything that is stored about one call."""

    call: Call
    events: Sequence[Happened]
    votes: Sequence[Vote]
    attempts: Sequence[ChallengeAttempt]
    grants: Sequence[Grant]
    topics: Counter[str]

    @property
    def status(self) -> str:
        return self.call.status

    def when(self, kind: Event) -> datetime:
        return next(event.at for event in self.events if event.kind == kind)

    def happened(self, kind: Event) -> list[Happened]:
        return [event for event in self.events if event.kind == kind]

    def check(self, *, times: bool = True) -> None:
        """Raises Broken where the rows contradict each other or something is stuck.

        Without `times` where the clock was moved: events stay where they were while deadlines come nearer.
        """
        moves = self._check_chain()
        by_person = [e for e in self.happened(Event.APPROVED) if not e.data.get("auto")]
        self._check_votes(approved=bool(by_person))
        claimed = self.happened(Event.CLAIMED)
        must(len(self.grants) == len(claimed), f"{len(self.grants)} grants for {len(claimed)} claims")
        must(
            bool(self.grants) == (Status(self.status) in GRANTED),
            f"a call that is {self.status} has {len(self.grants)} grants",
        )
        if claimed:
            must(claimed[0].data["grant"] == str(self.grants[0].id), "the event names another grant")
        visible = (
            len(moves) + len(self.votes) - len(by_person)
        )  # the last vote and the approval are one change
        must(self.call.revision == 1 + visible, f"revision {self.call.revision} after {visible} changes")
        told = Counter(f"action.{status.value}" for status in moves)
        must(self.topics == told, f"told {dict(self.topics)} of {dict(told)}")
        if times:
            self._check_times()

    def _check_chain(self) -> list[Status]:
        """The events are one way through the table of moves, and end where the row stands."""
        must(len(self.happened(Event.SUBMITTED)) == 1, "it was submitted once")
        chain = [(event, MOVES[event.kind]) for event in self.events if event.kind in MOVES]
        auto = bool(chain) and chain[0][0].data.get("auto") is True
        status = Status.APPROVED if auto else Status.PENDING
        moves = [moved for _, moved in chain[auto:]]
        for target in moves:
            must((status, target) in ALLOWED, f"the events say that it went from {status} to {target}")
            status = target
        must(status == self.status, f"the events end at {status}, the row at {self.status}")
        return moves

    def _check_votes(self, *, approved: bool) -> None:
        needed = len(self.call.requirement["seats"])
        people, seats = {vote.user_id for vote in self.votes}, {vote.seat for vote in self.votes}
        must(len(people) == len(seats) == len(self.votes), "a person or a seat has voted twice")
        must(
            self.call.approvals == len(self.votes),
            f"{self.call.approvals} counted of {len(self.votes)} votes",
        )
        must(len(self.votes) <= needed, f"{len(self.votes)} votes where {needed} are asked for")
        if needed:
            must(
                approved == (len(self.votes) == needed),
                f"approved: {approved} with {len(self.votes)}/{needed}",
            )
        must(len(self.happened(Event.VOTED)) == len(self.votes), "one event for each vote")
        passed = {attempt.id for attempt in self.attempts if attempt.passed}
        must({vote.attempt_id for vote in self.votes} == passed, "each vote rests on a passed challenge")
        open_of = Counter(
            attempt.user_id
            for attempt in self.attempts
            if attempt.answered_at is None and attempt.left_at is None
        )
        must(all(number == 1 for number in open_of.values()), "two open challenges of one person")

    def _check_times(self) -> None:
        for kind in (Event.APPROVED, Event.DENIED, Event.RETURNED, Event.VOTED):
            for event in self.happened(kind):
                in_time = self.call.decide_by is None or event.at < self.call.decide_by
                must(in_time, f"{kind} after the time to decide was over")
        for event in self.happened(Event.CLAIMED):
            must(self.call.use_by and event.at < self.call.use_by, "claimed after its time")
        for kind in (Event.SUCCEEDED, Event.FAILED):
            for event in self.happened(kind):
                must(self.call.outcome_by and event.at < self.call.outcome_by, "reported after its time")
        for event in self.happened(Event.EXPIRED):
            due = self.call.use_by or self.call.decide_by
            must(due and event.at >= due, "expired before its time")
        for event in self.happened(Event.UNKNOWN):
            must(self.call.outcome_by and event.at >= self.call.outcome_by, "unknown before its time")

    def __str__(self) -> str:
        call = self.call
        lines = [
            f"call {call.id} {call.status} revision={call.revision} approvals={call.approvals} "
            f"decide_by={call.decide_by} use_by={call.use_by} outcome_by={call.outcome_by}"
        ]
        lines += [f"  {event.at} {event.kind} by {event.actor} {event.data}" for event in self.events]
        lines += [f"  vote of {vote.user_id} in seat {vote.seat} at {vote.voted_at}" for vote in self.votes]
        lines += [f"  grant {grant.id} at {grant.issued_at}" for grant in self.grants]
        lines += [
            f"  attempt of {each.user_id} in seat {each.seat}, served {each.served_at}, held until "
            f"{each.lease_until}, left {each.left_at}, answered {each.answered_at}, passed {each.passed}"
            for each in self.attempts
        ]
        return "\n".join([*lines, f"  told {dict(self.topics)}"])


def read_books(ids: Sequence[UUID], outbox_mark: int) -> dict[UUID, Book]:
    """The books of these calls, in six statements. Of the outbox only what is newer than the mark."""
    events: dict[UUID, list[Happened]] = defaultdict(list)
    # In the order in which they were written: a call's events are written under its lock.
    for row in AuditEvent.objects.filter(call_id__in=ids).order_by("id"):
        assert row.call_id is not None
        events[row.call_id].append(Happened(row.kind, row.at, row.actor_name, row.data))
    votes, attempts, grants = (_grouped(model, ids) for model in (Vote, ChallengeAttempt, Grant))
    topics: dict[UUID, Counter[str]] = defaultdict(Counter)
    for topic, payload in Outbox.objects.filter(id__gt=outbox_mark).values_list("topic", "payload"):
        if topic.removeprefix("action.") in MOVED_TO:
            topics[UUID(payload["call"])][topic] += 1
    return {
        call.id: Book(
            call, events[call.id], votes[call.id], attempts[call.id], grants[call.id], topics[call.id]
        )
        for call in Call.objects.filter(id__in=ids)
    }


def _grouped(model: Any, ids: Sequence[UUID]) -> dict[UUID, list[Any]]:
    grouped: dict[UUID, list[Any]] = defaultdict(list)
    for row in model.objects.filter(call_id__in=ids).order_by("id"):
        grouped[row.call_id].append(row)
    return grouped
