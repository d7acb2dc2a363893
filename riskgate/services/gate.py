"""The agent's side of the gate: submit, withdraw, report. Start reading here after core/lifecycle.py."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from riskgate.core.action import Action, Context, Json
from riskgate.core.assessment import Assessment
from riskgate.core.digest import action_digest
from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.redaction import mask_factor, mask_floor, masked_pointers
from riskgate.core.rendering import signature
from riskgate.core.roles import SYSTEM
from riskgate.core.scoring import assess, score_docstring, summary
from riskgate.services import audit, intake, live, outbox, policies, queries, recording, rows, transitions
from riskgate.services.idempotency import first_time, first_time_of_all
from riskgate.services.shapes import AgentPrincipal, CallView, Idempotency, Submission, SubmitAnswer
from riskgate.storage.models import Call
from riskgate.storage.models.fields import uuid7


class SupersedesUnknown(RiskgateError):
    """`supersedes` names no action of this agent."""

    code: ClassVar[str] = "supersedes_unknown"


def score(
    *, principal: AgentPrincipal, action: Action, prior_calls: int = 0, packs: tuple[str, ...] | None = None
) -> Assessment:
    """What a first look at this action would say, under the team's active policy. Nothing is stored."""
    policy, _ = policies.active(team_id=principal.team_id)
    if packs is not None:
        policy = policy.with_packs(packs)
    context = Context(prior_calls=prior_calls, agent=principal.agent_name, environment=principal.environment)
    return assess(action, context, policy)


def submit(
    *, principal: AgentPrincipal, submission: Submission, idempotency: Idempotency | None, now: datetime
) -> SubmitAnswer:
    """Scores an action and stores it: approved at once where nobody is needed, pending where people are.

    One transaction. Raises IdempotencyMismatch, SessionClosed, SupersedesUnknown.
    """
    calls, replayed = submit_batch(
        principal=principal, submissions=(submission,), idempotency=idempotency, now=now
    )
    return SubmitAnswer(calls[0], replayed)


@transaction.atomic
def submit_batch(
    *,
    principal: AgentPrincipal,
    submissions: Sequence[Submission],
    idempotency: Idempotency | None,
    now: datetime,
) -> tuple[tuple[CallView, ...], bool]:
    """Scores actions in their order and stores all of them or none; answers them, and whether it was a replay.

    The number of statements does not depend on the number of actions. Raises IdempotencyMismatch, SessionClosed,
    SupersedesUnknown; `details["index"]` of the last two says which action is to blame.
    """
    ids = sorted(uuid7() for _ in submissions)
    seen = first_time_of_all(idempotency, principal=principal, subjects=ids, now=now)
    if seen is not None:
        return queries.calls_by_id(principal=principal, call_ids=seen, now=now), True
    _check_supersedes(principal, submissions)
    names = [
        submission.session if submission.session is not None else f"session-{call_id}"
        for submission, call_id in zip(submissions, ids, strict=True)
    ]
    sender, sessions = intake.sender(principal, names, now=now)
    places = [
        (session.id, submission.function_name)
        for session, submission in zip(sessions, submissions, strict=True)
    ]
    memory = intake.count(principal, places)
    calls: list[CallView] = []
    events: list[audit.NewEvent] = []
    for submission, session, call_id in zip(submissions, sessions, ids, strict=True):
        call, failed = _scored(principal, sender, session, memory, submission, call_id, now)
        calls.append(call)
        events += _submitted(principal, call, failed, now)
    intake.learn(principal, memory)
    audit.record(*events, along_with=recording.rows(calls, policy_id=sender.policy_id))
    waiting = [call for call in calls if call.status is Status.PENDING]
    if waiting:
        outbox.put("action.pending", *waiting, at=now)
        live.announce(*waiting)
    return tuple(calls), False


def _check_supersedes(principal: AgentPrincipal, submissions: Sequence[Submission]) -> None:
    named = {each.supersedes for each in submissions if each.supersedes is not None}
    if not named:
        return
    known = set(Call.objects.filter(id__in=named, agent_id=principal.agent_id).values_list("id", flat=True))
    for index, submission in enumerate(submissions):
        if submission.supersedes is not None and submission.supersedes not in known:
            raise SupersedesUnknown(
                "`supersedes` must be the id of an earlier action of this agent.",
                at="/supersedes",
                index=index,
            )


def _scored(
    principal: AgentPrincipal,
    sender: intake.Sender,
    session: intake.KnownSession,
    memory: intake.Memory,
    submission: Submission,
    call_id: UUID,
    now: datetime,
) -> tuple[CallView, str]:
    """The call that this submission becomes, and why scoring failed, where it did.

    `memory` is brought up to date for the next one.
    """
    action, policy = submission.action, sender.policy
    place = (session.id, action.function_name)
    riskiest = memory.docstrings.get(action.function_name)
    prior_calls = memory.calls[place]
    context = Context(
        prior_calls=prior_calls,
        agent=principal.agent_name,
        environment=principal.environment,
        ratchet=memory.ratchets.get(place),
        riskiest_docstring=riskiest[0] if riskiest else None,
        submitted_at=now,
    )
    assessment, masked = _masked(action, assess(action, context, policy))
    memory.calls[place] += 1
    if action.docstring and action.docstring.strip():
        said = score_docstring(action.docstring, policy)
        if riskiest is None or said > riskiest[1]:
            memory.docstrings[action.function_name] = action.docstring, said
            memory.learned.add(action.function_name)
    call = _call(
        principal, sender, session, submission, action, assessment, masked, prior_calls, call_id, now
    )
    if call.status is Status.PENDING:
        memory.ratchets[place] = max(call.level, memory.ratchets.get(place, call.level))
    return call, assessment.failed


