"""Many actions in one request: scored in their order, stored all or none."""

import re
from typing import Annotated, ClassVar

import msgspec
from django.http import HttpResponse
from msgspec import Meta
from rest_framework.request import Request

from riskgate.api import answers, inputs, metrics, problems, strict_json
from riskgate.api.base import Endpoint
from riskgate.api.inputs import Input
from riskgate.api.operations import IDEMPOTENCY_KEY, Answer, Header, Operation, Route
from riskgate.api.problems import Problem
from riskgate.api.throttles import PIECE
from riskgate.api.v1.actions import RETRY_AFTER, SubmitBody
from riskgate.core.errors import RiskgateError
from riskgate.core.lifecycle import Status
from riskgate.services import gate

MOST = 1_000
BODY = 4 * 1024 * 1024
"""In bytes, all actions together; each has the limits of one that is sent alone."""


class BatchBody(Input, frozen=True):
    """What the agent wants to run, in this order."""

    must: ClassVar = {"actions": f"must be a list of 1 to {MOST} actions"}

    actions: Annotated[list[SubmitBody], Meta(min_length=1, max_length=MOST)]


class _Frame(msgspec.Struct, forbid_unknown_fields=True):
    actions: list[msgspec.Raw]


_frame = msgspec.json.Decoder(_Frame).decode

_SPACE = rb"[ \t\n\r]*+"
_OPENING = re.compile(_SPACE + rb"\{" + _SPACE + rb'"actions"' + _SPACE + rb":" + _SPACE + rb"\[" + _SPACE)
_COMMA = re.compile(_SPACE + rb"," + _SPACE)
_CLOSING = re.compile(_SPACE + rb"\]" + _SPACE + rb"\}" + _SPACE)


def split(raw: bytes) -> list[tuple[int, bytes]]:
    """Every action of a batch as it was sent, with the byte at which it begins. Raises Problem, JsonRefused.

    So each is read strictly by itself and has limits of its own. The frame around them is walked byte by byte,
    because a kind reader would take the last of two members `actions`.
    """
    try:
        pieces = [bytes(piece) for piece in _frame(raw).actions]
    except (msgspec.DecodeError, RecursionError):
        strict_json.loads(raw)
        raise _no_batch() from None
    if not 1 <= len(pieces) <= MOST:
        raise _no_batch()
    found = []
    gap = _OPENING.match(raw)
    for piece in pieces:
        if gap is None or not raw.startswith(piece, gap.end()):
            raise _no_batch()
        found.append((gap.end(), piece))
        after = gap.end() + len(piece)
        gap = _COMMA.match(raw, after)
    if _CLOSING.fullmatch(raw, after) is None:
        raise _no_batch()
    return found


def _no_batch() -> Problem:
    must = BatchBody.must["actions"]
    return Problem("invalid", f"`actions` {must}, and the body's only member.", pointer="/actions")


class BatchView(Endpoint):
    def post(self, request: Request) -> HttpResponse:
        self.read(most=BODY)
        bodies = [self._body(index, *piece) for index, piece in enumerate(split(self.raw))]
        idempotency = self.idempotency()
        self.charge(len(bodies))
        try:
            calls, replayed = gate.submit_batch(
                principal=self.principal,
                submissions=[body.submission() for body in bodies],
                idempotency=idempotency,
                now=self.now(),
            )
        except RiskgateError as error:
            raise _within(problems.of(error), error.details.get("index")) from error
        headers = {}
        if replayed:
            headers["Idempotent-Replayed"] = "true"
        else:
            for call in calls:
                metrics.count_submission(call.level.name, call.status.value)
        pending = any(call.status is Status.PENDING for call in calls)
        if pending:
            headers["Retry-After"] = str(RETRY_AFTER)
        return answers.respond(answers.batch(calls), 202 if pending else 201, headers)

    def _body(self, index: int, start: int, piece: bytes) -> SubmitBody:
        try:
            self.check_size("It", len(piece), self.most_of(len(piece)))
            return inputs.from_body(strict_json.loads(piece), SubmitBody)
        except strict_json.JsonRefused as error:
            refused = error
            if "offset" in error.details:
                try:  # once more, so that the byte that it names is counted in the whole body
                    strict_json.loads(b" " * start + piece)
                except strict_json.JsonRefused as placed:
                    refused = placed
            raise _within(problems.of(refused), index) from error
        except Problem as error:
            raise _within(error, index) from error


def _within(problem: Problem, index: object) -> Problem:
    """The same problem, of the action at this place of the batch; None where it is of the request as a whole."""
    if index is None:
        return problem
    members = {**problem.members, "pointer": f"/actions/{index}{problem.members.get('pointer', '')}"}
    detail = f"Action {index}, counted from 0: {problem.detail}"
    return Problem(problem.kind.code, detail, headers=problem.headers, **members)


REPLAYED = Header("Idempotent-Replayed", "`true` where the Idempotency-Key was known.")

ROUTES = (
    Route(
        "api/v1/actions/batch",
        BatchView,
        (
            Operation(
                id="submit-batch",
                method="post",
                summary="Submit many actions at once",
                text=f"Up to {MOST:,} actions, {BODY:,} bytes in all, each with the limits of one that is sent alone. "
                "They are scored in their order, so that a repetition counts as one, and stored all or none: one that "
                "is refused refuses the batch, and `pointer` names it. It counts as many requests as it has actions, "
                f"or as {PIECE:,} bytes go into it, whichever is more.",
                body=BatchBody,
                example={
                    "actions": [
                        {"session": "run-2026-11-20-a", "function_name": "read_user", "args": ["usr_123"]},
                        {"session": "run-2026-11-20-a", "function_name": "delete_user", "args": ["usr_123"]},
                    ]
                },
                headers=(IDEMPOTENCY_KEY,),
                answers={
                    201: Answer("All are decided already.", answers.Batch, (REPLAYED,)),
                    202: Answer(
                        "At least one waits for people.",
                        answers.Batch,
                        (
                            Header("Retry-After", "Seconds after which to look again without `wait`."),
                            REPLAYED,
                        ),
                    ),
                },
                problems=("idempotency_mismatch", "supersedes_unknown", "session_closed"),
            ),
        ),
        "Actions",
    ),
)
