"""The one door to history. An event is written in the transaction of what it records."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.db import connection

from riskgate.core.events import Event
from riskgate.core.roles import Actor
from riskgate.services.shapes import CallView
from riskgate.storage import statements
from riskgate.storage.models import AuditEvent, Call
from riskgate.storage.models.fields import json_text, uuid7

NewEvent: TypeAlias = Mapping[str, Any]
"""The columns of an event that is not yet written: hand it to `record`."""


class OutsideTransaction(RuntimeError):
    """A programmer's mistake: history and change would not stand or fall together."""


def event(
    kind: Event,
    *,
    actor: Actor,
    at: datetime,
    team_id: UUID | None,
    data: Mapping[str, Any] | None = None,
    call_id: UUID | None = None,
    session_id: UUID | None = None,
    agent_id: UUID | None = None,
    agent_name: str = "",
    function_name: str = "",
    signature: str = "",
    level: int | None = None,
    score: int | None = None,
    environment: str = "",
    policy_version: int | None = None,
) -> NewEvent:
    """What happened, by whom and when; `data` is what the event's sentence needs besides."""
    return {
        "id": uuid7(),
        "at": at,
        "kind": kind.value,
        "team_id": team_id,
        "actor_kind": actor.kind.value,
        "actor_id": actor.id,
        "actor_name": actor.name,
        "call_id": call_id,
        "session_id": session_id,
        "agent_id": agent_id,
        "agent_name": agent_name,
        "function_name": function_name,
        "signature": signature,
        "level": level,
        "score": score,
        "environment": environment,
        "policy_version": policy_version,
        "data": json_text(data or {}),
    }


def call_event(
    kind: Event, call: Call | CallView, *, actor: Actor, at: datetime, data: Mapping[str, Any] | None = None
) -> NewEvent:
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
        agent_name=call.agent_name,
        function_name=call.function_name,
        signature=call.signature,
        level=call.level,
        score=call.score,
        environment=call.environment,
        policy_version=call.policy_version,
    )


def record(*events: NewEvent, along_with: Sequence[statements.Batch] = ()) -> None:
    """Writes the events, in one statement with new rows `along_with` them. Refuses to do so outside a transaction."""
    if not connection.in_atomic_block:
        raise OutsideTransaction("audit.record must stand in the transaction of the change that it records.")
    statements.insert(*along_with, (AuditEvent, events))
