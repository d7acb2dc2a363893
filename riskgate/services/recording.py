"""Scored calls as the rows that are stored of them: every column of Call and FactorScore."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from riskgate.services.shapes import CallView
from riskgate.storage import statements
from riskgate.storage.models import Call, FactorScore
from riskgate.storage.models.fields import json_text


def rows(calls: Sequence[CallView], *, policy_id: UUID) -> tuple[statements.Batch, ...]:
    """New calls and their factor scores, to be written along with the events of their submission."""
    return (
        (Call, [_call(call, policy_id) for call in calls]),
        (FactorScore, [row for call in calls for row in _factors(call)]),
    )


def _call(call: CallView, policy_id: UUID) -> dict[str, Any]:
    action = call.action
    scores = {f"{factor.name}_score": factor.score for factor in call.factors}
    return {
        "id": call.id,
        "team_id": call.team_id,
        "agent_id": call.agent_id,
        "session_id": call.session_id,
        "policy_id": policy_id,
        "environment": call.environment,
        "function_name": action.function_name,
        "args": json_text(action.args),
        "kwargs": json_text(action.kwargs),
        "docstring": action.docstring,
        "hints": json_text(action.hints),
        "reason": call.reason,
        "metadata": json_text(call.metadata),
        "supersedes": call.supersedes,
        "nonce": call.nonce,
        "action_digest": call.action_digest,
        "prior_calls": call.prior_calls,
        "score": call.score,
        "score_level": call.score_level,
        "level": call.level,
        **scores,
        "floor_level": max((floor.level for floor in call.floors), default=None),
        "floors": json_text([floor.as_json() for floor in call.floors]),
        "summary": call.summary,
        "masked": json_text(sorted(call.masked)),
        "signature": call.signature,
        "requirement": json_text(call.requirement.as_json()),
        "status": call.status,
        "revision": call.revision,
        "approvals": call.approvals,
        "by_person": False,
        "reason_code": call.reason_code,
        "message": call.message,
        "decided_at": call.decided_at,
        "created_at": call.created_at,
        "decide_by": call.decide_by,
        "use_by": call.use_by,
        "outcome_by": call.outcome_by,
        "finished_at": call.finished_at,
        "output": None,
        "error": None,
    }


def _factors(call: CallView) -> list[dict[str, Any]]:
    return [
        {
            "call_id": call.id,
            "position": position,
            "name": factor.name,
            "score": factor.score,
            "weight": factor.weight,
            "sentence": factor.sentence,
            "evidence": json_text([item.as_json() for item in factor.evidence]),
        }
        for position, factor in enumerate(call.factors)
    ]
