"""The agent's side of the gate: submit, withdraw, report. Start reading here after core/lifecycle.py."""

import secrets
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID

from django.db import connection, transaction

from riskgate.core.action import Action, Context, Json
from riskgate.core.assessment import Assessment
from riskgate.core.digest import action_digest
from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.policy import Policy, Requirement
from riskgate.core.redaction import mask_factor, mask_floor, masked_pointers
from riskgate.core.roles import SYSTEM
from riskgate.core.scoring import assess, score_docstring, summary
from riskgate.services import audit, live, loading, outbox, policies, queries, rows, sessions, transitions
from riskgate.services.idempotency import first_time
from riskgate.services.shapes import AgentPrincipal, CallView, Idempotency, Submission, SubmitAnswer
from riskgate.storage.models import Agent, Call, FactorScore, Function, Session
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


@transaction.atomic
def submit(
    *, principal: AgentPrincipal, submission: Submission, idempotency: Idempotency | None, now: datetime
) -> SubmitAnswer:
    """Scores an action and stores it: approved at once where nobody is needed, pending where people are.

    One transaction. Raises IdempotencyMismatch, SessionClosed, SupersedesUnknown.
    """
    call_id = uuid7()
    seen = first_time(idempotency, principal=principal, subject=call_id, now=now)
    if seen is not None:
        return SubmitAnswer(queries.call(principal=principal, call_id=seen, now=now), replayed=True)
    if submission.supersedes is not None:
        _check_supersedes(principal, submission.supersedes)
    agent = Agent.objects.select_related("owner", "team__policy").get(id=principal.agent_id)
    version = agent.team.policy
    assert version is not None  # every team is made with its first version
    policy = Policy.from_json(version.document)
    session = sessions.for_submission(principal, submission.session, fallback=f"session-{call_id}", now=now)
    action = submission.action
    prior_calls = sessions.count(session, action.function_name)
    context = Context(
        prior_calls=prior_calls,
        agent=agent.name,
        environment=agent.environment,
        ratchet=sessions.ratchet(session, action.function_name) if prior_calls else None,
        riskiest_docstring=_remember_docstring(principal.team_id, action, policy),
        submitted_at=now,
    )
    assessment, masked = _masked(action, assess(action, context, policy))
    call = _new_call(
        call_id=call_id,
        agent=agent,
        session=session,
        submission=submission,
        policy=policy,
        assessment=assessment,
        masked=masked,
        prior_calls=prior_calls,
        now=now,
    )
    call.policy = version
    call.save(force_insert=True)
    FactorScore.objects.bulk_create(
        FactorScore(
            call=call,
            position=position,
            name=factor.name,
            score=factor.score,
            weight=factor.weight,
            sentence=factor.sentence,
            evidence=[item.as_json() for item in factor.evidence],
        )
        for position, factor in enumerate(assessment.factors)
    )
    _record_submission(principal, call, assessment, now)
    return SubmitAnswer(loading.view(call, assessment.factors, now), replayed=False)


def _check_supersedes(principal: AgentPrincipal, call_id: UUID) -> None:
    if not Call.objects.filter(id=call_id, agent_id=principal.agent_id).exists():
        raise SupersedesUnknown(
            "`supersedes` must be the id of an earlier action of this agent.", at="/supersedes"
        )


def _remember_docstring(team_id: UUID, action: Action, policy: Policy) -> str | None:
    """Keeps the riskiest docstring that the team has seen for this function, and answers the one from before.

    What an agent has said of a function cannot be un-said by leaving it out later.
    """
    known = Function.objects.filter(team_id=team_id, name=action.function_name).first()
    said = score_docstring(action.docstring, policy)
    if (action.docstring or "").strip() and (known is None or said > known.docstring_score):
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO storage_function (team_id, name, riskiest_docstring, docstring_score) "
                "VALUES (%s, %s, %s, %s) ON CONFLICT (team_id, name) DO UPDATE SET "
                "riskiest_docstring = excluded.riskiest_docstring, docstring_score = excluded.docstring_score "
                "WHERE storage_function.docstring_score < excluded.docstring_score",
                [team_id, action.function_name, action.docstring, said],
            )
    return known.riskiest_docstring if known is not None else None