def _masked(action: Action, assessment: Assessment) -> tuple[Assessment, frozenset[str]]:
    """The assessment without the text of secrets, and where those stand."""
    found = [item for factor in assessment.factors for item in factor.evidence]
    found += [item for floor in assessment.floors for item in floor.evidence]
    masked = masked_pointers(action, tuple(found))
    if not masked:
        return assessment, masked
    factors = tuple(mask_factor(factor, masked) for factor in assessment.factors)
    floors = tuple(mask_floor(floor, masked) for floor in assessment.floors)
    return replace(assessment, factors=factors, floors=floors), masked


def _call(
    principal: AgentPrincipal,
    sender: intake.Sender,
    session: intake.KnownSession,
    submission: Submission,
    action: Action,
    assessment: Assessment,
    masked: frozenset[str],
    prior_calls: int,
    call_id: UUID,
    now: datetime,
) -> CallView:
    policy, level = sender.policy, assessment.level
    requirement = policy.requirements[level]
    nobody_needed = requirement.kind == "none" and not assessment.failed
    decide_within = policy.timings.decide_by[level]
    if submission.decide_within is not None:
        decide_within = min(decide_within, submission.decide_within)
    nonce = secrets.token_hex(16)
    digest = action_digest(
        team=str(principal.team_id),
        agent=str(principal.agent_id),
        environment=principal.environment,
        function_name=action.function_name,
        args=action.args,
        kwargs=action.kwargs,
        nonce=nonce,
    )
    return CallView(
        id=call_id,
        team_id=principal.team_id,
        agent_id=principal.agent_id,
        agent_name=principal.agent_name,
        owner_id=sender.owner_id,
        owner_name=sender.owner_name,
        environment=principal.environment,
        session_id=session.id,
        session_name=session.name,
        action=action,
        reason=submission.reason,
        metadata=submission.metadata,
        supersedes=submission.supersedes,
        status=Status.APPROVED if nobody_needed else Status.PENDING,
        revision=1,
        score=assessment.score,
        score_level=assessment.score_level,
        level=level,
        factors=assessment.factors,
        floors=assessment.floors,
        summary=summary(assessment)[:120],
        masked=masked,
        signature=signature(action, masked),
        requirement=requirement,
        approvals=0,
        action_digest=digest,
        nonce=nonce,
        policy_version=sender.policy_version,
        prior_calls=prior_calls,
        created_at=now,
        decide_by=None if nobody_needed else now + timedelta(seconds=decide_within),
        use_by=now + timedelta(seconds=policy.timings.use_by) if nobody_needed else None,
        outcome_by=None,
        reason_code=ReasonCode.AUTO_APPROVED if nobody_needed else None,
        message="",
        decided_at=now if nobody_needed else None,
        finished_at=None,
        output=None,
        error=None,
    )


def _submitted(
    principal: AgentPrincipal, call: CallView, failed: str, now: datetime
) -> Iterator[audit.NewEvent]:
    floor = max(call.floors, key=lambda floor: floor.level, default=None)
    scored = {"floor": floor.rule, "floor_level": floor.level.name} if floor else {}
    told = {"failed": failed} if failed else {}
    data = {"score_level": call.score_level.name, "summary": call.summary, **scored, **told}
    yield audit.call_event(Event.SUBMITTED, call, actor=principal.actor, at=now)
    yield audit.call_event(Event.SCORED, call, actor=SYSTEM, at=now, data=data)
    if call.status is Status.APPROVED:
        yield audit.call_event(Event.APPROVED, call, actor=SYSTEM, at=now, data={"auto": True})


def cancel(
    *, principal: AgentPrincipal, call_id: UUID, idempotency: Idempotency | None, now: datetime
) -> CallView:
    """The agent withdraws an action that it has not claimed. Raises NotFound, WrongState, Expired."""
    with transaction.atomic():
        call, at = rows.lock_of_agent(principal, call_id)
        late = transitions.catch_up(call, at)
        if not late and first_time(idempotency, principal=principal, subject=call_id, now=now) is None:
            transitions.move(
                call, Status.CANCELLED, actor=principal.actor, at=at, reason_code=ReasonCode.CANCELLED
            )
    if late:
        raise transitions.too_late(call)
    return queries.call(principal=principal, call_id=call_id, now=at)


def report_outcome(
    *,
    principal: AgentPrincipal,
    call_id: UUID,
    succeeded: bool,
    output: Json,
    error: str | None,
    idempotency: Idempotency | None,
    now: datetime,
) -> CallView:
    """The agent says how the claimed action went, once. Raises NotFound, WrongState."""
    with transaction.atomic():
        call, at = rows.lock_of_agent(principal, call_id)
        late = transitions.catch_up(call, at)
        if not late and first_time(idempotency, principal=principal, subject=call_id, now=now) is None:
            call.output, call.error = output, error
            target = Status.SUCCEEDED if succeeded else Status.FAILED
            data = {"error": error[:200]} if error else {}
            transitions.move(call, target, actor=principal.actor, at=at, data=data)
    if late:
        raise transitions.too_late(call)
    return queries.call(principal=principal, call_id=call_id, now=at)
