"""What the console shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.roles import ActorKind
from riskgate.services.shapes.calls import CallView


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
    reviewing_until: datetime | None
    """Somebody other than the reader is at it, as far as is known until then; None where nobody is."""
    stuck: str
    """Why nobody in the team can decide it, in words; else ""."""


@dataclass(frozen=True, slots=True)
class QueueFilter:
    scope: str = "team"
    """`mine` (pending, and this person has not voted), `team` (all pending) or `all` (decided in the last hour too)."""
    level: Level | None = None
    agent_id: UUID | None = None
    function_name: str = ""
    text: str = ""
    """Found in the row as it is shown, so masked values are never searched; case makes no difference."""


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
    """The reader's own open challenge; None as well where somebody took its seat after its lease."""
    attempts_left: int
    stuck: str
    """Why nobody in the team can approve it, in words; else ""."""
    seats: tuple[SeatView, ...]
    """Empty where one person approves alone."""
    reviewing_until: datetime | None
    """As in `QueueRow`."""
    session_so_far: tuple[SessionCall, ...]
    timeline: tuple[EventView, ...]
    decided_by: str
    """Who decided, in one name or several; "" while pending or where nobody was needed."""
