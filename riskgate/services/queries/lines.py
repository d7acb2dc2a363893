"""Calls as lines of a list: what, how risky, and who decided it how."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.policy import Requirement
from riskgate.core.roles import ActorKind
from riskgate.services import loading
from riskgate.services.shapes import CallLine
from riskgate.storage.models import AuditEvent, Call, Vote

ENDINGS: dict[Status, Event] = {
    Status.DENIED: Event.DENIED,
    Status.RETURNED: Event.RETURNED,
    Status.CANCELLED: Event.CANCELLED,
    Status.REVOKED: Event.REVOKED,
}
"""The decisions that somebody took against a call, and where their name stands."""


def short(calls: QuerySet[Call]) -> QuerySet[Call]:
    """Without the long columns, which no line shows."""
    return calls.defer(
        "args", "kwargs", "docstring", "hints", "reason", "metadata", "floors", "masked", "output", "error"
    )


def lines(calls: Sequence[Call], now: datetime) -> tuple[CallLine, ...]:
    """The calls in their order, in two queries more. Of a call that is still pending nobody's part is told."""
    decided = [call for call in calls if call.status != Status.PENDING]
    events = AuditEvent.objects.filter(
        call_id__in=[call.id for call in decided], kind__in=[Event.APPROVED, *ENDINGS.values()]
    ).values_list("call_id", "kind", "actor_kind", "actor_name")
    by: dict[tuple[UUID, str], tuple[str, str]] = {
        (call_id, kind): (actor_kind, name)
        for call_id, kind, actor_kind, name in events
        if call_id is not None
    }
    voters: defaultdict[UUID, list[str]] = defaultdict(list)
    several = [call.id for call in decided if call.by_person and call.approvals > 1]
    if several:
        votes = Vote.objects.filter(call_id__in=several).order_by("seat")
        for call_id, name in votes.values_list("call_id", "user__name"):
            voters[call_id].append(name)
    return tuple(_line(call, by, voters[call.id], now) for call in calls)


def _line(
    call: Call, by: dict[tuple[UUID, str], tuple[str, str]], voters: list[str], now: datetime
) -> CallLine:
    nobody = ("", "")
    _, approver = by.get((call.id, Event.APPROVED), nobody) if call.by_person else nobody
    ending = ENDINGS.get(Status(call.status))
    ender_kind, ender = by.get((call.id, ending), nobody) if ending is not None else nobody
    status = loading.shown_status(call, now)
    reason_code = ReasonCode(call.reason_code) if call.reason_code else None
    if status is Status.EXPIRED and call.status != Status.EXPIRED:
        undecided = call.status == Status.PENDING
        reason_code = ReasonCode.EXPIRED_UNDECIDED if undecided else ReasonCode.EXPIRED_UNCLAIMED
    return CallLine(
        id=call.id,
        created_at=call.created_at,
        signature=call.signature or call.function_name,
        level=Level(call.level),
        score=call.score,
        status=status,
        reason_code=reason_code,
        decide_by=call.decide_by,
        approvals=call.approvals,
        seats=Requirement.from_json(call.requirement).approvals,
        approved_by=" and ".join(voters) or approver,
        ended_by="" if ender_kind == ActorKind.SYSTEM else ender,
        withdrawn_by_agent=ender_kind == ActorKind.AGENT,
    )