def _masked(action: Action, assessment: Assessment) -> tuple[Assessment, frozenset[str]]:
    """The assessment without the text of secrets, and where those stand."""
    found = [item for factor in assessment.factors for item in factor.evidence]
    found += [item for floor in assessment.floors for item in floor.evidence]
    masked = masked_pointers(action, tuple(found))
    factors = tuple(mask_factor(factor, masked) for factor in assessment.factors)
    floors = tuple(mask_floor(floor, masked) for floor in assessment.floors)
    return replace(assessment, factors=factors, floors=floors), masked


def _new_call(
    *,
    call_id: UUID,
    agent: Agent,
    session: Session,
    submission: Submission,
    policy: Policy,
    assessment: Assessment,
    masked: frozenset[str],
    prior_calls: int,
    now: datetime,
) -> Call:
    action = submission.action
    level = assessment.level
    requirement: Requirement = policy.requirements[level]
    nobody_needed = requirement.kind == "none" and not assessment.failed
    decide_within = policy.timings.decide_by[level]
    if submission.decide_within is not None:
        decide_within = min(decide_within, submission.decide_within)
    nonce = secrets.token_hex(16)
    scores = {factor.name: factor.score for factor in assessment.factors}
    return Call(
        id=call_id,
        team=agent.team,
        agent=agent,
        session=session,
        environment=agent.environment,
        function_name=action.function_name,
        args=list(action.args),
        kwargs=dict(action.kwargs),
        docstring=action.docstring,
        hints=dict(action.hints),
        reason=submission.reason,
        metadata=dict(submission.metadata),
        supersedes=submission.supersedes,
        nonce=nonce,
        action_digest=action_digest(
            team=str(agent.team_id),
            agent=str(agent.id),
            environment=agent.environment,
            function_name=action.function_name,
            args=action.args,
            kwargs=action.kwargs,
            nonce=nonce,
        ),
        prior_calls=prior_calls,
        score=assessment.score,
        score_level=int(assessment.score_level),
        level=int(level),
        function_name_score=scores["function_name"],
        arguments_score=scores["arguments"],
        docstring_score=scores["docstring"],
        hints_score=scores["hints"],
        novelty_score=scores["novelty"],
        floor_level=max((int(floor.level) for floor in assessment.floors), default=None),
        floors=[floor.as_json() for floor in assessment.floors],
        summary=summary(assessment)[:120],
        masked=sorted(masked),
        requirement=requirement.as_json(),
        status=Status.APPROVED if nobody_needed else Status.PENDING,
        reason_code=ReasonCode.AUTO_APPROVED if nobody_needed else None,
        decided_at=now if nobody_needed else None,
        created_at=now,
        decide_by=None if nobody_needed else now + timedelta(seconds=decide_within),
        use_by=now + timedelta(seconds=policy.timings.use_by) if nobody_needed else None,
    )


def _record_submission(principal: AgentPrincipal, call: Call, assessment: Assessment, now: datetime) -> None:
    floor = max(assessment.floors, key=lambda floor: floor.level, default=None)
    scored = {"floor": floor.rule, "floor_level": floor.level.name} if floor else {}
    failed = {"failed": assessment.failed} if assessment.failed else {}
    events = [
        audit.call_event(Event.SUBMITTED, call, actor=principal.actor, at=now),
        audit.call_event(
            Event.SCORED,
            call,
            actor=SYSTEM,
            at=now,
            data={"score_level": Level(call.score_level).name, "summary": call.summary, **scored, **failed},
        ),
    ]
    if call.status == Status.APPROVED:
        events.append(audit.call_event(Event.APPROVED, call, actor=SYSTEM, at=now, data={"auto": True}))
        audit.record(*events)
        return
    audit.record(*events)
    outbox.put("action.pending", call, at=now)
    live.announce(call)


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
