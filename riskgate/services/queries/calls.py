"""Calls as agents read them."""

import contextlib
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.services import cursors, loading, rows
from riskgate.services.shapes import AgentPrincipal, CallPage, CallView
from riskgate.storage.models import Call


def loaded(calls: QuerySet[Call]) -> QuerySet[Call]:
    """With everything that `loading.view` wants, in two queries."""
    return calls.select_related("agent__owner", "session", "policy").prefetch_related("factors")


def call(*, principal: AgentPrincipal, call_id: UUID, now: datetime) -> CallView:
    """One of the agent's own calls. Raises NotFound."""
    row = loaded(
        Call.objects.filter(id=call_id, agent_id=principal.agent_id, team_id=principal.team_id)
    ).first()
    if row is None:
        raise rows.NotFound("There is no such action. Check the id; an agent sees only its own actions.")
    return loading.view(row, loading.factors_of(row.factors.all()), now)


def calls_by_id(
    *, principal: AgentPrincipal, call_ids: Sequence[UUID], now: datetime
) -> tuple[CallView, ...]:
    """The agent's own calls of these ids, in their order."""
    found = loaded(
        Call.objects.filter(id__in=call_ids, agent_id=principal.agent_id, team_id=principal.team_id)
    ).in_bulk()
    rows = [found[call_id] for call_id in call_ids]
    return tuple(loading.view(row, loading.factors_of(row.factors.all()), now) for row in rows)


def of_status(status: Status, now: datetime) -> Q:
    """Rows that read as this status at `now`: one past its time reads as what the clock makes of it."""
    undecided = Q(status=Status.PENDING, decide_by__lte=now)
    unclaimed = Q(status=Status.APPROVED, use_by__lte=now)
    unreported = Q(status=Status.EXECUTING, outcome_by__lte=now)
    if status is Status.EXPIRED:
        return Q(status=status) | undecided | unclaimed
    if status is Status.UNKNOWN:
        return Q(status=status) | unreported
    return Q(status=status) & ~undecided & ~unclaimed & ~unreported


def calls(
    *,
    principal: AgentPrincipal,
    now: datetime,
    status: Status | None = None,
    level: Level | None = None,
    session: str | None = None,
    function_name: str | None = None,
    since: datetime | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> CallPage:
    """The agent's own calls, newest first. `session` is an id or a name. Raises CursorInvalid."""
    found = Call.objects.filter(agent_id=principal.agent_id, team_id=principal.team_id)
    if status is not None:
        found = found.filter(of_status(status, now))
    if level is not None:
        found = found.filter(level=int(level))
    if session is not None:
        named = Q(session__name=session)
        with contextlib.suppress(ValueError):
            named |= Q(session_id=UUID(session))
        found = found.filter(named)
    if function_name is not None:
        found = found.filter(function_name=function_name)
    if since is not None:
        found = found.filter(created_at__gte=since)
    if cursor is not None:
        at, call_id = cursors.decode(cursor, datetime.fromisoformat, UUID)
        found = found.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=call_id))
    page = list(loaded(found).order_by("-created_at", "-id")[: limit + 1])
    last = page[limit - 1] if len(page) > limit else None
    return CallPage(
        calls=tuple(loading.view(row, loading.factors_of(row.factors.all()), now) for row in page[:limit]),
        next_cursor=cursors.encode(last.created_at.isoformat(), last.id) if last else None,
    )
