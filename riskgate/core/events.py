"""Every kind of audit event. A kind added here fails the tests until the console has its sentence."""

from enum import StrEnum


class Event(StrEnum):
    SUBMITTED = "action.submitted"
    SCORED = "action.scored"
    OPENED = "action.opened"
    CHALLENGE_ISSUED = "challenge.issued"
    CHALLENGE_PASSED = "challenge.passed"
    CHALLENGE_FAILED = "challenge.failed"
    VOTED = "vote.cast"
    APPROVED = "action.approved"
    DENIED = "action.denied"
    RETURNED = "action.returned"
    CANCELLED = "action.cancelled"
    EXPIRED = "action.expired"
    REVOKED = "action.revoked"
    CLAIMED = "action.claimed"
    SUCCEEDED = "action.succeeded"
    FAILED = "action.failed"
    UNKNOWN = "action.unknown"
    SESSION_OPENED = "session.opened"
    SESSION_CLOSED = "session.closed"
    TEAM_CREATED = "team.created"
    MEMBER_ADDED = "member.added"
    AGENT_REGISTERED = "agent.registered"
    AGENT_PAUSED = "agent.paused"
    AGENT_RESUMED = "agent.resumed"
    KEY_MADE = "key.made"
    KEY_REVOKED = "key.revoked"
    SECRET_REVEALED = "secret.revealed"
    POLICY_PUBLISHED = "policy.published"
    SIGNED_IN = "user.signed_in"


BLIND: frozenset[Event] = frozenset(
    {Event.OPENED, Event.CHALLENGE_ISSUED, Event.CHALLENGE_PASSED, Event.CHALLENGE_FAILED, Event.VOTED}
)
"""While a call is pending, only their own author sees these."""
