"""The states of a call and every move between them, as one table. Start reading here."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Status(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    RETURNED = "returned"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    REVOKED = "revoked"
    EXECUTING = "executing"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    UNKNOWN = "unknown"


class ReasonCode(StrEnum):
    AUTO_APPROVED = "auto_approved"
    APPROVED = "approved"
    DENIED = "denied"
    REFUSED_BY_RULE = "refused_by_rule"
    RETURNED = "returned"
    EXPIRED_UNDECIDED = "expired_undecided"
    EXPIRED_UNCLAIMED = "expired_unclaimed"
    CANCELLED = "cancelled"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Transition:
    """`source` is None for the submission itself. `verb` is what the diagram and the errors call the move."""

    source: Status | None
    target: Status
    who: str
    verb: str


TRANSITIONS: tuple[Transition, ...] = (
    Transition(None, Status.APPROVED, "system", "submit, nobody is needed"),
    Transition(None, Status.DENIED, "system", "submit, a rule refuses"),
    Transition(None, Status.PENDING, "system", "submit, people are needed"),
    Transition(Status.PENDING, Status.APPROVED, "operator", "approve"),
    Transition(Status.PENDING, Status.DENIED, "operator", "deny"),
    Transition(Status.PENDING, Status.RETURNED, "operator", "send back"),
    Transition(Status.PENDING, Status.CANCELLED, "agent, owner", "cancel"),
    Transition(Status.PENDING, Status.EXPIRED, "clock", "decide-by passes"),
    Transition(Status.APPROVED, Status.CANCELLED, "agent, owner", "cancel"),
    Transition(Status.APPROVED, Status.EXPIRED, "clock", "use-by passes"),
    Transition(Status.APPROVED, Status.REVOKED, "operator", "revoke"),
    Transition(Status.APPROVED, Status.EXECUTING, "agent", "claim"),
    Transition(Status.EXECUTING, Status.SUCCEEDED, "agent", "report success"),
    Transition(Status.EXECUTING, Status.FAILED, "agent", "report failure"),
    Transition(Status.EXECUTING, Status.UNKNOWN, "clock", "no report in time"),
)

ALLOWED: frozenset[tuple[Status | None, Status]] = frozenset((t.source, t.target) for t in TRANSITIONS)

TERMINAL: frozenset[Status] = frozenset(Status) - {t.source for t in TRANSITIONS if t.source is not None}

NEXT: dict[Status, str] = {
    **dict.fromkeys(Status, "stop"),
    Status.PENDING: "wait",
    Status.APPROVED: "claim",
    Status.EXECUTING: "report",
    Status.RETURNED: "revise",
}
"""What the agent should do now, so that a model needs no table of states."""


def shown(
    status: Status,
    *,
    decide_by: datetime | None,
    use_by: datetime | None,
    outcome_by: datetime | None,
    now: datetime,
) -> Status:
    """The status that a reader is told: a row past its time reads as what the sweeper will make of it."""
    if status is Status.PENDING and decide_by is not None and decide_by <= now:
        return Status.EXPIRED
    if status is Status.APPROVED and use_by is not None and use_by <= now:
        return Status.EXPIRED
    if status is Status.EXECUTING and outcome_by is not None and outcome_by <= now:
        return Status.UNKNOWN
    return status


def diagram() -> str:
    """The table as text, one line a status: the README's diagram is this, word for word."""
    lines = []
    for source in (None, *Status):
        moves = [t for t in TRANSITIONS if t.source == source]
        name = source.value if source else "submit"
        if not moves:
            continue
        width = max(len(t.target.value) for t in moves)
        lines += [f"{name:<10} ► {t.target.value:<{width}}  {t.who}: {t.verb}" for t in moves]
    return "\n".join(lines)


SUGGESTIONS: dict[ReasonCode, str] = {
    ReasonCode.AUTO_APPROVED: "Claim it before its use-by time.",
    ReasonCode.APPROVED: "Claim it before its use-by time.",
    ReasonCode.DENIED: "Do not run it. Do not submit it again unchanged; ask the person you work for.",
    ReasonCode.REFUSED_BY_RULE: "Do not run it. A rule of the team refuses it whatever the reason.",
    ReasonCode.RETURNED: "Read the message, change the action, and submit it again with `supersedes` set to this id.",
    ReasonCode.EXPIRED_UNDECIDED: "Nobody decided in time. Submit it again if it is still needed.",
    ReasonCode.EXPIRED_UNCLAIMED: "The approval was not claimed in time. Submit it again if it is still needed.",
    ReasonCode.CANCELLED: "Nothing more to do.",
    ReasonCode.REVOKED: "Do not run it. Ask the person you work for.",
}
"""What the agent should do about a decision."""

SUGGESTIONS_AFTER_CLAIM: dict[Status, str] = {
    Status.EXECUTING: "Run it once, and report how it went.",
    Status.SUCCEEDED: "Nothing more to do.",
    Status.FAILED: "Nothing more to do here. Submit it again if it is still needed.",
    Status.UNKNOWN: "Do not run it again: it may have run. Ask the person you work for.",
}
"""What it should do once it has claimed, whatever the decision was."""

MESSAGES: dict[ReasonCode, str] = {
    ReasonCode.AUTO_APPROVED: "Nobody is needed at this level.",
    ReasonCode.APPROVED: "Approved.",
    ReasonCode.DENIED: "Denied.",
    ReasonCode.REFUSED_BY_RULE: "A rule of the team refuses this.",
    ReasonCode.RETURNED: "Sent back to be changed.",
    ReasonCode.EXPIRED_UNDECIDED: "Nobody decided in time.",
    ReasonCode.EXPIRED_UNCLAIMED: "It was approved and not claimed in time.",
    ReasonCode.CANCELLED: "Withdrawn.",
    ReasonCode.REVOKED: "The approval was taken back before it was claimed.",
}
"""What a decision says where nobody wrote a sentence of their own."""
