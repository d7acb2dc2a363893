"""The queue: pending calls as the people of a team read them."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from riskgate.core.action import Action
from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.policy import Requirement
from riskgate.core.rendering import signature
from riskgate.core.roles import Permission, Role, allows
from riskgate.services import cursors, loading
from riskgate.services.queries.calls import of_status
from riskgate.services.shapes import LastDecision, Member, QueueFilter, QueuePage, QueueRow
from riskgate.storage.models import AuditEvent, Call, ChallengeAttempt, Membership, Opened, Vote

SIGNATURE = 52
DECIDED_SHOWN = timedelta(hours=1)
REVIEWING = timedelta(minutes=5)
"""An open challenge older than this no longer says that somebody is reviewing now."""

VERBS: dict[str, str] = {
    Event.APPROVED: "approved",
    Event.DENIED: "denied",
    Event.RETURNED: "sent back",
    Event.REVOKED: "revoked",
}

DECIDING_ROLES = [role.value for role in Role if allows(role, Permission.DECIDE)]


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
    counts = {
        row["level"]: row
        for row in pending.values("level")
        .order_by("level")
        .annotate(all=Count("id"), mine=Count("id", _mine(member)))
    }
    decided: list[Call] = []
    if filter.scope == "all" and not more:
        recent = Call.objects.filter(team_id=member.team_id, decided_at__gte=now - DECIDED_SHOWN)
        recent = recent.exclude(reason_code=ReasonCode.AUTO_APPROVED)
        decided = list(_annotated(_narrow(recent, filter), member, now).order_by("-decided_at")[:20])
    nobody = stuck(member.team_id, page)
    last = page[-1] if page else None
    return QueuePage(
        rows=tuple(_row(call, now, nobody.get(call.id, "")) for call in page),
        decided=tuple(_row(call, now, "") for call in decided),
        next_cursor=cursors.encode(last.level, last.decide_by.isoformat(), last.id)
        if more and last is not None and last.decide_by is not None
        else None,
        pending=sum(row["all"] for row in counts.values()),
        mine=sum(row["mine"] for row in counts.values()),
        by_level={level: counts.get(int(level), {"all": 0})["all"] for level in reversed(Level)},
        agents=tuple(pending.values_list("agent_id", "agent__name").distinct().order_by("agent__name")[:100]),
        functions=tuple(
            pending.values_list("function_name", flat=True).distinct().order_by("function_name")[:100]
        ),
        last_decision=_last_decision(member),
    )


def _narrow(calls: QuerySet[Call], filter: QueueFilter) -> QuerySet[Call]:
    if filter.level is not None:
        calls = calls.filter(level=int(filter.level))
    if filter.agent_id is not None:
        calls = calls.filter(agent_id=filter.agent_id)
    if filter.function_name:
        calls = calls.filter(function_name=filter.function_name)
    return calls


def _annotated(calls: QuerySet[Call], member: Member, now: datetime) -> QuerySet[Call]:
    """With the unread mark and whether somebody else is reviewing now; without the long columns."""
    open_elsewhere = ChallengeAttempt.objects.filter(
        call=OuterRef("pk"), answered_at=None, left_at=None, served_at__gt=now - REVIEWING
    ).exclude(user_id=member.user_id)
    return (
        calls.select_related("agent")
        .defer("docstring", "metadata", "floors", "output", "error", "hints", "reason")
        .annotate(
            read=Exists(Opened.objects.filter(call=OuterRef("pk"), user_id=member.user_id)),
            reviewing=Exists(open_elsewhere),
        )
    )


def _row(call: Call, now: datetime, stuck: str) -> QueueRow:
    return QueueRow(
        id=call.id,
        status=loading.shown_status(call, now),
        level=Level(call.level),
        score=call.score,
        signature=signature(Action(call.function_name, call.args, call.kwargs), call.masked, SIGNATURE),
        agent_name=call.agent.name,
        environment=call.environment,
        summary=call.summary,
        created_at=call.created_at,
        decide_by=call.decide_by,
        decided_at=call.decided_at,
        approvals=call.approvals,
        seats=Requirement.from_json(call.requirement).approvals,
        unread=not call.read,  # type: ignore[attr-defined]
        reviewing=call.reviewing,  # type: ignore[attr-defined]
        stuck=stuck,
    )


def stuck(team_id: UUID, page: list[Call]) -> Mapping[UUID, str]:
    """Why nobody in the team can approve a call, for the calls of a page where that is so."""
    if not page:
        return {}
    deciders = set(
        Membership.objects.filter(
            team_id=team_id, role__in=DECIDING_ROLES, user__is_active=True
        ).values_list("user_id", flat=True)
    )
    failed = Counter(
        ChallengeAttempt.objects.filter(call__in=[call.id for call in page], passed=False).values_list(
            "call_id", "user_id"
        )
    )
    out: dict[UUID, str] = {}
    for call in page:
        needed = Requirement.from_json(call.requirement).approvals
        # Both default and any other policy give each person the same number of attempts; two is the least.
        spent = {user for (call_id, user), times in failed.items() if call_id == call.id and times >= 2}
        free = len(deciders - spent)
        if free < needed:
            people = "one person" if needed == 1 else f"{needed} people"
            out[call.id] = (
                f"Nobody in the team can approve this: it needs {people}, and {free or 'nobody'} may."
            )
    return out


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
