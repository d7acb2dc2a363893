"""What goes out: the services' values as the answers that the docs describe."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, cast

import msgspec
from django.conf import settings
from django.http import HttpResponse
from msgspec import Meta

from riskgate.api.inputs import LevelName
from riskgate.core import assessment, policy
from riskgate.core.levels import Level, decimal
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.services.shapes import CallPage, CallView, GrantView, SessionView

Kind = Literal["none", "confirm", "quiz", "teach_back", "multi_party"]
assert Kind.__args__ == policy.KINDS  # type: ignore[attr-defined]

Part = Annotated[float, Meta(ge=0, le=1)]
Id = Annotated[str, Meta(description="A UUIDv7.", extra_json_schema={"format": "uuid"})]
Digest = Annotated[str, Meta(pattern=r"^sha256:[0-9a-f]{64}$", max_length=71)]


class Evidence(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One place that a rule matched. `span` counts code points of the text at `at`."""

    rule: str
    text: str
    at: Annotated[str, Meta(description="JSON Pointer into the action.")] = ""
    in_: Annotated[str, Meta(description='"key" where the name of the member matched.')] = msgspec.field(
        name="in", default=""
    )
    span: tuple[int, int] | None = None
    via: Annotated[
        str, Meta(description="The view in which it was found, where the text as written did not match.")
    ] = ""


class Factor(msgspec.Struct, kw_only=True):
    """One of the five parts of the score; the contributions sum to it."""

    name: str
    score: Part
    weight: Part
    contribution: Part
    evidence: list[Evidence]


class Floor(msgspec.Struct, kw_only=True):
    """A rule that allows no lower level, whatever the score."""

    rule: str
    level: LevelName
    reason: str
    evidence: list[Evidence]


class Seat(msgspec.Struct, kw_only=True):
    """One person's part of a multi-party approval."""

    challenge: Kind


