"""The queue: pending calls as the people of a team read them."""

from collections import Counter
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.policy import Requirement
from riskgate.core.rendering import cut
from riskgate.core.roles import Permission, allows
from riskgate.services import cursors, loading, permissions
from riskgate.services.challenges import PRESENT
from riskgate.services.queries.calls import of_status
from riskgate.services.shapes import LastDecision, Member, QueueFilter, QueuePage, QueueRow
from riskgate.storage.models import AuditEvent, Call, ChallengeAttempt, Opened, Vote

SIGNATURE = 52
WORDS = 8
CHOICES = 100
"""So many agents and functions are offered to choose from."""
DECIDED_SHOWN = timedelta(hours=1)
REVIEWING = timedelta(minutes=5)
"""An open challenge older than this no longer says that somebody is reviewing now."""

VERBS: dict[str, str] = {
    Event.APPROVED: "approved",
    Event.DENIED: "denied",
    Event.RETURNED: "sent back",
    Event.REVOKED: "revoked",
}


def _pending(member: Member, now: datetime) -> QuerySet[Call]:
    return Call.objects.filter(of_status(Status.PENDING, now), team_id=member.team_id)


def _mine(member: Member) -> Q:
    """Calls that this person may still decide."""
    if not allows(member.role, Permission.DECIDE):
        return Q(pk=None)
    return Q(~Exists(Vote.objects.filter(call=OuterRef("pk"), user_id=member.user_id)))


def pending_count(*, member: Member, now: datetime) -> int:
    """How many calls of the team wait, for the rail and the tab's title."""
    return _pending(member, now).count()


def queue(
    *, member: Member, filter: QueueFilter, cursor: str | None, now: datetime, limit: int = 50
) -> QueuePage:
    """A page of pending calls, the riskiest first, then by time left. Raises CursorInvalid."""
    pending = _pending(member, now)
    chosen = pending.filter(_mine(member)) if filter.scope == "mine" else pending
    narrowed = _narrow(chosen, filter)
    if cursor:
        level, decide_by, call_id = cursors.decode(cursor, int, datetime.fromisoformat, UUID)
        narrowed = narrowed.filter(
            Q(level__lt=level)
            | Q(level=level, decide_by__gt=decide_by)
            | Q(level=level, decide_by=decide_by, id__gt=call_id)
        )
    page = list(_annotated(narrowed, member, now).order_by("-level", "decide_by", "id")[: limit + 1])
    more = len(page) > limit
    page = page[:limit]
    kinds = list(
        pending.order_by()
        .values_list("level", "agent_id", "agent__name", "function_name")
        .annotate(all=Count("id"), mine=Count("id", _mine(member)))
    )
    by_level: Counter[int] = Counter()
    for level, *_, count, _ in kinds:
        by_level[level] += count
    decided: list[Call] = []
    if filter.scope == "all" and not more:
        recent = Call.objects.filter(team_id=member.team_id, decided_at__gte=now - DECIDED_SHOWN)
        recent = recent.exclude(reason_code=ReasonCode.AUTO_APPROVED)
        decided = list(_annotated(_narrow(recent, filter), member, now).order_by("-decided_at")[:20])
    nobody = permissions.stuck(member.team_id, page)
    last = page[-1] if page else None
    return QueuePage(
        rows=tuple(_row(call, now, nobody.get(call.id, "")) for call in page),
        decided=tuple(_row(call, now, "") for call in decided),
        next_cursor=cursors.encode(last.level, last.decide_by.isoformat(), last.id)
        if more and last is not None and last.decide_by is not None
        else None,
        pending=sum(by_level.values()),
        mine=sum(mine for *_, mine in kinds),
        by_level={level: by_level[level] for level in reversed(Level)},
        agents=tuple(
            sorted({(kind[1], kind[2]) for kind in kinds}, key=lambda agent: (agent[1], agent[0]))[:CHOICES]
        ),
        functions=tuple(sorted({kind[3] for kind in kinds})[:CHOICES]),
        last_decision=_last_decision(member),
    )


def _narrow(calls: QuerySet[Call], filter: QueueFilter) -> QuerySet[Call]:
    if filter.level is not None:
        calls = calls.filter(level=int(filter.level))
    if filter.agent_id is not None:
        calls = calls.filter(agent_id=filter.agent_id)
    if filter.function_name:
        calls = calls.filter(function_name=filter.function_name)
    for word in filter.text.split()[:WORDS]:
        calls = calls.filter(
            Q(signature__icontains=word) | Q(summary__icontains=word) | Q(agent__name__icontains=word)
        )
    return calls


def _annotated(calls: QuerySet[Call], member: Member, now: datetime) -> QuerySet[Call]:
    """With the unread mark and when somebody else was at it last; without the long columns."""
    served = (
        ChallengeAttempt.objects.filter(
            call=OuterRef("pk"), answered_at=None, left_at=None, served_at__gt=now - REVIEWING
        )
        .exclude(user_id=member.user_id)
        .order_by("-served_at")
    )
    seen = (
        Opened.objects.filter(call=OuterRef("pk"), seen_at__gt=now - PRESENT)
        .exclude(user_id=member.user_id)
        .order_by("-seen_at")
    )
    return (
        calls.select_related("agent")
        .defer(
            "args",
            "kwargs",
            "docstring",
            "hints",
            "reason",
            "metadata",
            "floors",
            "masked",
            "output",
            "error",
        )
        .annotate(
            read=Exists(Opened.objects.filter(call=OuterRef("pk"), user_id=member.user_id)),
            served=Subquery(served.values("served_at")[:1]),
            seen=Subquery(seen.values("seen_at")[:1]),
        )
    )


def reviewing_until(served_at: datetime | None, seen_at: datetime | None) -> datetime | None:
    """Until when a page may say that somebody is reviewing, by the newest challenge and the newest word of a page."""
    ends = [at + lasts for at, lasts in ((served_at, REVIEWING), (seen_at, PRESENT)) if at is not None]
    return max(ends, default=None)


def _row(call: Call, now: datetime, stuck: str) -> QueueRow:
    return QueueRow(
        id=call.id,
        status=loading.shown_status(call, now),
        level=Level(call.level),
        score=call.score,
        signature=cut(call.signature, SIGNATURE),
        agent_name=call.agent.name,
        environment=call.environment,
        summary=call.summary,
        created_at=call.created_at,
        decide_by=call.decide_by,
        decided_at=call.decided_at,
        approvals=call.approvals,
        seats=Requirement.from_json(call.requirement).approvals,
        unread=not call.read,  # type: ignore[attr-defined]
        reviewing_until=reviewing_until(call.served, call.seen),  # type: ignore[attr-defined]
        stuck=stuck,
    )


def _last_decision(member: Member) -> LastDecision | None:
    event = (
        AuditEvent.objects.filter(team_id=member.team_id, kind__in=list(VERBS), actor_kind="user")
        .order_by("-at", "-id")
        .first()
    )
    if event is None or event.call_id is None:
        return None
    names = event.actor_name
    if event.data.get("approvals", 1) > 1:
        voters = Vote.objects.filter(call_id=event.call_id).order_by("seat")
        names = " and ".join(voters.values_list("user__name", flat=True))
    return LastDecision(names, VERBS[event.kind], event.signature, event.call_id, event.at)
