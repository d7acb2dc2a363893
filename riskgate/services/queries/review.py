"""The review: everything about one call, as one person of its team may see it."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.policy import Policy, Requirement
from riskgate.core.rendering import cut
from riskgate.services import challenges, history, loading, permissions, rows
from riskgate.services.challenges import PRESENT
from riskgate.services.queries.calls import loaded
from riskgate.services.queries.queue import REVIEWING, VERBS, reviewing_until
from riskgate.services.shapes import EventView, Member, Review, SeatView, SessionCall
from riskgate.storage.models import Call, ChallengeAttempt, Opened


def level(*, member: Member, call_id: UUID) -> Level:
    """The level of a call of the team. Raises NotFound."""
    found = Call.objects.filter(id=call_id, team_id=member.team_id).values_list("level", flat=True).first()
    if found is None:
        raise rows.NotFound("There is no such action in this team.")
    return Level(found)


def review(*, member: Member, call_id: UUID, now: datetime) -> Review:
    """Everything about one call of the team, as this person may see it. Raises NotFound."""
    others = Opened.objects.filter(call=OuterRef("pk"), seen_at__gt=now - PRESENT)
    seen = others.exclude(user_id=member.user_id).order_by("-seen_at").values("seen_at")
    found = Call.objects.filter(id=call_id, team_id=member.team_id).annotate(seen=Subquery(seen[:1]))
    call = loaded(found).select_related("team").first()
    if call is None:
        raise rows.NotFound("There is no such action in this team.")
    policy = Policy.from_json(call.policy.document)
    status = loading.shown_status(call, now)
    attempts = list(ChallengeAttempt.objects.filter(call=call))
    own = [attempt for attempt in attempts if attempt.user_id == member.user_id]
    failed = sum(attempt.passed is False for attempt in own)
    votes = {attempt.seat: attempt.user_id for attempt in attempts if attempt.passed}
    lost = set(votes) | challenges.seats_held(attempts, now, by_others_than=member.user_id)
    still_open = next((each for each in own if challenges.is_open(each) and each.seat not in lost), None)
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
        attempt=challenges.view(still_open, policy, failed=failed)
        if still_open and status is Status.PENDING
        else None,
        attempts_left=max(policy.attempts - failed, 0),
        stuck=permissions.stuck(member.team_id, [call], attempts).get(call.id, "")
        if status is Status.PENDING
        else "",
        seats=_seats(call, attempts, votes, member, now),
        reviewing_until=_reviewing_until(call, attempts, member, now),
        session_so_far=_session_so_far(call, now),
        timeline=timeline,
        decided_by=_decided_by(timeline),
    )


def _reviewing_until(
    call: Call, attempts: list[ChallengeAttempt], member: Member, now: datetime
) -> datetime | None:
    served = [
        attempt.served_at
        for attempt in attempts
        if challenges.is_open(attempt)
        and attempt.user_id != member.user_id
        and attempt.served_at > now - REVIEWING
    ]
    return reviewing_until(max(served, default=None), call.seen)  # type: ignore[attr-defined]


def _seats(
    call: Call, attempts: list[ChallengeAttempt], votes: Mapping[int, UUID], member: Member, now: datetime
) -> tuple[SeatView, ...]:
    requirement = Requirement.from_json(call.requirement)
    if requirement.approvals < 2:
        return ()
    held = challenges.seats_held(attempts, now)
    own = next((a for a in attempts if a.user_id == member.user_id and challenges.is_open(a)), None)
    if own is not None and own.seat in challenges.seats_held(attempts, now, by_others_than=member.user_id):
        own = None  # its lease ended, and somebody else took the seat
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
        .only(
            "created_at", "signature", "level", "status", "reason_code", "decide_by", "use_by", "outcome_by"
        )
        .order_by("-created_at", "-id")[:20]
    )
    return tuple(
        SessionCall(
            id=row.id,
            created_at=row.created_at,
            signature=cut(row.signature, 90),
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
