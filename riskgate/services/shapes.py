"""What services take and answer: frozen values, so that no door ever holds a row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from riskgate.core.action import Action, Hint, Json
from riskgate.core.assessment import Factor, Floor
from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import MESSAGES, NEXT, SUGGESTIONS, TERMINAL, ReasonCode, Status
from riskgate.core.policy import Requirement
from riskgate.core.roles import Actor, ActorKind, Role

# ------------------------------------------------------------------ who asks


@dataclass(frozen=True, slots=True)
class AgentPrincipal:
    """The agent behind a valid API key. It sees and touches only its own calls."""

    key_id: UUID
    agent_id: UUID
    agent_name: str
    team_id: UUID
    environment: str
    scopes: frozenset[str]

    @property
    def actor(self) -> Actor:
        return Actor(ActorKind.AGENT, self.agent_name, self.agent_id)


@dataclass(frozen=True, slots=True)
class Member:
    """A signed-in person in one team."""

    user_id: UUID
    user_name: str
    email: str
    team_id: UUID
    team_name: str
    role: Role

    @property
    def actor(self) -> Actor:
        return Actor(ActorKind.USER, self.user_name, self.user_id)


# ------------------------------------------------------------------ what an agent sends


@dataclass(frozen=True, slots=True)
class Idempotency:
    """An Idempotency-Key with the SHA-256 of the body that came with it."""

    path: str
    key: str
    body_hash: bytes


@dataclass(frozen=True, slots=True)
class Submission:
    """A well-formed submit body. `session` is an id, the caller's own name, or None for a session of its own."""

    function_name: str
    args: Sequence[Json] = ()
    kwargs: Mapping[str, Json] = field(default_factory=dict)
    docstring: str | None = None
    hints: Mapping[str, Hint] = field(default_factory=dict)
    session: str | None = None
    reason: str = ""
    decide_within: int | None = None
    supersedes: UUID | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)

    @property
    def action(self) -> Action:
        return Action(self.function_name, self.args, self.kwargs, self.docstring, self.hints)


# ------------------------------------------------------------------ a call, as everybody reads it


@dataclass(frozen=True, slots=True)
class CallView:
    """One call. Scores in 10⁻⁶, weights in 10⁻⁴, times in UTC. `status` is as shown at the time of reading."""

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
        return SUGGESTIONS[self.reason_code] if self.reason_code else ""


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


# ------------------------------------------------------------------ what the console shows


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One call in the list. `signature` is masked and cut in the middle."""

    id: UUID
    status: Status
    level: Level
    score: int
    signature: str
    agent_name: str
    environment: str
    summary: str
    created_at: datetime
    decide_by: datetime | None
    decided_at: datetime | None
    approvals: int
    seats: int
    unread: bool
    reviewing: bool
    """Somebody other than the reader has a challenge open."""
    stuck: str
    """Why nobody in the team can decide it, in words; else ""."""


@dataclass(frozen=True, slots=True)
class QueueFilter:
    scope: str = "team"
    """`mine` (pending, and this person has not voted), `team` (all pending) or `all` (decided in the last hour too)."""
    level: Level | None = None
    agent_id: UUID | None = None
    function_name: str = ""


@dataclass(frozen=True, slots=True)
class LastDecision:
    actor_name: str
    verb: str
    signature: str
    call_id: UUID
    at: datetime


@dataclass(frozen=True, slots=True)
class QueuePage:
    rows: tuple[QueueRow, ...]
    decided: tuple[QueueRow, ...]
    """Newest first; only in the scope `all`, beside the last page of pending ones."""
    next_cursor: str | None
    pending: int
    """Of the whole team, for the rail."""
    mine: int
    by_level: Mapping[Level, int]
    agents: tuple[tuple[UUID, str], ...]
    functions: tuple[str, ...]
    last_decision: LastDecision | None


@dataclass(frozen=True, slots=True)
class May:
    """The one answer to "may this person decide this call?"; `reason` is a sentence where the answer is no."""

    deny: bool
    approve: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AttemptView:
    """A served challenge, without its answers. `questions` are dicts {prompt, note, kind, options, face}."""

    id: UUID
    kind: str
    seat: int
    number: int
    of: int
    questions: tuple[Mapping[str, Any], ...]
    action_digest: str
    review_seconds: int
    served_at: datetime
    ready_at: datetime
    lease_until: datetime | None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of an approval by several people. `state` is `you`, `free`, `taken` or `filled`; never a name.

    `lease_until` is told of the reader's own seat alone.
    """

    number: int
    challenge: str
    state: str
    lease_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """What an answered challenge came to. `attempts_left` counts this person's further tries.

    `why` is a sentence for the person about an explanation that did not pass; it gives no answer away.
    """

    passed: bool
    right: int
    of: int
    attempts_left: int
    status: Status
    why: str = ""


@dataclass(frozen=True, slots=True)
class EventView:
    """One audit event as a reader may see it. `data` holds what the sentence needs."""

    id: UUID
    at: datetime
    kind: Event
    actor_kind: ActorKind
    actor_id: UUID | None
    actor_name: str
    call_id: UUID | None
    session_id: UUID | None
    agent_name: str
    function_name: str
    signature: str
    level: Level | None
    score: int | None
    environment: str
    policy_version: int | None
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HistoryPage:
    events: tuple[EventView, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class SessionCall:
    """An earlier call of the same session."""

    id: UUID
    created_at: datetime
    signature: str
    level: Level
    status: Status
    reason_code: ReasonCode | None


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that the review page shows of one call."""

    call: CallView
    thresholds: tuple[int, int, int]
    may: May
    attempt: AttemptView | None
    """The reader's own open challenge."""
    attempts_left: int
    seats: tuple[SeatView, ...]
    """Empty where one person approves alone."""
    reviewing: int
    """How many other people have a challenge open."""
    session_so_far: tuple[SessionCall, ...]
    timeline: tuple[EventView, ...]
    decided_by: str
    """Who decided, in one name or several; "" while pending or where nobody was needed."""


@dataclass(frozen=True, slots=True)
class AgentView:
    id: UUID
    name: str
    environment: str
    owner_name: str
    paused: bool
    has_key: bool
    """It has a key that was not revoked."""
    calls: int
    last_call_at: datetime | None