class Requirement(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What approving takes. `seats` only with `multi_party`."""

    kind: Kind
    approvals: int
    seats: list[Seat] = []


class Progress(msgspec.Struct, kw_only=True):
    """How many approvals there are, of how many that are needed."""

    approvals: int
    of: int


class Decision(msgspec.Struct, kw_only=True):
    """How it was decided, and never by whom. `suggestion` says what to do now."""

    reason_code: ReasonCode
    message: str
    suggestion: str
    decided_at: datetime | None


class Action(msgspec.Struct, kw_only=True):
    """An action as it stands now. Do what `next` says; a status that you do not know means not approved."""

    id: Id
    status: Status
    terminal: Annotated[bool, Meta(description="It will not change any more.")]
    next: Literal["wait", "claim", "report", "revise", "stop"]
    score: Part
    level: LevelName
    floors: list[Floor]
    factors: list[Factor]
    requirement: Requirement
    progress: Progress
    action_digest: Digest
    nonce: str
    environment: Annotated[str, Meta(description="The one that the agent is registered with.")]
    policy_version: int
    function_name: str
    args: list[Any]
    kwargs: dict[str, Any]
    session: Id
    created_at: datetime
    decide_by: datetime | None
    use_by: datetime | None
    decision: Decision | None
    review_url: str


class Batch(msgspec.Struct, kw_only=True):
    """One answer for each action that was sent, in the same order."""

    actions: list[Action]


class ActionPage(msgspec.Struct, kw_only=True):
    """Newest first. `next_cursor` is null on the last page."""

    actions: list[Action]
    next_cursor: str | None


class Score(msgspec.Struct, kw_only=True):
    """What a first look says. `level` is the higher of `score_level` and every floor."""

    score: Part
    score_level: LevelName
    level: LevelName
    floors: list[Floor]
    factors: list[Factor]


class Grant(msgspec.Struct, kw_only=True):
    """A compact JWS (Ed25519), to be checked by whoever runs the action, against the published keys."""

    grant: str
    expires_at: datetime


class Session(msgspec.Struct, kw_only=True):
    """One run of the agent, in which novelty is counted."""

    id: Id
    name: str
    created_at: datetime
    closed_at: datetime | None
    calls: Annotated[int, Meta(description="How many actions were submitted in it.")]


class PolicySeat(Seat, kw_only=True):
    review_seconds: int


class PolicyRequirement(msgspec.Struct, kw_only=True):
    kind: Kind
    approvals: int
    seats: list[PolicySeat]
    type_target: bool


class PolicyTimings(msgspec.Struct, kw_only=True):
    """All in seconds."""

    decide_by: dict[LevelName, int]
    use_by: int
    outcome: int
    grant: int
    seat_lease: int


class Policy(msgspec.Struct, kw_only=True):
    """The team's active policy. Thresholds are the least scores of their levels; the weights sum to 1."""

    version: int
    preset: str
    weights: dict[str, Part]
    thresholds: dict[LevelName, Part]
    packs: list[str]
    destructive_floor: LevelName | None
    requirements: dict[LevelName, PolicyRequirement]
    timings: PolicyTimings
    owner_limit: LevelName
    attempts: int
    body_limit: Annotated[int, Meta(description="In bytes.")]


_encode = msgspec.json.Encoder().encode


def respond(answer: object, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """JSON that no cache keeps, unless the headers say otherwise."""
    return HttpResponse(
        _encode(answer),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


def _name(level: Level) -> LevelName:
    return cast(LevelName, level.name)


def _evidence(found: tuple[assessment.Evidence, ...]) -> list[Evidence]:
    return [
        Evidence(rule=e.rule, text=e.text, at=e.at, in_="key" if e.in_key else "", span=e.span, via=e.via)
        for e in found
    ]


def _factors(factors: tuple[assessment.Factor, ...]) -> list[Factor]:
    return [
        Factor(
            name=factor.name,
            score=decimal(factor.score),
            weight=factor.weight / policy.WEIGHT,
            contribution=factor.contribution,
            evidence=_evidence(factor.evidence),
        )
        for factor in factors
    ]


def _floors(floors: tuple[assessment.Floor, ...]) -> list[Floor]:
    return [
        Floor(rule=f.rule, level=_name(f.level), reason=f.reason, evidence=_evidence(f.evidence))
        for f in floors
    ]


def location(call: CallView) -> str:
    return f"/api/v1/actions/{call.id}"


def etag(call: CallView) -> str:
    """Strong: the shown status is in it, so that it changes when the clock passes a limit and no row has moved yet."""
    return f'"{call.id}.{call.revision}.{call.status}"'


def action(call: CallView) -> Action:
    seats = call.requirement.seats if call.requirement.kind == "multi_party" else ()
    decision = None
    if call.reason_code is not None:
        decision = Decision(
            reason_code=call.reason_code,
            message=call.decision_message,
            suggestion=call.suggestion,
            decided_at=call.decided_at,
        )
    return Action(
        id=str(call.id),
        status=call.status,
        terminal=call.terminal,
        next=call.next,  # type: ignore[arg-type]
        score=decimal(call.score),
        level=_name(call.level),
        floors=_floors(call.floors),
        factors=_factors(call.factors),
        requirement=Requirement(
            kind=call.requirement.kind,  # type: ignore[arg-type]
            approvals=call.requirement.approvals,
            seats=[Seat(challenge=seat.challenge) for seat in seats],  # type: ignore[arg-type]
        ),
        progress=Progress(approvals=call.approvals, of=call.requirement.approvals),
        action_digest=call.action_digest,
        nonce=call.nonce,
        environment=call.environment,
        policy_version=call.policy_version,
        function_name=call.action.function_name,
        args=list(call.action.args),
        kwargs=dict(call.action.kwargs),
        session=str(call.session_id),
        created_at=call.created_at,
        decide_by=call.decide_by,
        use_by=call.use_by,
        decision=decision,
        review_url=f"{settings.PUBLIC_URL}/review/{call.id}",
    )


def batch(calls: Iterable[CallView]) -> Batch:
    return Batch(actions=[action(call) for call in calls])


def page(found: CallPage) -> ActionPage:
    return ActionPage(actions=[action(call) for call in found.calls], next_cursor=found.next_cursor)


def score(found: assessment.Assessment) -> Score:
    return Score(
        score=decimal(found.score),
        score_level=_name(found.score_level),
        level=_name(found.level),
        floors=_floors(found.floors),
        factors=_factors(found.factors),
    )


def grant(view: GrantView) -> Grant:
    return Grant(grant=view.token, expires_at=view.expires_at)


def session(view: SessionView) -> Session:
    return Session(
        id=str(view.id),
        name=view.name,
        created_at=view.created_at,
        closed_at=view.closed_at,
        calls=view.calls,
    )


def active_policy(value: policy.Policy, version: int) -> Policy:
    return msgspec.convert({"version": version, **value.as_json()}, Policy)
