"""Every table of riskgate. One noun a file."""

from riskgate.storage.models.agent import Agent, ApiKey
from riskgate.storage.models.audit import AuditEvent
from riskgate.storage.models.call import Call, FactorScore
from riskgate.storage.models.decision import ChallengeAttempt, Grant, Opened, Vote
from riskgate.storage.models.outbox import IdempotencyKey, Outbox
from riskgate.storage.models.policy import PolicyVersion
from riskgate.storage.models.session import Function, FunctionCount, Session
from riskgate.storage.models.team import Invitation, Membership, Team
from riskgate.storage.models.user import User

__all__ = [
    "Agent",
    "ApiKey",
    "AuditEvent",
    "Call",
    "ChallengeAttempt",
    "FactorScore",
    "Function",
    "FunctionCount",
    "Grant",
    "IdempotencyKey",
    "Invitation",
    "Membership",
    "Opened",
    "Outbox",
    "PolicyVersion",
    "Session",
    "Team",
    "User",
    "Vote",
]
