"""What services take and answer: frozen values, so that no door ever holds a row."""

from riskgate.services.shapes.asking import (
    AgentPrincipal,
    Idempotency,
    Member,
    Submission,
)
from riskgate.services.shapes.calls import (
    CallPage,
    CallView,
    GrantView,
    SessionView,
    SubmitAnswer,
)
from riskgate.services.shapes.console import (
    AgentView,
    AnswerResult,
    AttemptView,
    EventView,
    HistoryPage,
    LastDecision,
    May,
    QueueFilter,
    QueuePage,
    QueueRow,
    Review,
    SeatView,
    SessionCall,
)

__all__ = [
    "AgentPrincipal",
    "AgentView",
    "AnswerResult",
    "AttemptView",
    "CallPage",
    "CallView",
    "EventView",
    "GrantView",
    "HistoryPage",
    "Idempotency",
    "LastDecision",
    "May",
    "Member",
    "QueueFilter",
    "QueuePage",
    "QueueRow",
    "Review",
    "SeatView",
    "SessionCall",
    "SessionView",
    "Submission",
    "SubmitAnswer",
]
