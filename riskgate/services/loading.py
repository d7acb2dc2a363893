"""Rows into the frozen values that cross borders."""

from collections.abc import Iterable
from datetime import datetime

from riskgate.core.action import Action
from riskgate.core.assessment import Evidence, Factor, Floor
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status, shown
from riskgate.core.policy import Requirement
from riskgate.services.shapes import CallView
from riskgate.storage.models import Call, FactorScore


def action_of(call: Call) -> Action:
    return Action(call.function_name, call.args, call.kwargs, call.docstring, call.hints)


def factors_of(rows: Iterable[FactorScore]) -> tuple[Factor, ...]:
    return tuple(
        Factor(
            name=row.name,
            score=row.score,
            weight=row.weight,
            sentence=row.sentence,
            evidence=tuple(Evidence.from_json(item) for item in row.evidence),
        )
        for row in sorted(rows, key=lambda row: row.position)
    )


def shown_status(call: Call, now: datetime) -> Status:
    return shown(
        Status(call.status), decide_by=call.decide_by, use_by=call.use_by, outcome_by=call.outcome_by, now=now
    )


def view(call: Call, factors: tuple[Factor, ...], now: datetime) -> CallView:
    """The call as a reader is told it at `now`. Wants agent (with owner), session and policy loaded."""
    status = shown_status(call, now)
    reason_code = ReasonCode(call.reason_code) if call.reason_code else None
    decided_at = call.decided_at
    if status is Status.EXPIRED and call.status != Status.EXPIRED:
        undecided = call.status == Status.PENDING
        reason_code = ReasonCode.EXPIRED_UNDECIDED if undecided else ReasonCode.EXPIRED_UNCLAIMED
        decided_at = call.decide_by if undecided else call.use_by
    owner = call.agent.owner
    return CallView(
        id=call.id,
        team_id=call.team_id,
        agent_id=call.agent_id,
        agent_name=call.agent.name,
        owner_id=call.agent.owner_id,
        owner_name=owner.name if owner else "",
        environment=call.environment,
        session_id=call.session_id,
        session_name=call.session.name,
        action=action_of(call),
        reason=call.reason,
        metadata=call.metadata,
        supersedes=call.supersedes,
        status=status,
        revision=call.revision,
        score=call.score,
        score_level=Level(call.score_level),
        level=Level(call.level),
        factors=factors,
        floors=tuple(Floor.from_json(item) for item in call.floors),
        summary=call.summary,
        masked=frozenset(call.masked),
        signature=call.signature,
        requirement=Requirement.from_json(call.requirement),
        approvals=call.approvals,
        action_digest=call.action_digest,
        nonce=call.nonce,
        policy_version=call.policy.number,
        prior_calls=call.prior_calls,
        created_at=call.created_at,
        decide_by=call.decide_by,
        use_by=call.use_by,
        outcome_by=call.outcome_by,
        reason_code=reason_code,
        message=call.message if status == call.status else "",
        decided_at=decided_at,
        finished_at=call.finished_at,
        output=call.output,
        error=call.error,
    )
