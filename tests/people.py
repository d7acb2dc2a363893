"""The people and the agent of every story. They come in through the services, as everybody does."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from riskgate.core.roles import Role
from riskgate.services import agents, approvals, challenges, gate, grants, queries, teams
from riskgate.services.shapes import (
    AgentPrincipal,
    AnswerResult,
    AttemptView,
    CallView,
    GrantView,
    Member,
    Submission,
)
from riskgate.storage.models import ChallengeAttempt

PASSWORD = "correct-horse-battery-9"

NAMES = {
    "alice": ("Alice Lindqvist", Role.ADMIN),
    "grace": ("Grace Haddad", Role.ADMIN),
    "bob": ("Bob Okafor", Role.OPERATOR),
    "carol": ("Carol Weber", Role.OPERATOR),
    "dave": ("Dave Raman", Role.AUDITOR),
    "erin": ("Erin Eze", Role.VIEWER),
}


def utcnow() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class World:
    """Two teams: everybody is in Payments but eve, who is the admin of Harbour."""

    members: dict[str, Member]
    agent: AgentPrincipal
    api_key: str
    other_agent: AgentPrincipal
    other_api_key: str

    def __getattr__(self, name: str) -> Member:
        try:
            return self.members[name]
        except KeyError:
            raise AttributeError(name) from None


def _join(team_id: UUID, first_name: str, name: str, role: Role) -> Member:
    user_id = teams.add_member(
        team_id=team_id,
        email=f"{first_name}@example.com",
        name=name,
        password=PASSWORD,
        role=role,
        now=utcnow(),
    )
    return next(member for member in teams.memberships(user_id=user_id) if member.team_id == team_id)


def _agent(admin: Member, name: str, environment: str) -> tuple[AgentPrincipal, str]:
    agent_id = agents.register(member=admin, name=name, environment=environment, now=utcnow())
    key = agents.make_key(member=admin, agent_id=agent_id, now=utcnow())
    principal = agents.authenticate(token=key)
    assert principal is not None
    return principal, key


def make_world() -> World:
    payments = teams.create(name="Payments", now=utcnow())
    members = {first: _join(payments, first, name, role) for first, (name, role) in NAMES.items()}
    harbour = teams.create(name="Harbour", now=utcnow())
    members["eve"] = _join(harbour, "eve", "Eve Moreau", Role.ADMIN)
    agent, key = _agent(members["alice"], "support-copilot", "production")
    other, other_key = _agent(members["eve"], "dock-bot", "production")
    return World(members=members, agent=agent, api_key=key, other_agent=other, other_api_key=other_key)


# ------------------------------------------------------------------ what they do

HIGH: dict[str, Any] = {
    "function_name": "delete_user",
    "args": ["usr_123"],
    "kwargs": {"env": "production"},
    "docstring": "Permanently remove a user account.",
    "reason": "the user asked to be forgotten",
}
MEDIUM: dict[str, Any] = {"function_name": "delete_draft", "args": ["d-7"], "docstring": "Delete a draft."}
LOW: dict[str, Any] = {"function_name": "get_users", "args": [], "docstring": "Lists the users."}
CRITICAL: dict[str, Any] = {
    "function_name": "execute_sql",
    "kwargs": {"sql": "DROP TABLE ledger_entries", "database": "payments"},
    "docstring": "Execute one SQL statement.",
    "reason": "nobody reads it any more",
}

IN_OWN_WORDS = (
    "It deletes the whole table ledger_entries with all its rows, and afterwards nobody can bring "
    "them back unless there is a backup somewhere."
)
"""What an honest person writes about CRITICAL."""


def submit(world: World, fields: dict[str, Any], *, session: str | None = "run-1", **more: Any) -> CallView:
    """The agent asks."""
    submission = Submission(**{"session": session, **fields, **more})
    return gate.submit(principal=world.agent, submission=submission, idempotency=None, now=utcnow()).call


def start(member: Member, call: CallView) -> AttemptView:
    """A person starts the challenge."""
    return challenges.issue(member=member, call_id=call.id, action_digest=call.action_digest, now=utcnow())


def wait_out(attempt: AttemptView) -> None:
    """The least review time passes: the paper was served that much earlier."""
    row = ChallengeAttempt.objects.get(id=attempt.id)
    ChallengeAttempt.objects.filter(id=attempt.id).update(
        served_at=row.served_at - (attempt.ready_at - attempt.served_at)
    )


def right_answers(attempt: AttemptView) -> list[str]:
    questions = ChallengeAttempt.objects.get(id=attempt.id).paper["questions"]
    return [IN_OWN_WORDS if each["kind"] == "prose" else each["answer"] for each in questions]


def wrong_answers(attempt: AttemptView) -> list[str]:
    """Every answer is another option than the right one."""
    questions = ChallengeAttempt.objects.get(id=attempt.id).paper["questions"]
    return [
        next((option for option in question["options"] if option != question["answer"]), "something else")
        for question in questions
    ]


def answer(member: Member, call: CallView, attempt: AttemptView, answers: list[str]) -> AnswerResult:
    return approvals.answer(
        member=member,
        call_id=call.id,
        attempt_id=attempt.id,
        action_digest=call.action_digest,
        answers=answers,
    )


def approve(member: Member, call: CallView) -> AnswerResult:
    """A person reads long enough and answers everything right."""
    attempt = start(member, call)
    wait_out(attempt)
    return answer(member, call, attempt, right_answers(attempt))


def claim(world: World, call: CallView) -> GrantView:
    """The agent takes the one grant."""
    return grants.claim(
        principal=world.agent,
        call_id=call.id,
        action_digest=call.action_digest,
        idempotency=None,
        now=utcnow(),
    )


def report(world: World, call: CallView, *, output: Any = None, error: str | None = None) -> CallView:
    """The agent says how it went: an error is a failure."""
    return gate.report_outcome(
        principal=world.agent,
        call_id=call.id,
        succeeded=error is None,
        output=output,
        error=error,
        idempotency=None,
        now=utcnow(),
    )


def reread(world: World, call: CallView, now: datetime | None = None) -> CallView:
    return queries.call(principal=world.agent, call_id=call.id, now=now or utcnow())
