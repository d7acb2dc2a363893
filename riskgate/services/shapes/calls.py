"""A call, as everybody reads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from riskgate.core.action import Action, Json
from riskgate.core.assessment import Factor, Floor
from riskgate.core.levels import Level
from riskgate.core.lifecycle import (
    MESSAGES,
    NEXT,
    SUGGESTIONS,
    SUGGESTIONS_AFTER_CLAIM,
    TERMINAL,
    ReasonCode,
    Status,
)
from riskgate.core.policy import Requirement


@dataclass(frozen=True, slots=True)
class CallView:
    """One call. Scores in 10⁻⁶, weights in 10⁻⁴, times in UTC. `status` is as shown at the time of reading.

    `signature` is the call in one masked, shortened line.
    """

    id: UUID
    team_id: UUID
    agent_id: UUID
    agent_name: str
    owner_id: UUID | None
    owner_name: str
    environment: str
    session_id: UUID
    session_name: str
    action: Action
    reason: str
    metadata: Mapping[str, Json]
    supersedes: UUID | None
    status: Status
    revision: int
    score: int
    score_level: Level
    level: Level
    factors: tuple[Factor, ...]
    floors: tuple[Floor, ...]
    summary: str
    masked: frozenset[str]
    signature: str
    requirement: Requirement
    approvals: int
    action_digest: str
    nonce: str
    policy_version: int
    prior_calls: int
    created_at: datetime
    decide_by: datetime | None
    use_by: datetime | None
    outcome_by: datetime | None
    reason_code: ReasonCode | None
    message: str
    decided_at: datetime | None
    finished_at: datetime | None
    output: Json
    error: str | None

    @property
    def function_name(self) -> str:
        return self.action.function_name

    @property
    def terminal(self) -> bool:
        return self.status in TERMINAL

    @property
    def next(self) -> str:
        return NEXT[self.status]

    @property
    def decision_message(self) -> str:
        """What a person wrote, else the reason code's own sentence; "" while undecided."""
        return self.message or (MESSAGES[self.reason_code] if self.reason_code else "")

    @property
    def suggestion(self) -> str:
        """What the agent should do now; "" while undecided."""
        decided = SUGGESTIONS[self.reason_code] if self.reason_code else ""
        return SUGGESTIONS_AFTER_CLAIM.get(self.status, decided)


@dataclass(frozen=True, slots=True)
class SubmitAnswer:
    """`replayed` says that the Idempotency-Key had been seen and nothing was stored."""

    call: CallView
    replayed: bool


@dataclass(frozen=True, slots=True)
class CallPage:
    """Newest first. `next_cursor` is None on the last page."""

    calls: tuple[CallView, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class GrantView:
    """A compact JWS and the time until which it can be claimed again under the same key."""

    token: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SessionView:
    id: UUID
    name: str
    agent_id: UUID
    agent_name: str
    created_at: datetime
    closed_at: datetime | None
    calls: int
