"""The one door for Call.status. Whoever calls holds the row's lock."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.lifecycle import ALLOWED, MESSAGES, ReasonCode, Status, shown
from riskgate.core.policy import Policy
from riskgate.core.roles import SYSTEM, Actor
from riskgate.services import audit, live, outbox
from riskgate.storage.models import Call


class WrongState(RiskgateError):
    """The call is not in a state from which it could do that; `details["status"]` says in which it is."""

    code: ClassVar[str] = "wrong_state"


class Expired(RiskgateError):
    """The time for it has passed."""

    code: ClassVar[str] = "expired"


EVENTS: dict[Status, Event] = {
    Status.APPROVED: Event.APPROVED,
    Status.DENIED: Event.DENIED,
    Status.RETURNED: Event.RETURNED,
    Status.CANCELLED: Event.CANCELLED,
    Status.EXPIRED: Event.EXPIRED,
    Status.REVOKED: Event.REVOKED,
    Status.EXECUTING: Event.CLAIMED,
    Status.SUCCEEDED: Event.SUCCEEDED,
    Status.FAILED: Event.FAILED,
    Status.UNKNOWN: Event.UNKNOWN,
}

COLUMNS = (
    "status", "revision", "approvals", "by_person", "reason_code", "message", "decided_at", "use_by", "outcome_by",
    "finished_at", "output", "error",
)  # fmt: skip


def move(
    call: Call,
    target: Status,
    *,
    actor: Actor,
    at: datetime,
    reason_code: ReasonCode | None = None,
    message: str = "",
    data: Mapping[str, Any] | None = None,
) -> None:
    """Moves a locked call, writes its event and tells who waits. Raises WrongState where no such move exists.

    Columns that the move brings along (votes counted, an outcome) are set on `call` before.
    """
    source = Status(call.status)
    if (source, target) not in ALLOWED:
        raise WrongState(
            f"This action is {source.value}; it cannot become {target.value}.", status=source.value
        )
    policy = Policy.from_json(call.policy.document)
    call.status = target.value
    call.revision += 1
    if reason_code is not None:
        call.reason_code, call.message, call.decided_at = reason_code.value, message, at
    if target is Status.APPROVED:
        call.by_person = True
        call.use_by = at + timedelta(seconds=policy.timings.use_by)
    elif target is Status.EXECUTING:
        call.outcome_by = at + timedelta(seconds=policy.timings.outcome)
    elif source is Status.EXECUTING:
        call.finished_at = at
    call.save(update_fields=COLUMNS)
    waited = {"seconds": round((at - call.created_at).total_seconds(), 3)}
    said = {"reason": message} if message else {}
    coded = {"reason_code": reason_code.value} if reason_code is not None else {}
    data = {**waited, **said, **coded, **(data or {})}
    audit.record(audit.call_event(EVENTS[target], call, actor=actor, at=at, data=data))
    outbox.put(f"action.{target.value}", call, at=at)
    live.announce(call)


def catch_up(call: Call, at: datetime) -> bool:
    """Moves a locked call to where the clock has already brought it. True where it did.

    The caller then commits, and only after that refuses what was asked for: the expiry itself is kept.
    """
    now_status = shown(
        Status(call.status), decide_by=call.decide_by, use_by=call.use_by, outcome_by=call.outcome_by, now=at
    )
    if now_status == call.status:
        return False
    code = None
    if now_status is Status.EXPIRED:
        code = ReasonCode.EXPIRED_UNDECIDED if call.status == Status.PENDING else ReasonCode.EXPIRED_UNCLAIMED
    move(call, now_status, actor=SYSTEM, at=at, reason_code=code)
    return True


def too_late(call: Call) -> RiskgateError:
    """What to raise after `catch_up` has moved the call and the transaction is committed."""
    code = ReasonCode(call.reason_code) if call.reason_code else None
    if call.status == Status.EXPIRED and code is not None:
        return Expired(f"This action has expired. {MESSAGES[code]}", status=call.status)
    return WrongState(f"This action is {call.status}: its time has passed.", status=call.status)
