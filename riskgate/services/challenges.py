"""Serving challenges. The paper is made once and stays on the server with its answers."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from riskgate.core.challenges import Paper
from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.lifecycle import Status
from riskgate.core.policy import Policy, Requirement
from riskgate.core.quorum import free_seat
from riskgate.services import audit, live, loading, papers, permissions, rows, transitions
from riskgate.services.shapes import AttemptView, Member
from riskgate.storage.models import Call, ChallengeAttempt, Opened, Vote

FREED_AT_ONCE = 200
"""So many ended leases are told in one round."""

PRESENT = timedelta(minutes=2)
"""For so long the word of a page counts that its reader is at it; the page says so again once a minute."""

LOST_SEAT = "Your seat's time ended and somebody else took it. Start again from the review."


class Changed(RiskgateError):
    """What the person saw is not what is stored."""

    code: ClassVar[str] = "changed"


class SeatsTaken(RiskgateError):
    """Every seat is filled or held."""

    code: ClassVar[str] = "conflict"


class AttemptClosed(RiskgateError):
    """This person has no such open challenge: it was answered or left, or is somebody else's."""

    code: ClassVar[str] = "conflict"


def check_seen(call: Call, action_digest: str) -> None:
    """Approving binds to the digest that was shown. Raises Changed."""
    if action_digest != call.action_digest:
        raise Changed("What you saw has changed. Reload the review and read it again.")


def is_open(attempt: ChallengeAttempt) -> bool:
    return attempt.answered_at is None and attempt.left_at is None


def seats_held(
    attempts: Iterable[ChallengeAttempt], at: datetime, *, by_others_than: UUID | None = None
) -> set[int]:
    """Seats on which somebody's lease runs."""
    return {
        attempt.seat
        for attempt in attempts
        if is_open(attempt)
        and attempt.lease_until is not None
        and attempt.lease_until > at
        and attempt.user_id != by_others_than
    }


def leave_seat(attempt: ChallengeAttempt, at: datetime) -> None:
    attempt.left_at = at
    attempt.save(update_fields=("left_at",))


def leave(*, member: Member, call_id: UUID, now: datetime) -> None:
    """This person gives up an unanswered challenge and frees the seat; it is no failed attempt. Raises NotFound."""
    with transaction.atomic():
        call, at = rows.lock_of_team(member, call_id)
        attempts = ChallengeAttempt.objects.filter(
            call=call, user_id=member.user_id, answered_at=None, left_at=None
        )
        for attempt in attempts:
            leave_seat(attempt, at)
            live.announce(call)


def _lease(call: Call, policy: Policy, at: datetime) -> datetime:
    """Until when a seat taken at `at` is held: never longer than the call can be decided."""
    ends = at + timedelta(seconds=policy.timings.seat_lease)
    return min(ends, call.decide_by) if call.decide_by is not None else ends


def renew(*, member: Member, call_id: UUID, now: datetime) -> AttemptView:
    """This person is still answering: the seat is held anew, from now on.

    A lease that has ended is taken up again where nobody took the seat meanwhile. Raises NotFound, NotAllowed,
    AttemptClosed, SeatsTaken, Expired, WrongState.
    """
    with transaction.atomic():
        call, at = rows.lock_of_team(member, call_id)
        late = transitions.catch_up(call, at)
        if not late:
            return _renew(member, call, at)
    raise transitions.too_late(call)


def _renew(member: Member, call: Call, at: datetime) -> AttemptView:
    policy = Policy.from_json(call.policy.document)
    if call.status != Status.PENDING:
        raise transitions.WrongState(
            f"Somebody else was faster: this action is {call.status}.", status=call.status
        )
    attempts = list(ChallengeAttempt.objects.filter(call=call))
    votes = dict(Vote.objects.filter(call=call).values_list("seat", "user_id"))
    failed = sum(attempt.passed is False for attempt in attempts if attempt.user_id == member.user_id)
    may = permissions.may_decide(
        call,
        user_id=member.user_id,
        role=rows.membership(member),
        status=Status.PENDING,
        voters=votes.values(),
        failed_attempts=failed,
        policy=policy,
    )
    if not may.approve:
        raise rows.NotAllowed(may.reason)
    own = next((each for each in attempts if each.user_id == member.user_id and is_open(each)), None)
    if own is None:
        raise AttemptClosed("This challenge is closed. Go back to the review and start a new one.")
    if own.seat in set(votes) | seats_held(attempts, at, by_others_than=member.user_id):
        raise SeatsTaken(LOST_SEAT)
    if Requirement.from_json(call.requirement).approvals > 1:
        ended = own.lease_until is None or own.lease_until <= at
        own.lease_until = _lease(call, policy, at)
        own.save(update_fields=("lease_until",))
        if ended:
            live.announce(call)
    return view(own, policy, failed=failed)


