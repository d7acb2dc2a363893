"""What a score depends on beside the action itself: the session, its counts, and what is remembered.

A submission of one action and one of a thousand take the same few statements. Locks are taken in one order everywhere
(sessions, then counts, each sorted), so that two submissions cannot wait for each other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.policy import Policy
from riskgate.services import audit, policies
from riskgate.services.shapes import AgentPrincipal
from riskgate.storage import statements
from riskgate.storage.models import Session
from riskgate.storage.models.fields import uuid7


class SessionClosed(RiskgateError):
    code: ClassVar[str] = "session_closed"


@dataclass(frozen=True, slots=True)
class Sender:
    """Who submits, and under which policy, as it stands at this moment."""

    owner_id: UUID | None
    owner_name: str
    policy_id: UUID
    policy: Policy
    policy_version: int


@dataclass(frozen=True, slots=True)
class KnownSession:
    id: UUID
    name: str
    closed: bool = False


Place = tuple[UUID, str]
"""A session and a function called in it."""


@dataclass(slots=True)
class Memory:
    """What is known of functions before the next action is scored; `gate` keeps it up to date through a batch.

    calls       how many calls of a function a session has made before
    ratchets    the highest level of one of them that no person approved
    docstrings  the riskiest docstring that the team has seen for a function, with its score in 10⁻⁶
    """

    calls: dict[Place, int]
    ratchets: dict[Place, Level]
    docstrings: dict[str, tuple[str, int]]
    learned: set[str] = field(default_factory=set)
    """Functions whose docstring is to be kept."""


# The session is locked against being closed until the calls are stored; submissions do not wait for each other.
_SENDER = """
SELECT agent.owner_id, coalesce(owner.name, ''), team.policy_id, session.id, session.name, session.closed_at
FROM storage_agent AS agent
JOIN storage_team AS team ON team.id = agent.team_id
LEFT JOIN storage_user AS owner ON owner.id = agent.owner_id
LEFT JOIN LATERAL (
    SELECT id, name, closed_at FROM storage_session WHERE id IN (
        SELECT id FROM storage_session WHERE agent_id = agent.id AND name = ANY(%s::text[])
        UNION
        SELECT id FROM storage_session WHERE agent_id = agent.id AND id = ANY(%s::uuid[])
    ) FOR SHARE
) AS session ON true
WHERE agent.id = %s
"""

_OPEN = """
INSERT INTO storage_session (id, team_id, agent_id, name, created_at)
SELECT given.id, %s, %s, given.name, %s FROM unnest(%s::uuid[], %s::text[]) AS given(id, name) ORDER BY given.name
ON CONFLICT (agent_id, name) DO NOTHING RETURNING id, name
"""

_COUNT = """
WITH counted AS (
    INSERT INTO storage_functioncount (session_id, function_name, calls)
    SELECT * FROM unnest(%s::uuid[], %s::text[], %s::int[]) AS given(session, function, calls) ORDER BY 1, 2
    ON CONFLICT (session_id, function_name) DO UPDATE SET calls = storage_functioncount.calls + excluded.calls
    RETURNING session_id, function_name, calls
)
SELECT counted.session_id, counted.function_name, counted.calls, known.riskiest_docstring, known.docstring_score
FROM counted LEFT JOIN storage_function AS known ON known.team_id = %s AND known.name = counted.function_name
"""

# Cancelled, expired, denied and returned count as well as pending: none of them is a person's consent.
_RATCHETS = """
SELECT given.session, given.function, highest.level
FROM unnest(%s::uuid[], %s::text[]) AS given(session, function)
CROSS JOIN LATERAL (
    SELECT level FROM storage_call
    WHERE session_id = given.session AND function_name = given.function AND NOT by_person AND level > 1
    AND status IN ('pending', 'denied', 'returned', 'expired', 'cancelled')
    ORDER BY level DESC LIMIT 1
) AS highest
"""

_LEARN = """
INSERT INTO storage_function (team_id, name, riskiest_docstring, docstring_score)
SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::int[]) AS given(name, docstring, score) ORDER BY given.name
ON CONFLICT (team_id, name) DO UPDATE SET
    riskiest_docstring = excluded.riskiest_docstring, docstring_score = excluded.docstring_score
