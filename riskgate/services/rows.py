"""Fetching rows the one safe way: through the team, and locked before the clock is read."""

from datetime import UTC, datetime
from typing import ClassVar
from uuid import UUID

from django.db import connection

from riskgate.core.errors import RiskgateError
from riskgate.core.roles import Role
from riskgate.services.shapes import AgentPrincipal, Member
from riskgate.storage.models import Agent, Call, Membership


class NotFound(RiskgateError):
    """It does not exist, or belongs to somebody else: which of the two is not told."""

    code: ClassVar[str] = "not_found"


class NotAllowed(RiskgateError):
    """The person is known and may not do this."""

    code: ClassVar[str] = "not_allowed"


def clock() -> datetime:
    """The database's time now, not the transaction's start: read it after the lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        row = cursor.fetchone()
    moment: datetime = row[0]
    return moment.astimezone(UTC)


def lock_of_agent(principal: AgentPrincipal, call_id: UUID) -> tuple[Call, datetime]:
    """An agent's own call, locked until the transaction ends, and the time after the lock was had."""
    return _locked(call_id=call_id, agent_id=principal.agent_id, team_id=principal.team_id)


def lock_of_team(member: Member, call_id: UUID) -> tuple[Call, datetime]:
    """A call of the member's team, locked until the transaction ends, and the time after the lock was had."""
    return _locked(call_id=call_id, team_id=member.team_id)


def _locked(*, call_id: UUID, team_id: UUID, agent_id: UUID | None = None) -> tuple[Call, datetime]:
    calls = Call.objects.select_for_update(of=("self",)).filter(id=call_id, team_id=team_id)
    if agent_id is not None:
        calls = calls.filter(agent_id=agent_id)
    call = calls.select_related("session", "policy").first()
    if call is None:
        raise NotFound("There is no such action. Check the id; an agent sees only its own actions.")
    # Held as it is until the commit: a pause waits for what is being decided, and nothing is decided after it. In a
    # statement of its own: what is joined to a row that had to be waited for is as it was before the wait.
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM storage_agent WHERE id = %s FOR SHARE", [call.agent_id])
    at = clock()
    call.agent = Agent.objects.select_related("team").get(id=call.agent_id)
    call.team = call.agent.team
    return call, at


def membership(member: Member) -> Role:
    """The role that this person has in the team right now. Raises NotAllowed where there is none any more."""
    row = (
        Membership.objects.filter(team_id=member.team_id, user_id=member.user_id, user__is_active=True)
        .values_list("role", flat=True)
        .first()
    )
    if row is None:
        raise NotAllowed("You are no longer an active member of this team.")
    return Role(row)
