"""A session as people read it: the run of an agent, call after call."""

from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q

from riskgate.core.levels import Level
from riskgate.core.policy import Policy
from riskgate.services import cursors, rows
from riskgate.services.queries.lines import lines, short
from riskgate.services.shapes import Member, RunPage
from riskgate.storage.models import Call, PolicyVersion, Session


def run(*, member: Member, session_id: UUID, cursor: str | None, now: datetime, limit: int = 50) -> RunPage:
    """The last calls of a session of the team, or those before the cursor. Raises NotFound, CursorInvalid."""
    session = (
        Session.objects.select_related("agent__owner").filter(id=session_id, team_id=member.team_id).first()
    )
    if session is None:
        raise rows.NotFound("There is no such session in this team.")
    calls = Call.objects.filter(session=session)
    found = calls
    if cursor:
        at, call_id = cursors.decode(cursor, datetime.fromisoformat, UUID)
        found = found.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=call_id))
    part = list(short(found).order_by("-created_at", "-id")[: limit + 1])
    more, part = len(part) > limit, part[:limit][::-1]
    counted = dict(calls.order_by().values_list("level").annotate(Count("id")))
    until = found.count() if cursor and more else sum(counted.values())
    owner = session.agent.owner
    return RunPage(
        id=session.id,
        name=session.name,
        agent_id=session.agent_id,
        agent_name=session.agent.name,
        environment=session.agent.environment,
        owner_name=owner.name if owner else "",
        created_at=session.created_at,
        closed_at=session.closed_at,
        by_level={level: counted.get(int(level), 0) for level in Level},
        calls=lines(part, now),
        first=1 + (until - len(part) if more else 0),
        thresholds=_thresholds(part),
        earlier_cursor=cursors.encode(part[0].created_at.isoformat(), part[0].id) if more else None,
    )


def _thresholds(part: list[Call]) -> tuple[int, ...]:
    """Where the levels began for these calls; () where a policy between them moved that."""
    versions = PolicyVersion.objects.filter(id__in={call.policy_id for call in part})
    found = {Policy.from_json(version.document).thresholds for version in versions}
    return found.pop() if len(found) == 1 else ()
