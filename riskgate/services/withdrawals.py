"""Withdrawing what an agent asked, by the person who owns the agent; the agent's own way is `gate.cancel`."""

from uuid import UUID

from django.db import transaction

from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.services import rows, transitions
from riskgate.services.shapes import Member

OPEN = (Status.PENDING, Status.APPROVED)


def withdraw(*, member: Member, call_id: UUID) -> None:
    """Cancels an action that was not claimed yet, whatever role its agent's owner has in the team.

    Raises NotFound, NotAllowed, Expired, WrongState.
    """
    with transaction.atomic():
        call, at = rows.lock_of_team(member, call_id)
        late = transitions.catch_up(call, at)
        if not late:
            rows.membership(member)
            if call.agent.owner_id != member.user_id:
                raise rows.NotAllowed(
                    "Only the agent itself and the person who owns it withdraw its actions."
                )
            if call.status not in OPEN:
                raise transitions.WrongState(
                    f"This action is {call.status}: it can be withdrawn only before it is claimed.",
                    status=call.status,
                )
            transitions.move(
                call, Status.CANCELLED, actor=member.actor, at=at, reason_code=ReasonCode.CANCELLED
            )
    if late:
        raise transitions.too_late(call)