def free_ended(*, now: datetime) -> int:
    """Says of seats whose lease has ended that they are free again; answers how many.

    The seat was free the moment its lease ended; this tells it, once, to the pages that are open. The paper stays
    open: who answers late still may, as long as nobody took the seat.
    """
    ended = (
        ChallengeAttempt.objects.filter(answered_at=None, left_at=None, lease_until__lte=now)
        .order_by("lease_until")
        .values_list("id", "call_id")[:FREED_AT_ONCE]
    )
    freed = 0
    for attempt_id, call_id in ended:
        with transaction.atomic():
            call = Call.objects.select_for_update(of=("self",), skip_locked=True).filter(id=call_id).first()
            if call is None:
                continue  # Somebody is at it; it is told in the next round.
            told = ChallengeAttempt.objects.filter(id=attempt_id, lease_until__lte=rows.clock())
            if told.update(lease_until=None):
                freed += 1
                if call.status == Status.PENDING:
                    live.announce(call)
    return freed


def view(attempt: ChallengeAttempt, policy: Policy, *, failed: int) -> AttemptView:
    """The attempt as its person may see it: without answers. `failed` counts this person's failures before it."""
    return AttemptView(
        id=attempt.id,
        kind=attempt.kind,
        seat=attempt.seat,
        number=failed + 1,
        of=policy.attempts,
        questions=tuple(Paper.from_json(attempt.paper).shown()),
        action_digest=attempt.action_digest,
        review_seconds=attempt.review_seconds,
        served_at=attempt.served_at,
        ready_at=attempt.served_at + timedelta(seconds=attempt.review_seconds),
        lease_until=attempt.lease_until,
    )


def mark_opened(member: Member, call: Call, at: datetime) -> None:
    """The first time that this person opens this call is an event; later ones change nothing."""
    _, first = Opened.objects.get_or_create(call=call, user_id=member.user_id, defaults={"opened_at": at})
    if first:
        audit.record(audit.call_event(Event.OPENED, call, actor=member.actor, at=at))


def mark_present(member: Member, call: Call, at: datetime) -> bool:
    """This person is at it now; whether that is news to the others. It is no event, and soon forgotten."""
    own = Opened.objects.get(call=call, user_id=member.user_id)
    news = own.seen_at is None or own.seen_at <= at - PRESENT
    own.seen_at = at
    own.save(update_fields=("seen_at",))
    return news


def issue(*, member: Member, call_id: UUID, action_digest: str, now: datetime) -> AttemptView:
    """Serves this person a challenge for this call; the open one again where there is one.

    Raises NotFound, NotAllowed, Changed, Expired, SeatsTaken.
    """
    with transaction.atomic():
        call, at = rows.lock_of_team(member, call_id)
        late = transitions.catch_up(call, at)
        if not late:
            return _serve(member, call, action_digest, at)
    raise transitions.too_late(call)


def _serve(member: Member, call: Call, action_digest: str, at: datetime) -> AttemptView:
    policy = Policy.from_json(call.policy.document)
    everybodys = list(ChallengeAttempt.objects.filter(call=call).order_by("number"))
    attempts = [attempt for attempt in everybodys if attempt.user_id == member.user_id]
    votes = dict(Vote.objects.filter(call=call).values_list("seat", "user_id"))
    failed = sum(attempt.passed is False for attempt in attempts)
    may = permissions.may_decide(
        call,
        user_id=member.user_id,
        role=rows.membership(member),
        status=loading.shown_status(call, at),
        voters=votes.values(),
        failed_attempts=failed,
        policy=policy,
    )
    if not may.approve:
        raise rows.NotAllowed(may.reason)
    check_seen(call, action_digest)
    requirement = Requirement.from_json(call.requirement)
    taken = set(votes) | seats_held(everybodys, at, by_others_than=member.user_id)
    lease_until = _lease(call, policy, at) if requirement.approvals > 1 else None
    last = attempts[-1] if attempts else None
    if last is not None and is_open(last) and last.seat not in taken:
        ended = last.seat not in seats_held(everybodys, at)
        last.lease_until = lease_until
        last.save(update_fields=("lease_until",))
        if ended and lease_until is not None:
            live.announce(call)
        return view(last, policy, failed=failed)
    if last is not None and is_open(last):
        leave_seat(last, at)
    number = free_seat(requirement, taken)
    if number is None:
        raise SeatsTaken("Every seat of this approval is taken. Come back in a few minutes.")
    seat = requirement.seats[number - 1]
    unanswered = last is not None and last.answered_at is None and last.kind == seat.challenge
    paper = (
        Paper.from_json(last.paper)
        if last is not None and unanswered  # leaving a paper is no way to a kinder one
        else papers.new(call, seat.challenge, [Paper.from_json(attempt.paper) for attempt in attempts])
    )
    attempt = ChallengeAttempt.objects.create(
        call=call,
        user_id=member.user_id,
        number=len(attempts) + 1,
        seat=number,
        kind=seat.challenge,
        paper=paper.as_json(),
        action_digest=call.action_digest,
        review_seconds=seat.review_seconds,
        served_at=at,
        lease_until=lease_until,
    )
    mark_opened(member, call, at)
    data = {"kind": attempt.kind, "attempt": failed + 1, "seat": number}
    audit.record(audit.call_event(Event.CHALLENGE_ISSUED, call, actor=member.actor, at=at, data=data))
    live.announce(call)
    return view(attempt, policy, failed=failed)