WHERE storage_function.docstring_score < excluded.docstring_score
"""


def sender(
    principal: AgentPrincipal, names: Sequence[str], *, now: datetime
) -> tuple[Sender, list[KnownSession]]:
    """Who submits, and the session of each of `names`: an id, or the agent's own word, made on first use.

    Raises SessionClosed, whose `details["index"]` is the position in `names`.
    """
    ids = {name: parsed for name in set(names) if (parsed := _uuid(name)) is not None}
    wanted = sorted(set(names))
    found = statements.fetch(_SENDER, [wanted, list(ids.values()), principal.agent_id])
    owner_id, owner_name, policy_id = found[0][:3]
    known = {row[3]: row for row in found if row[3] is not None}
    named = {row[4]: row for row in known.values()}
    rows = {name: known.get(ids.get(name)) or named.get(name) for name in wanted}
    missing = [name for name, row in rows.items() if row is None]
    made = open_sessions(principal, missing, now=now) if missing else {}
    sessions = []
    for index, name in enumerate(names):
        row = rows[name]
        session = made[name] if row is None else KnownSession(row[3], row[4], closed=row[5] is not None)
        if session.closed:
            raise SessionClosed(f"The session {session.name} is closed. Name another one.", index=index)
        sessions.append(session)
    policy, version = policies.published(policy_id)
    return Sender(owner_id, owner_name, policy_id, policy, version), sessions


def _uuid(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None


def open_sessions(
    principal: AgentPrincipal, names: Sequence[str], *, now: datetime
) -> Mapping[str, KnownSession]:
    """The agent's sessions of these names, made on first use; two at once get the same one.

    One that somebody else made at this moment may be closed by now.
    """
    made = statements.fetch(
        _OPEN, [principal.team_id, principal.agent_id, now, [uuid7() for _ in names], list(names)]
    )
    sessions = {name: KnownSession(session_id, name) for session_id, name in made}
    if sessions:
        opened = [
            session_event(Event.SESSION_OPENED, session, principal=principal, at=now)
            for session in sessions.values()
        ]
        audit.record(*opened)
    there = [name for name in names if name not in sessions]
    if there:
        for row in statements.fetch(_SENDER, [there, [], principal.agent_id]):
            sessions[row[4]] = KnownSession(row[3], row[4], closed=row[5] is not None)
    return sessions


def session_event(
    kind: Event, session: KnownSession | Session, *, principal: AgentPrincipal, at: datetime
) -> audit.NewEvent:
    """An event about a session of this agent."""
    return audit.event(
        kind,
        actor=principal.actor,
        at=at,
        team_id=principal.team_id,
        session_id=session.id,
        agent_id=principal.agent_id,
        agent_name=principal.agent_name,
        data={"session": session.name},
    )


def count(principal: AgentPrincipal, places: Iterable[Place]) -> Memory:
    """Takes the next number of each place and answers what was known before.

    The counts stay locked until the calls are stored: two calls at the same moment get two numbers. The ratchet is
    read after that in a statement of its own, so that it sees what was stored while the lock was waited for.
    """
    taken = Counter(places)
    rows = statements.fetch(
        _COUNT,
        [
            [place[0] for place in taken],
            [place[1] for place in taken],
            list(taken.values()),
            principal.team_id,
        ],
    )
    calls = {(row[0], row[1]): row[2] - taken[row[0], row[1]] for row in rows}
    docstrings = {row[1]: (row[3], row[4]) for row in rows if row[3] is not None}
    repeated = [place for place, before in calls.items() if before]
    ratchets = {}
    if repeated:
        found = statements.fetch(
            _RATCHETS, [[place[0] for place in repeated], [place[1] for place in repeated]]
        )
        ratchets = {(row[0], row[1]): Level(row[2]) for row in found}
    return Memory(calls, ratchets, docstrings)


def learn(principal: AgentPrincipal, memory: Memory) -> None:
    """Keeps the riskiest docstrings: what was said of a function cannot be un-said by leaving it out later."""
    names = sorted(memory.learned)
    if names:
        docstrings = [memory.docstrings[name] for name in names]
        texts, scores = [text for text, _ in docstrings], [score for _, score in docstrings]
        statements.fetch(_LEARN, [principal.team_id, names, texts, scores])
