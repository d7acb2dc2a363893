"""What happened, as a reader may see it: newest first, in keyset pages."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from riskgate.core.events import BLIND, Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.core.roles import ActorKind
from riskgate.services import cursors
from riskgate.services.shapes import EventView, HistoryPage, Member
from riskgate.storage.models import AuditEvent, Call


def _view(row: AuditEvent) -> EventView:
    return EventView(
        id=row.id,
        at=row.at,
        kind=Event(row.kind),
        actor_kind=ActorKind(row.actor_kind),
        actor_id=row.actor_id,
        actor_name=row.actor_name,
        call_id=row.call_id,
        session_id=row.session_id,
        agent_name=row.agent_name,
        function_name=row.function_name,
        signature=row.signature,
        level=Level(row.level) if row.level is not None else None,
        score=row.score,
        environment=row.environment,
        policy_version=row.policy_version,
        data=row.data,
    )


def visible(member: Member) -> QuerySet[AuditEvent]:
    """The team's events, without what others did at a call that is still pending: votes are blind."""
    events = AuditEvent.objects.filter(team_id=member.team_id)
    pending = Call.objects.filter(team_id=member.team_id, status=Status.PENDING).values("id")
    blind = Q(kind__in=[kind.value for kind in BLIND]) & Q(call_id__in=pending)
    return events.exclude(blind & ~Q(actor_id=member.user_id))


def page(*, member: Member, cursor: str | None, now: datetime, limit: int = 50) -> HistoryPage:
    """Events of the team, newest first. Raises CursorInvalid."""
    events = visible(member)
    if cursor:
        at, event_id = cursors.decode(cursor, datetime.fromisoformat, UUID)
        events = events.filter(Q(at__lt=at) | Q(at=at, id__lt=event_id))
    rows = list(events.filter(at__lte=now).order_by("-at", "-id")[: limit + 1])
    more = len(rows) > limit
    rows = rows[:limit]
    return HistoryPage(
        events=tuple(_view(row) for row in rows),
        next_cursor=cursors.encode(rows[-1].at.isoformat(), rows[-1].id) if more else None,
    )


def timeline(member: Member, call_id: UUID) -> tuple[EventView, ...]:
    """Everything that happened to one call, oldest first."""
    rows = visible(member).filter(call_id=call_id).order_by("at", "id")[:500]
    return tuple(_view(row) for row in rows)
