"""The one door to history. An event is written in the transaction of what it records."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from riskgate.core.events import Event
from riskgate.core.rendering import signature
from riskgate.core.roles import Actor
from riskgate.services.loading import action_of
from riskgate.storage.models import AuditEvent, Call


class OutsideTransaction(RuntimeError):
    """A programmer's mistake: history and change would not stand or fall together."""


def event(
    kind: Event,
    *,
    actor: Actor,
    at: datetime,
    team_id: UUID | None,
    data: Mapping[str, Any] | None = None,
    **columns: Any,
) -> AuditEvent:
    """An event that is not about a call, not yet written: hand it to `record`."""
    return AuditEvent(
        kind=kind.value,
        at=at,
        team_id=team_id,
        actor_kind=actor.kind.value,
        actor_id=actor.id,
        actor_name=actor.name,
        data=dict(data or {}),
        **columns,
    )


def call_event(
    kind: Event, call: Call, *, actor: Actor, at: datetime, data: Mapping[str, Any] | None = None
) -> AuditEvent:
    """An event about a call, with everything that a reader may filter by; only masked text is kept."""
    return event(
        kind,
        actor=actor,
        at=at,
        team_id=call.team_id,
        data=data,
        call_id=call.id,
        session_id=call.session_id,
        agent_id=call.agent_id,
        agent_name=call.agent.name,
        function_name=call.function_name,
        signature=signature(action_of(call), call.masked),
        level=call.level,
        score=call.score,
        environment=call.environment,
        policy_version=call.policy.number,
    )


def record(*events: AuditEvent) -> None:
    """Writes the events. Refuses to do so outside a transaction."""
    if not connection.in_atomic_block:
        raise OutsideTransaction("audit.record must stand in the transaction of the change that it records.")
    AuditEvent.objects.bulk_create(events)
