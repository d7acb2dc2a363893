"""Actions: what an agent wants to run. Submitting, reading and waiting."""

import math
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.utils.http import parse_etags
from msgspec import Meta
from rest_framework.request import Request

from riskgate.api import answers, metrics
from riskgate.api.base import Endpoint
from riskgate.api.inputs import (
    ACTION_MUST,
    NAMED,
    Args,
    Docstring,
    FunctionName,
    Hints,
    Input,
    Kwargs,
    LevelName,
    Name,
)
from riskgate.api.operations import IDEMPOTENCY_KEY, Answer, Header, Operation, Route
from riskgate.api.problems import Problem
from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.services import gate, queries
from riskgate.services.shapes import CallView, Submission

RETRY_AFTER = 5
"""Seconds after which a client that does not wait should look again."""

LONGEST_WAIT = 55
WAIT_HEADER = "X-Riskgate-Wait"
WAITED = "riskgate.waited"
"""The door's word to the web server that this answer is worth waiting for, and the server's that it has waited."""

DAY = 86_400


class SubmitBody(Input, frozen=True):
    """What the agent wants to run. Only `function_name` is required."""

    must: ClassVar = {
        **ACTION_MUST,
        "session": NAMED + ", or null",
        "reason": "must be text",
        "decide_within": "must be a whole number of seconds from 1 to 604800, or null",
        "supersedes": "must be the id of an earlier action, or null",
        "metadata": "must be an object",
    }

    function_name: FunctionName
    args: Args = msgspec.field(default_factory=list)
    kwargs: Kwargs = msgspec.field(default_factory=dict)
    docstring: Docstring = None
    hints: Hints = msgspec.field(default_factory=dict)
    session: Annotated[
        Name | None,
        Meta(
            description="An id from POST /api/v1/sessions, or your own name for this run, made on first use."
        ),
    ] = None
    reason: Annotated[str, Meta(description="Why, for the people who decide.")] = ""
    decide_within: Annotated[
        Annotated[int, Meta(ge=1, le=7 * DAY)] | None,
        Meta(description="Seconds until it expires undecided; can only shorten what the policy allows."),
    ] = None
    supersedes: Annotated[
        UUID | None, Meta(description="The id of the action that this one takes the place of.")
    ] = None
    metadata: Annotated[dict[str, Any], Meta(description="Whatever you want to find again. Not scored.")] = (
        msgspec.field(default_factory=dict)
    )

    def submission(self) -> Submission:
        return Submission(
            function_name=self.function_name,
            args=self.args,
            kwargs=self.kwargs,
            docstring=self.docstring,
            hints=self.hints,
            session=self.session,
            reason=self.reason,
            decide_within=self.decide_within,
            supersedes=self.supersedes,
            metadata=self.metadata,
        )


