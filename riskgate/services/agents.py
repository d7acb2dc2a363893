"""Agents and their keys: registered, paused and given keys by the admins of their team."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Subquery

from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.roles import ActorKind, Permission, allows
from riskgate.services import audit, rows
from riskgate.services.shapes import AgentPrincipal, AgentView, FirstSteps, Member
from riskgate.storage import statements
from riskgate.storage.models import Agent, ApiKey, AuditEvent, Call

PREFIX = "rg_"

DECIDED = (Event.APPROVED, Event.DENIED, Event.RETURNED, Event.REVOKED)

KEYS = 20
"""So many keys of one agent may work at a time: a list of keys that nobody can take in guards nothing."""


class NameTaken(RiskgateError):
    code: ClassVar[str] = "name_taken"


class TooManyKeys(RiskgateError):
    code: ClassVar[str] = "too_many_keys"


class KeyRevoked(RiskgateError):
    code: ClassVar[str] = "key_revoked"


class KeyReplaced(RiskgateError):
    """A newer key was made for it already, and still works."""

    code: ClassVar[str] = "key_replaced"


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
        raise rows.NotAllowed(
            "Only an admin of the team registers agents, makes and revokes their keys, and pauses them."
        )


def _of_team(member: Member, agent_id: UUID, *, lock: bool = False) -> Agent:
    """The agent; with `lock` nobody else changes it or its keys meanwhile. The lock is the weaker one, which the
    submissions of the agent do not wait for, and which does not wait for them."""
    agents = Agent.objects.filter(id=agent_id, team_id=member.team_id)
    agent = (agents.select_for_update(no_key=True) if lock else agents).first()
    if agent is None:
        raise rows.NotFound("There is no such agent in this team.")
    return agent


def _record(kind: Event, member: Member, agent: Agent, at: datetime, **more: Any) -> None:
    audit.record(
        audit.event(
            kind,
            actor=member.actor,
            at=at,
            team_id=agent.team_id,
            agent_id=agent.id,
            agent_name=agent.name,
            **more,
        )
    )


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
    _record(
        Event.AGENT_REGISTERED, member, agent, now, environment=environment, data={"environment": environment}
    )
    return agent.id


# ------------------------------------------------------------------ keys


@transaction.atomic
def make_key(*, member: Member, agent_id: UUID, scopes: Collection[str] = (), now: datetime) -> str:
    """A new key, answered this once. Raises NotAllowed, NotFound, TooManyKeys."""
    _manager(member)
    return _new_key(member, _of_team(member, agent_id, lock=True), scopes, None, now)


@transaction.atomic
def rotate_key(*, member: Member, agent_id: UUID, key_id: UUID, now: datetime) -> str:
    """A new key with the scopes of an older one, answered this once. The older one works until it is revoked, so that
    the agent is never without. Raises NotAllowed, NotFound, KeyRevoked, KeyReplaced, TooManyKeys."""
    _manager(member)
    agent = _of_team(member, agent_id, lock=True)
    old = _key(agent, key_id)
    if old.revoked_at is not None:
        raise KeyRevoked(f"The key {old.prefix}… is revoked. Make a new one.")
    if old.replaced_by.filter(revoked_at=None).exists():
        raise KeyReplaced(f"The key {old.prefix}… has its successor already. Revoke one of the two first.")
    return _new_key(member, agent, old.scopes, old, now)


@transaction.atomic
def revoke_key(*, member: Member, agent_id: UUID, key_id: UUID, now: datetime) -> None:
    """The next request with this key is refused. Revoking it again changes nothing. Raises NotAllowed, NotFound."""
    _manager(member)
    agent = _of_team(member, agent_id, lock=True)
    key = _key(agent, key_id)
    if key.revoked_at is not None:
        return
    key.revoked_at = now
    key.save(update_fields=("revoked_at",))
    _record(Event.KEY_REVOKED, member, agent, now, data={"key": key.prefix})


def _key(agent: Agent, key_id: UUID) -> ApiKey:
    key = ApiKey.objects.filter(id=key_id, agent=agent).first()
    if key is None:
        raise rows.NotFound("There is no such key of this agent.")
    return key


def _new_key(
    member: Member, agent: Agent, scopes: Collection[str], replaces: ApiKey | None, now: datetime
) -> str:
    if ApiKey.objects.filter(agent=agent, revoked_at=None).count() >= KEYS:
        raise TooManyKeys(f"{agent.name} has {KEYS} keys that work. Revoke one that is not needed any more.")
    token = PREFIX + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        agent=agent,
        prefix=token[:10],
        token_hash=_hash(token),
        scopes=sorted(scopes),
        created_at=now,
        replaces=replaces,
    )
    replaced = {"replaces": replaces.prefix} if replaces is not None else {}
    _record(Event.KEY_MADE, member, agent, now, data={"key": key.prefix, "scopes": key.scopes, **replaced})
    return token


# ------------------------------------------------------------------ pausing


def pause(*, member: Member, agent_id: UUID, now: datetime) -> None:
    """From now on nothing of this agent is approved or claimed. Raises NotAllowed, NotFound."""
    _set_paused(member, agent_id, now, Event.AGENT_PAUSED)


def resume(*, member: Member, agent_id: UUID, now: datetime) -> None:
    """Ends a pause. Raises NotAllowed, NotFound."""
    _set_paused(member, agent_id, now, Event.AGENT_RESUMED)


@transaction.atomic
def _set_paused(member: Member, agent_id: UUID, now: datetime, kind: Event) -> None:
    _manager(member)
    agent = _of_team(member, agent_id, lock=True)
    paused = kind is Event.AGENT_PAUSED
    if paused == (agent.paused_at is not None):
        return
    agent.paused_at = now if paused else None
    agent.save(update_fields=("paused_at",))
    _record(kind, member, agent, now)


# ------------------------------------------------------------------ looking


def stand_in(*, member: Member, agent_id: UUID) -> AgentPrincipal:
    """The agent itself, for an admin who sends an example in its name. Raises NotAllowed, NotFound."""
    _manager(member)
    agent = _of_team(member, agent_id)
    return AgentPrincipal(
        key_id=agent.id,
        agent_id=agent.id,
        agent_name=agent.name,
        team_id=agent.team_id,
        environment=agent.environment,
        scopes=frozenset(),
    )


def listing(*, member: Member, most: int = 100) -> tuple[AgentView, ...]:
    """The first agents of the team by name, in a few words; `queries.agents` tells more, and in pages."""
    newest = Call.objects.filter(agent=OuterRef("pk")).order_by("-created_at", "-id").values("created_at")[:1]
    agents = (
        Agent.objects.filter(team_id=member.team_id)
        .select_related("owner")
        .annotate(
            last=Subquery(newest),
            has_key=Exists(ApiKey.objects.filter(agent=OuterRef("pk"), revoked_at=None)),
        )
        .order_by("name")[:most]
    )
    return tuple(
        AgentView(
            id=agent.id,
            name=agent.name,
            environment=agent.environment,
            owner_name=agent.owner.name if agent.owner else "",
            paused=agent.paused_at is not None,
            has_key=agent.has_key,
            last_call_at=agent.last,
        )
        for agent in agents
    )


def first_steps(*, member: Member) -> FirstSteps:
    """How far the team has come on the way to its first decision."""
    return FirstSteps(
        agent=Agent.objects.filter(team_id=member.team_id).exists(),
        key=ApiKey.objects.filter(agent__team_id=member.team_id, revoked_at=None).exists(),
        call=Call.objects.filter(team_id=member.team_id).exists(),
        decision=AuditEvent.objects.filter(
            team_id=member.team_id, actor_kind=ActorKind.USER, kind__in=DECIDED
        ).exists(),
    )
