"""Agents and their keys."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, Max, OuterRef

from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.roles import Permission, allows
from riskgate.services import audit, rows
from riskgate.services.shapes import AgentPrincipal, AgentView, Member
from riskgate.storage import statements
from riskgate.storage.models import Agent, ApiKey

PREFIX = "rg_"


class NameTaken(RiskgateError):
    code: ClassVar[str] = "name_taken"


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


_AUTHENTICATE = """
SELECT key.id, key.scopes, agent.id, agent.name, agent.team_id, agent.environment
FROM storage_apikey AS key JOIN storage_agent AS agent ON agent.id = key.agent_id
WHERE key.token_hash = %s AND key.revoked_at IS NULL
"""


def authenticate(*, token: str) -> AgentPrincipal | None:
    """The agent whose key this is; None where it is unknown or revoked. One indexed look-up of a hash."""
    if not token.startswith(PREFIX) or not token.isascii():
        return None
    found = statements.fetch(_AUTHENTICATE, [_hash(token)])
    if not found:
        return None
    key_id, scopes, agent_id, name, team_id, environment = found[0]
    return AgentPrincipal(key_id, agent_id, name, team_id, environment, frozenset(scopes))


def _manager(member: Member) -> None:
    if not allows(rows.membership(member), Permission.MANAGE_AGENTS):
        raise rows.NotAllowed("Only an admin of the team registers agents and makes keys.")


@transaction.atomic
def register(*, member: Member, name: str, environment: str, now: datetime) -> UUID:
    """A new agent, owned by the admin who registers it. Raises NotAllowed, NameTaken."""
    _manager(member)
    try:
        with transaction.atomic():
            agent = Agent.objects.create(
                team_id=member.team_id,
                name=name,
                environment=environment,
                owner_id=member.user_id,
                created_at=now,
            )
    except IntegrityError as error:
        raise NameTaken(f"The team already has an agent named {name}. Choose another name.") from error
    data = {"environment": environment}
    audit.record(
        audit.event(
            Event.AGENT_REGISTERED,
            actor=member.actor,
            at=now,
            team_id=member.team_id,
            agent_id=agent.id,
            agent_name=name,
            environment=environment,
            data=data,
        )
    )
    return agent.id


@transaction.atomic
def make_key(*, member: Member, agent_id: UUID, scopes: Collection[str] = (), now: datetime) -> str:
    """A new key, answered this once. Raises NotAllowed, NotFound."""
    _manager(member)
    agent = Agent.objects.filter(id=agent_id, team_id=member.team_id).first()
    if agent is None:
        raise rows.NotFound("There is no such agent in this team.")
    token = PREFIX + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        agent=agent, prefix=token[:10], token_hash=_hash(token), scopes=sorted(scopes), created_at=now
    )
    audit.record(
        audit.event(
            Event.KEY_MADE,
            actor=member.actor,
            at=now,
            team_id=member.team_id,
            agent_id=agent.id,
            agent_name=agent.name,
            data={"key": key.prefix, "scopes": key.scopes},
        )
    )
    return token


def stand_in(*, member: Member, agent_id: UUID) -> AgentPrincipal:
    """The agent itself, for an admin who sends an example in its name. Raises NotAllowed, NotFound."""
    _manager(member)
    agent = Agent.objects.filter(id=agent_id, team_id=member.team_id).first()
    if agent is None:
        raise rows.NotFound("There is no such agent in this team.")
    return AgentPrincipal(
        key_id=agent.id,
        agent_id=agent.id,
        agent_name=agent.name,
        team_id=agent.team_id,
        environment=agent.environment,
        scopes=frozenset(),
    )


def pause(*, member: Member, agent_id: UUID, now: datetime) -> None:
    """From now on nothing of this agent is approved or claimed. Raises NotAllowed, NotFound."""
    _set_paused(member, agent_id, now, Event.AGENT_PAUSED)


def resume(*, member: Member, agent_id: UUID, now: datetime) -> None:
    """Ends a pause. Raises NotAllowed, NotFound."""
    _set_paused(member, agent_id, now, Event.AGENT_RESUMED)


@transaction.atomic
def _set_paused(member: Member, agent_id: UUID, now: datetime, kind: Event) -> None:
    _manager(member)
    agent = Agent.objects.select_for_update().filter(id=agent_id, team_id=member.team_id).first()
    if agent is None:
        raise rows.NotFound("There is no such agent in this team.")
    paused = kind is Event.AGENT_PAUSED
    if paused == (agent.paused_at is not None):
        return
    agent.paused_at = now if paused else None
    agent.save(update_fields=("paused_at",))
    audit.record(
        audit.event(
            kind, actor=member.actor, at=now, team_id=agent.team_id, agent_id=agent.id, agent_name=agent.name
        )
    )


def listing(*, member: Member) -> tuple[AgentView, ...]:
    """The team's agents by name, with how much each has asked."""
    agents = (
        Agent.objects.filter(team_id=member.team_id)
        .select_related("owner")
        .annotate(calls=Count("call"), last=Max("call__created_at"))
        .annotate(has_key=Exists(ApiKey.objects.filter(agent=OuterRef("pk"), revoked_at=None)))
        .order_by("name")
    )
    return tuple(
        AgentView(
            id=agent.id,
            name=agent.name,
            environment=agent.environment,
            owner_name=agent.owner.name if agent.owner else "",
            paused=agent.paused_at is not None,
            has_key=agent.has_key,
            calls=agent.calls,
            last_call_at=agent.last,
        )
        for agent in agents
    )
