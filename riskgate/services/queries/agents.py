"""The agents of a team, as everybody in it may read them: keys, numbers of the last 30 days, what they did last."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode
from riskgate.core.roles import Permission, Role, allows
from riskgate.services import cursors, rows
from riskgate.services.queries.lines import lines, short
from riskgate.services.shapes import AgentDetail, AgentPage, AgentRow, KeyView, Member, Numbers, SessionRow
from riskgate.storage.models import Agent, ApiKey, Call, Membership

WINDOW = timedelta(days=30)
"""How far back volume, levels and decisions are counted."""

LAST_CALLS = 10
LOOKED_BACK = 200
"""The runs of so many newest calls are an agent's last ones."""
LAST_SESSIONS = 10
REVOKED_SHOWN = 10

MANAGING_ROLES = [role.value for role in Role if allows(role, Permission.MANAGE_AGENTS)]


def agents(*, member: Member, cursor: str | None, now: datetime, limit: int = 50) -> AgentPage:
    """A page of the team's agents by name, in four queries. Raises CursorInvalid."""
    all_agents = Agent.objects.filter(team_id=member.team_id)
    found = all_agents
    if cursor:
        (after,) = cursors.decode(cursor, _name)
        found = found.filter(name__gt=after)
    page = list(_annotated(found).order_by("name")[: limit + 1])
    more, page = len(page) > limit, page[:limit]
    numbers = _numbers([agent.id for agent in page], now)
    return AgentPage(
        agents=tuple(_row(agent, numbers[agent.id]) for agent in page),
        total=all_agents.count() if more or cursor else len(page),
        next_cursor=cursors.encode(page[-1].name) if more else None,
    )


def agent(*, member: Member, agent_id: UUID, now: datetime) -> AgentDetail:
    """One agent of the team. Raises NotFound."""
    found = _annotated(Agent.objects.filter(id=agent_id, team_id=member.team_id)).first()
    if found is None:
        raise rows.NotFound("There is no such agent in this team.")
    own = Call.objects.filter(agent=found).order_by("-created_at", "-id")
    keys, more_revoked = _keys(ApiKey.objects.filter(agent=found))
    return AgentDetail(
        agent=_row(found, _numbers([found.id], now)[found.id]),
        owner_id=found.owner_id,
        keys=keys,
        more_revoked=more_revoked,
        sessions=_sessions(own),
        calls=lines(list(short(own)[:LAST_CALLS]), now),
    )


def managers(*, member: Member, most: int = 5) -> tuple[str, ...]:
    """The names of people who manage agents in this team, for those who may not."""
    found = Membership.objects.filter(
        team_id=member.team_id, role__in=MANAGING_ROLES, user__is_active=True
    ).order_by("user__name", "user_id")
    return tuple(found.values_list("user__name", flat=True)[:most])


def _name(text: str) -> str:
    """A name out of a cursor, as the database can compare it."""
    text.encode()
    if "\x00" in text or len(text) > 120:
        raise ValueError("no name of an agent")
    return text


def _annotated(agents: QuerySet[Agent]) -> QuerySet[Agent]:
    """With the owner, how many keys work and when the agent last asked; each one step in an index an agent."""
    newest = Call.objects.filter(agent=OuterRef("pk")).order_by("-created_at", "-id").values("created_at")[:1]
    working = ApiKey.objects.filter(agent=OuterRef("pk"), revoked_at=None).order_by()
    counted = working.values("agent").annotate(number=Count("id")).values("number")
    return agents.select_related("owner").annotate(
        last=Subquery(newest), working=Coalesce(Subquery(counted), 0)
    )


def _numbers(agent_ids: Collection[UUID], now: datetime) -> Mapping[UUID, Numbers]:
    """The numbers of these agents, in one query over their calls of the last 30 days."""
    found = (
        Call.objects.filter(agent_id__in=agent_ids, created_at__gte=now - WINDOW)
        .order_by()
        .values_list("agent_id", "level")
        .annotate(
            number=Count("id"),
            approved=Count("id", Q(by_person=True)),
            denied=Count("id", Q(reason_code=ReasonCode.DENIED)),
            returned=Count("id", Q(reason_code=ReasonCode.RETURNED)),
        )
    )
    levels: dict[UUID, dict[Level, int]] = {each: dict.fromkeys(Level, 0) for each in agent_ids}
    decided: dict[UUID, list[int]] = {each: [0, 0, 0] for each in agent_ids}
    for agent_id, level, number, *decisions in found:
        levels[agent_id][Level(level)] = number
        decided[agent_id] = [before + more for before, more in zip(decided[agent_id], decisions, strict=True)]
    return {each: Numbers(levels[each], *decided[each]) for each in agent_ids}


def _row(agent: Agent, numbers: Numbers) -> AgentRow:
    return AgentRow(
        id=agent.id,
        name=agent.name,
        environment=agent.environment,
        owner_name=agent.owner.name if agent.owner else "",
        created_at=agent.created_at,
        paused_at=agent.paused_at,
        keys=agent.working,  # type: ignore[attr-defined]
        last_call_at=agent.last,  # type: ignore[attr-defined]
        numbers=numbers,
    )


def _keys(keys: QuerySet[ApiKey]) -> tuple[tuple[KeyView, ...], bool]:
    """Those that work, the newest first, then the ones revoked last; and whether more are revoked."""
    working = list(keys.filter(revoked_at=None).order_by("-created_at", "-id"))
    revoked = list(keys.exclude(revoked_at=None).order_by("-revoked_at", "-id")[: REVOKED_SHOWN + 1])
    successors = {key.replaces_id: key for key in working if key.replaces_id is not None}

    def view(key: ApiKey) -> KeyView:
        newer = successors.get(key.id)
        return KeyView(
            id=key.id,
            prefix=key.prefix,
            scopes=tuple(key.scopes),
            created_at=key.created_at,
            revoked_at=key.revoked_at,
            replaced_at=newer.created_at if newer else None,
            replaced_by=newer.prefix if newer else "",
        )

    shown = tuple(view(key) for key in (*working, *revoked[:REVOKED_SHOWN]))
    return shown, len(revoked) > REVOKED_SHOWN


def _sessions(own: QuerySet[Call]) -> tuple[SessionRow, ...]:
    """The runs to which the newest calls belong, the one with the newest call first."""
    recent = own.values_list("session_id", flat=True)[:LOOKED_BACK]
    ids = list(dict.fromkeys(recent))[:LAST_SESSIONS]
    found = (
        Call.objects.filter(session_id__in=ids)
        .order_by()
        .values_list("session_id", "session__name", "session__created_at", "session__closed_at")
        .annotate(Max("created_at"), Count("id"), Max("level"))
    )
    told = {
        session_id: SessionRow(session_id, name, opened, closed, newest, calls, Level(highest))
        for session_id, name, opened, closed, newest, calls, highest in found
    }
    return tuple(told[each] for each in ids)
