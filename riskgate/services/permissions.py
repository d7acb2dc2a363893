"""The one answer to who may decide which call. Pages, API and notifications all ask here."""

from collections.abc import Collection
from uuid import UUID

from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.core.policy import Policy, Requirement
from riskgate.core.roles import Permission, Role, allows
from riskgate.services.shapes import May
from riskgate.storage.models import Call

ROLE_REASONS: dict[Role, str] = {
    Role.VIEWER: "You are a viewer in this team: you can look, and operators and admins decide.",
    Role.AUDITOR: "You are an auditor in this team: you can look, and operators and admins decide.",
}


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

    def only_deny(reason: str) -> May:
        return May(deny=True, approve=False, reason=reason)

    if user_id in voters:
        return only_deny("You have approved this already; it needs somebody else. You can still deny it.")
    if call.team.paused_at is not None:
        return only_deny("The team is paused: nothing can be approved until an admin resumes it.")
    if call.agent.paused_at is not None:
        return only_deny(
            f"{call.agent.name} is paused: nothing of it can be approved until an admin resumes it."
        )
    if failed_attempts >= policy.attempts:
        return only_deny(
            f"You have used your {policy.attempts} attempts at this action. You can still deny it or send it back; "
            "somebody else may approve it."
        )
    requirement = Requirement.from_json(call.requirement)
    if (
        call.agent.owner_id == user_id
        and Level(call.level) > policy.owner_limit
        and requirement.approvals < 2
    ):
        return only_deny(
            f"You own this agent, and a {Level(call.level).name} action of it needs somebody else."
        )
    return May(deny=True, approve=True)
