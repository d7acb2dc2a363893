"""Serving challenges. The paper is made once and stays on the server with its answers."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from random import SystemRandom
from typing import ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Length

from riskgate.core import challenges
from riskgate.core.action import Action
from riskgate.core.assessment import Evidence
from riskgate.core.challenges import Paper, Subject
from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.policy import Policy, Requirement
from riskgate.core.quorum import free_seat
from riskgate.services import audit, live, loading, permissions, rows, transitions
from riskgate.services.shapes import AttemptView, Member
from riskgate.storage.models import Call, ChallengeAttempt, FactorScore, Opened, Vote

OTHERS = 200
"""How many of the team's newest calls lend their values to wrong answers."""

OTHERS_SIZE = 2000
"""The longest arguments of such a call, in characters of JSON."""


class Changed(RiskgateError):
    """What the person saw is not what is stored."""

    code: ClassVar[str] = "changed"


class SeatsTaken(RiskgateError):
    """Every seat is filled or held."""

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
    lease_until = at + timedelta(seconds=policy.timings.seat_lease) if requirement.approvals > 1 else None
    last = attempts[-1] if attempts else None
    if last is not None and is_open(last) and last.seat not in taken:
        last.lease_until = lease_until
        last.save(update_fields=("lease_until",))
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
        else challenges.build(
            seat.challenge,
            _subject(call),
            _others(call),
            SystemRandom(),
            [Paper.from_json(attempt.paper) for attempt in attempts],
            type_target=requirement.type_target,
        )
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


def _subject(call: Call) -> Subject:
    factors = loading.factors_of(list(FactorScore.objects.filter(call=call)))
    strongest = sorted(factors, key=lambda factor: -factor.contribution)
    floors = [item for floor in call.floors for item in floor["evidence"]]
    return Subject(
        action=loading.action_of(call),
        evidence=tuple(
            [Evidence.from_json(item) for item in floors]
            + [item for factor in strongest for item in factor.evidence]
        ),
        environment=call.environment,
        agent=call.agent.name,
        level=Level(call.level),
        masked=frozenset(call.masked),
        reason=call.reason,
    )


def _others(call: Call) -> list[Action]:
    """Other actions of the team, newest first: their values become wrong answers.

    Left out is what is masked, and what is so long that reading two hundred of it would be felt.
    """
    newest = (
        Call.objects.filter(team_id=call.team_id, masked=[])
        .exclude(id=call.id)
        .annotate(size=Length("args") + Length("kwargs"))
        .filter(size__lte=OTHERS_SIZE)
        .order_by("-created_at", "-id")
    )
    return [
        Action(name, args, kwargs)
        for name, args, kwargs in newest.values_list("function_name", "args", "kwargs")[:OTHERS]
    ]
