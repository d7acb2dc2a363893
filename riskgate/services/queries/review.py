"""The review: everything about one call, as one person of its team may see it."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.policy import Policy, Requirement
from riskgate.core.rendering import signature
from riskgate.services import challenges, history, loading, permissions, rows
from riskgate.services.queries.calls import loaded
from riskgate.services.queries.queue import REVIEWING, VERBS, stuck
from riskgate.services.shapes import EventView, Member, Review, SeatView, SessionCall
from riskgate.storage.models import Call, ChallengeAttempt, Vote


def level(*, member: Member, call_id: UUID) -> Level:
    """The level of a call of the team. Raises NotFound."""
    found = Call.objects.filter(id=call_id, team_id=member.team_id).values_list("level", flat=True).first()
    if found is None:
        raise rows.NotFound("There is no such action in this team.")
    return Level(found)


def review(*, member: Member, call_id: UUID, now: datetime) -> Review:
    """Everything about one call of the team, as this person may see it. Raises NotFound."""
    call = loaded(Call.objects.filter(id=call_id, team_id=member.team_id)).select_related("team").first()
    if call is None:
        raise rows.NotFound("There is no such action in this team.")
    policy = Policy.from_json(call.policy.document)
    status = loading.shown_status(call, now)
    attempts = list(ChallengeAttempt.objects.filter(call=call))
    own = [attempt for attempt in attempts if attempt.user_id == member.user_id]
    failed = sum(attempt.passed is False for attempt in own)
    votes = dict(Vote.objects.filter(call=call).values_list("seat", "user_id"))
    still_open = next((attempt for attempt in own if challenges.is_open(attempt)), None)
    timeline = history.timeline(member, call_id)
    return Review(
        call=loading.view(call, loading.factors_of(call.factors.all()), now),
        thresholds=policy.thresholds,
        may=permissions.may_decide(
            call,
            user_id=member.user_id,
            role=member.role,
            status=status,
            voters=votes.values(),
            failed_attempts=failed,
            policy=policy,
        ),
        attempt=challenges.view(still_open, policy, failed=failed) if still_open and status is Status.PENDING else None,
        attempts_left=max(policy.attempts - failed, 0),
        stuck=stuck(member.team_id, [call]).get(call.id, "") if status is Status.PENDING else "",
        seats=_seats(call, attempts, votes, member, now),
        reviewing=len(
            {
                attempt.user_id
                for attempt in attempts
                if challenges.is_open(attempt)
                and attempt.user_id != member.user_id
                and attempt.served_at > now - REVIEWING
            }
        ),
        session_so_far=_session_so_far(call, now),
        timeline=timeline,
        decided_by=_decided_by(timeline),
    )


def _seats(
    call: Call, attempts: list[ChallengeAttempt], votes: Mapping[int, UUID], member: Member, now: datetime
) -> tuple[SeatView, ...]:
    requirement = Requirement.from_json(call.requirement)
    if requirement.approvals < 2:
        return ()
    held = challenges.seats_held(attempts, now)
    own = next((a for a in attempts if a.user_id == member.user_id and challenges.is_open(a)), None)
    views = []
    for number, seat in enumerate(requirement.seats, start=1):
        mine = own is not None and own.seat == number and number in held
        state = "filled" if number in votes else "you" if mine else "taken" if number in held else "free"
        lease = own.lease_until if own is not None and mine else None
        views.append(SeatView(number, seat.challenge, state, lease))
    return tuple(views)


def _session_so_far(call: Call, now: datetime) -> tuple[SessionCall, ...]:
    """Up to twenty calls of the same session before this one, oldest first."""
    earlier = (
        Call.objects.filter(session_id=call.session_id)
        .filter(Q(created_at__lt=call.created_at) | Q(created_at=call.created_at, id__lt=call.id))
        .order_by("-created_at", "-id")[:20]
    )
    return tuple(
        SessionCall(
            id=row.id,
            created_at=row.created_at,
            signature=signature(loading.action_of(row), row.masked, 90),
            level=Level(row.level),
            status=loading.shown_status(row, now),
            reason_code=ReasonCode(row.reason_code) if row.reason_code else None,
        )
        for row in reversed(earlier)
    )


def _decided_by(timeline: tuple[EventView, ...]) -> str:
    names = [event.actor_name for event in timeline if event.kind in VERBS and event.actor_kind == "user"]
    voters = [event.actor_name for event in timeline if event.kind is Event.VOTED]
    return " and ".join(dict.fromkeys([*voters, *names])) if names else ""
