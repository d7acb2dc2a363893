"""Agents, their keys and their runs, as the people of a team read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status


@dataclass(frozen=True, slots=True)
class AgentView:
    """An agent in a few words."""

    id: UUID
    name: str
    environment: str
    owner_name: str
    paused: bool
    has_key: bool
    """It has a key that was not revoked."""
    last_call_at: datetime | None


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """How far a team has come: whether there is an agent, a key, an action, a decision of a person."""

    agent: bool
    key: bool
    call: bool
    decision: bool


@dataclass(frozen=True, slots=True)
class Numbers:
    """What was asked in a span of time, by level, and how people decided it. Every level is there, zeros too.

    `approved` counts what a person ever approved, whatever became of it later; nothing that needed nobody.
    """

    by_level: Mapping[Level, int]
    approved: int = 0
    denied: int = 0
    returned: int = 0

    @property
    def volume(self) -> int:
        return sum(self.by_level.values())

    @property
    def decided(self) -> int:
        """By people."""
        return self.approved + self.denied + self.returned


@dataclass(frozen=True, slots=True)
class AgentRow:
    """An agent in the list. `numbers` are those of the last 30 days; `keys` counts what was not revoked."""

    id: UUID
    name: str
    environment: str
    owner_name: str
    created_at: datetime
    paused_at: datetime | None
    keys: int
    last_call_at: datetime | None
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class AgentPage:
    """By name. `next_cursor` is None on the last page; `total` counts the agents of the team."""

    agents: tuple[AgentRow, ...]
    total: int
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class KeyView:
    """A key, by its first characters. `replaced_at` is when a newer one was made to take its place: until it is
    revoked it works as before."""

    id: UUID
    prefix: str
    scopes: tuple[str, ...]
    created_at: datetime
    revoked_at: datetime | None
    replaced_at: datetime | None
    replaced_by: str
    """The first characters of the newer key; else ""."""


@dataclass(frozen=True, slots=True)
class CallLine:
    """One call in a list. `signature` is masked and on one line; `status` is as shown at the time of reading.

    approved_by  the people who approved it, once it is decided; "" where nobody was needed
    ended_by     who denied it, sent it back, revoked it or withdrew it; "" for a rule
    withdrawn_by_agent  it was the agent itself that withdrew it
    """

    id: UUID
    created_at: datetime
    signature: str
    level: Level
    score: int
    status: Status
    reason_code: ReasonCode | None
    decide_by: datetime | None
    approvals: int
    seats: int
    approved_by: str
    ended_by: str
    withdrawn_by_agent: bool


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A run in the list of its agent. `highest` is its highest level."""

    id: UUID
    name: str
    created_at: datetime
    closed_at: datetime | None
    last_call_at: datetime
    calls: int
    highest: Level


@dataclass(frozen=True, slots=True)
class AgentDetail:
    """One agent with its keys (those that work first), and what it did last, newest first."""

    agent: AgentRow
    owner_id: UUID | None
    keys: tuple[KeyView, ...]
    more_revoked: bool
    """More keys were revoked than `keys` holds: these are the last."""
    sessions: tuple[SessionRow, ...]
    calls: tuple[CallLine, ...]


@dataclass(frozen=True, slots=True)
class RunPage:
    """A part of a session, oldest first: without a cursor its end. The first call of the part is number `first`.

    by_level    the calls of the whole session
    thresholds  in 10⁻⁶, where all calls of the part met the same; else ()
    """

    id: UUID
    name: str
    agent_id: UUID
    agent_name: str
    environment: str
    owner_name: str
    created_at: datetime
    closed_at: datetime | None
    by_level: Mapping[Level, int]
    calls: tuple[CallLine, ...]
    first: int
    thresholds: tuple[int, ...]
    earlier_cursor: str | None

    @property
    def total(self) -> int:
        return sum(self.by_level.values())
