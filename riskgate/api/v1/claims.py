"""What an agent does with its own action after it was submitted: claim it, report how it went, withdraw it."""

from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from django.http import HttpResponse
from msgspec import Meta
from rest_framework.request import Request

from riskgate.api import answers
from riskgate.api.base import Endpoint
from riskgate.api.inputs import Input, Nothing
from riskgate.api.operations import IDEMPOTENCY_KEY, Answer, Operation, Route
from riskgate.services import gate, grants


class ClaimBody(Input, frozen=True):
    """The digest that you computed from the arguments that you are about to run."""

    must: ClassVar = {"action_digest": "must be `sha256:` and 64 hex digits, as the action was answered with"}

    action_digest: answers.Digest


class OutcomeBody(Input, frozen=True):
    """How it went."""

    must: ClassVar = {
        "status": "must be `succeeded` or `failed`",
        "output": "must be a JSON value",
        "error": "must be text or null",
    }

    status: Literal["succeeded", "failed"]
    output: Annotated[Any, Meta(description="Any JSON, shown to people.")] = None
    error: Annotated[str | None, Meta(description="What went wrong, for people.")] = None


class ClaimView(Endpoint):
    def post(self, request: Request, call_id: UUID) -> HttpResponse:
        body = self.body(ClaimBody)
        grant = grants.claim(
            principal=self.principal,
            call_id=call_id,
            action_digest=body.action_digest,
            idempotency=self.idempotency(),
            now=self.now(),
        )
        return answers.respond(answers.grant(grant))


class OutcomeView(Endpoint):
    def post(self, request: Request, call_id: UUID) -> HttpResponse:
        body = self.body(OutcomeBody)
        call = gate.report_outcome(
            principal=self.principal,
            call_id=call_id,
            succeeded=body.status == "succeeded",
            output=body.output,
            error=body.error,
            idempotency=self.idempotency(),
            now=self.now(),
        )
        return answers.respond(answers.action(call), headers={"ETag": answers.etag(call)})


class CancelView(Endpoint):
    def post(self, request: Request, call_id: UUID) -> HttpResponse:
        self.body(Nothing, optional=True)
        call = gate.cancel(
            principal=self.principal, call_id=call_id, idempotency=self.idempotency(), now=self.now()
        )
        return answers.respond(answers.action(call), headers={"ETag": answers.etag(call)})


ROUTES = (
    Route(
        "api/v1/actions/<uuid:call_id>/claim",
        ClaimView,
        (
            Operation(
                id="claim",
                method="post",
                summary="Claim an approved action",
                text="Once, and only by the agent that submitted it. The answer is a signed grant for what was "
                "approved; whoever runs the action checks it against the published keys. The same Idempotency-Key "
                "gets the same grant while it lives.",
                body=ClaimBody,
                example={"action_digest": "sha256:" + "0" * 64},
                headers=(IDEMPOTENCY_KEY,),
                answers={200: Answer("The grant.", answers.Grant)},
                problems=(
                    "not_found",
                    "wrong_state",
                    "expired",
                    "digest_differs",
                    "paused",
                    "idempotency_mismatch",
                ),
            ),
        ),
        "Actions",
    ),
    Route(
        "api/v1/actions/<uuid:call_id>/outcome",
        OutcomeView,
        (
            Operation(
                id="report",
                method="post",
                summary="Report how it went",
                text="Once, after the action was claimed and run. What is not reported in time is shown as unknown.",
                body=OutcomeBody,
                example={"status": "succeeded", "output": {"deleted": 1}},
                headers=(IDEMPOTENCY_KEY,),
                answers={200: Answer("The action at its end.", answers.Action)},
                problems=("not_found", "wrong_state", "idempotency_mismatch"),
            ),
        ),
        "Actions",
    ),
    Route(
        "api/v1/actions/<uuid:call_id>/cancel",
        CancelView,
        (
            Operation(
                id="cancel",
                method="post",
                summary="Withdraw an action",
                text="While it is pending or approved, and not yet claimed.",
                body=Nothing,
                body_optional=True,
                headers=(IDEMPOTENCY_KEY,),
                answers={200: Answer("The cancelled action.", answers.Action)},
                problems=("not_found", "wrong_state", "expired", "idempotency_mismatch"),
            ),
        ),
        "Actions",
    ),
)
