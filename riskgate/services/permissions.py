"""The one answer to who may decide which call. Pages, API and notifications all ask here."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from uuid import UUID

from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.core.policy import Policy, Requirement
from riskgate.core.roles import Permission, Role, allows
from riskgate.services.shapes import May
from riskgate.storage.models import Call, ChallengeAttempt, Membership, PolicyVersion

ROLE_REASONS: dict[Role, str] = {
    Role.VIEWER: "You are a viewer in this team: you can look, and operators and admins decide.",
    Role.AUDITOR: "You are an auditor in this team: you can look, and operators and admins decide.",
}

DECIDING_ROLES = [role.value for role in Role if allows(role, Permission.DECIDE)]

VOTE_LOST = (
    "Nobody in the team can approve this any more: somebody who approved it may no longer decide here, so that "
    "approval does not count, and its seat cannot be filled twice. Deny it or send it back."
)


def may_decide(
    call: Call,
    *,
    user_id: UUID,
    role: Role,
    status: Status,
    voters: Collection[UUID],
    failed_attempts: int,
    policy: Policy,
) -> May:
    """Whether this person may deny and may approve this call now, and why not, in words.

    `status` is as shown at the time of asking, `policy` the version that the call met. Wants agent and team loaded.
    """
    if not allows(role, Permission.DECIDE):
        return May(deny=False, approve=False, reason=ROLE_REASONS[role])
    if status is not Status.PENDING:
        return May(
            deny=False,
            approve=False,
            reason=f"This action is {status.value}: there is nothing left to decide.",
        )

    own = _own_bar(call, user_id, voters, failed_attempts, policy)
    if own:
        return May(deny=True, approve=False, reason=own)
    if call.team.paused_at is not None:
        return May(
            deny=True,
            approve=False,
            reason="The team is paused: nothing can be approved until an admin resumes it.",
        )
    if call.agent.paused_at is not None:
        return May(
            deny=True,
            approve=False,
            reason=f"{call.agent.name} is paused: nothing of it can be approved until an admin resumes it.",
        )
    return May(deny=True, approve=True)


def _own_bar(
    call: Call, user_id: UUID, voters: Collection[UUID], failed_attempts: int, policy: Policy
) -> str:
    """What keeps this one person from approving, as long as the call lives; "" where nothing does."""
    if user_id in voters:
        return "You have approved this already; it needs somebody else. You can still deny it."
    if failed_attempts >= policy.attempts:
        return (
            f"You have used your {policy.attempts} attempts at this action. You can still deny it or send it back; "
            "somebody else may approve it."
        )
    alone = Requirement.from_json(call.requirement).approvals < 2
    if alone and call.agent.owner_id == user_id and Level(call.level) > policy.owner_limit:
        return f"You own this agent, and a {Level(call.level).name} action of it needs somebody else."
    return ""


def deciders(team_id: UUID) -> dict[UUID, Role]:
    """Who decides in this team now, and in which role."""
    rows = Membership.objects.filter(team_id=team_id, role__in=DECIDING_ROLES, user__is_active=True)
    return {user_id: Role(role) for user_id, role in rows.values_list("user_id", "role")}


@lru_cache(maxsize=64)
def _policy(version_id: UUID) -> Policy:
    """A version never changes, so each is read once a process."""
    return Policy.from_json(PolicyVersion.objects.get(id=version_id).document)


def stuck(
    team_id: UUID, calls: Iterable[Call], attempts: Iterable[ChallengeAttempt] | None = None
) -> Mapping[UUID, str]:
    """Why nobody in the team can approve a pending call (any more), for those calls where that is so.

    A pause is not counted: an admin ends it. Wants the calls' agents loaded; `attempts` are all of theirs, where the
    caller has them. Two queries however many calls.
    """
    calls = list(calls)
    if not calls:
        return {}
    able = deciders(team_id)
    if attempts is None:
        attempts = ChallengeAttempt.objects.filter(
            call__in=[call.id for call in calls], passed__isnull=False
        ).only("call_id", "user_id", "passed")
    failed: Counter[tuple[UUID, UUID]] = Counter()
    votes: dict[UUID, list[UUID]] = {}
    for attempt in attempts:
        if attempt.passed:  # every passed attempt is a vote
            votes.setdefault(attempt.call_id, []).append(attempt.user_id)
        elif attempt.passed is False:
            failed[attempt.call_id, attempt.user_id] += 1
    said = {}
    for call in calls:
        voters = votes.get(call.id, [])
        counted = sum(voter in able for voter in voters)
        missing = Requirement.from_json(call.requirement).approvals - counted
        policy = _policy(call.policy_id)
        free = sum(not _own_bar(call, user_id, voters, failed[call.id, user_id], policy) for user_id in able)
        if counted < len(voters):
            said[call.id] = VOTE_LOST
        elif free < missing:
            more = " more" if counted else ""
            people = f"one{more} person" if missing == 1 else f"{missing}{more} people"
            said[call.id] = (
                f"Nobody in the team can approve this: it needs {people}, and {free or 'nobody'} may."
            )
    return said