class ListQuery(Input, frozen=True):
    """Which actions."""

    must: ClassVar = {
        "status": f"must be one of {', '.join(Status)}",
        "level": "must be one of LOW, MEDIUM, HIGH, CRITICAL",
        "session": NAMED,
        "function": NAMED,
        "since": "must be a time such as 2026-11-20T09:30:00Z (a + has to be written as %2B)",
        "cursor": "must be a `next_cursor` as it was answered",
        "limit": "must be a whole number from 1 to 100",
    }

    status: Status | msgspec.UnsetType = msgspec.UNSET
    level: LevelName | msgspec.UnsetType = msgspec.UNSET
    session: Annotated[Name, Meta(description="Its id or its name.")] | msgspec.UnsetType = msgspec.UNSET
    function: Name | msgspec.UnsetType = msgspec.UNSET
    since: (
        Annotated[datetime, Meta(tz=True, description="Submitted at this time or later.")] | msgspec.UnsetType
    ) = msgspec.UNSET
    cursor: (
        Annotated[str, Meta(max_length=255, pattern=r"^[A-Za-z0-9_-]*$", description="Where to go on.")]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class WaitQuery(Input, frozen=True):
    """How long to wait for a change."""

    must: ClassVar = {"wait": f"must be a whole number of seconds from 0 to {LONGEST_WAIT}"}

    wait: Annotated[
        int,
        Meta(
            ge=0,
            le=LONGEST_WAIT,
            description="Seconds. The answer comes when the action is no longer pending or, with If-None-Match, "
            "when it is no longer the one that you have; and at the latest when they are over.",
        ),
    ] = 0


class ActionsView(Endpoint):
    def post(self, request: Request) -> HttpResponse:
        body = self.body(SubmitBody)
        submitted = gate.submit(
            principal=self.principal,
            submission=body.submission(),
            idempotency=self.idempotency(),
            now=self.now(),
        )
        call = submitted.call
        headers = {"Location": answers.location(call), "ETag": answers.etag(call)}
        if submitted.replayed:
            headers["Idempotent-Replayed"] = "true"
        else:
            metrics.count_submission(call.level.name, call.status.value)
        pending = call.status is Status.PENDING
        if pending:
            headers["Retry-After"] = str(RETRY_AFTER)
        return answers.respond(answers.action(call), 202 if pending else 201, headers)

    def get(self, request: Request) -> HttpResponse:
        query = self.query(ListQuery)
        found = queries.calls(
            principal=self.principal,
            now=self.now(),
            status=query.status or None,
            level=Level[query.level] if query.level else None,
            session=query.session or None,
            function_name=query.function or None,
            since=_utc(query.since) if query.since else None,
            cursor=query.cursor or None,
            limit=query.limit,
        )
        return answers.respond(answers.page(found))


def _utc(at: datetime) -> datetime:
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise Problem("invalid", f"`since` {ListQuery.must['since']}.", parameter="since") from None


class ActionView(Endpoint):
    def get(self, request: Request, call_id: UUID) -> HttpResponse:
        wait = self.query(WaitQuery).wait
        now = self.now()
        call = queries.call(principal=self.principal, call_id=call_id, now=now)
        tag = answers.etag(call)
        known = _matches(request.headers.get("If-None-Match", ""), tag)
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        response = HttpResponse(status=304, headers=headers)
        if not known:
            response = answers.respond(answers.action(call), 200, headers)
        unchanged = known if "If-None-Match" in request.headers else call.status is Status.PENDING
        if wait and unchanged and not call.terminal and WAITED not in request.META:
            response.headers[WAIT_HEADER] = f"{call.id} {min(wait, _until_change(call, now))}"
        return response


def _matches(if_none_match: str, tag: str) -> bool:
    """If-None-Match compares weakly (RFC 9110, 13.1.2)."""
    return any(given == "*" or given.removeprefix("W/") == tag for given in parse_etags(if_none_match))


def _until_change(call: CallView, now: datetime) -> int:
    """Whole seconds until the clock alone changes the status that is shown."""
    limits = {
        Status.PENDING: call.decide_by,
        Status.APPROVED: call.use_by,
        Status.EXECUTING: call.outcome_by,
    }
    limit = limits.get(call.status)
    return max(1, math.ceil((limit - now).total_seconds())) if limit else LONGEST_WAIT


ETAG = Header("ETag", "Changes with every change of the action that can be seen.")

ROUTES = (
    Route(
        "api/v1/actions",
        ActionsView,
        (
            Operation(
                id="submit",
                method="post",
                summary="Submit an action",
                text="Scores the action and stores it. Where nobody is needed the answer is decided at once (201); "
                "else it waits for people (202): ask `Location` with `wait`. Run nothing before it is claimed.",
                body=SubmitBody,
                example={
                    "session": "run-2026-11-20-a",
                    "function_name": "delete_user",
                    "args": ["usr_123"],
                    "kwargs": {"env": "production"},
                    "docstring": "Permanently remove a user account.",
                    "hints": {},
                    "reason": "the user asked to be forgotten",
                    "decide_within": 900,
                    "supersedes": None,
                    "metadata": {},
                },
                headers=(IDEMPOTENCY_KEY,),
                answers={
                    201: Answer(
                        "It is decided already: approved, or refused by a rule.",
                        answers.Action,
                        (
                            Header("Location", "Where the action is."),
                            ETAG,
                            Header("Idempotent-Replayed", "`true` where the Idempotency-Key was known."),
                        ),
                    ),
                    202: Answer(
                        "It waits for people.",
                        answers.Action,
                        (
                            Header("Location", "Where the action is; ask there, with `wait`."),
                            Header("Retry-After", "Seconds after which to look again without `wait`."),
                            ETAG,
                            Header("Idempotent-Replayed", "`true` where the Idempotency-Key was known."),
                        ),
                    ),
                },
                problems=("idempotency_mismatch", "supersedes_unknown", "session_closed"),
            ),
            Operation(
                id="list",
                method="get",
                summary="List this agent's actions",
                text="Newest first, page by page. Filters can be combined.",
                query=ListQuery,
                answers={200: Answer("One page.", answers.ActionPage)},
                problems=("cursor_invalid",),
            ),
        ),
        "Actions",
    ),
    Route(
        "api/v1/actions/<uuid:call_id>",
        ActionView,
        (
            Operation(
                id="get",
                method="get",
                summary="Read an action, or wait for its decision",
                text="With `wait` the answer comes as soon as people have decided. Reading changes nothing: an "
                "action past its time is shown as expired. A denial is a 200, and its `next` says `stop`.",
                query=WaitQuery,
                headers=(
                    Header("If-None-Match", "The ETag that you have; with `wait`, waits until it differs."),
                ),
                answers={
                    200: Answer("The action as it stands now.", answers.Action, (ETAG,)),
                    304: Answer("It is the one that you have.", None, (ETAG,)),
                },
                problems=("not_found",),
            ),
        ),
        "Actions",
    ),
)
