"""Everything that can be refused, as RFC 9457 says it: one table of kinds, and exceptions into answers."""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions

from riskgate.core.errors import RiskgateError

CONTENT_TYPE = "application/problem+json"
PAGE = "/api/docs/problems"

log = logging.getLogger("riskgate.api")


@dataclass(frozen=True, slots=True)
class Kind:
    """`code` is the error's own; `advice` is what the docs page says to do about it."""

    code: str
    status: int
    title: str
    advice: str

    @property
    def slug(self) -> str:
        return self.code.replace("_", "-")

    @property
    def type(self) -> str:
        return f"{settings.PUBLIC_URL}{PAGE}#{self.slug}"


KINDS: tuple[Kind, ...] = (
    Kind(
        "json_refused",
        422,
        "The body is not strict JSON",
        "Send one JSON object in UTF-8: every name once in an object, no NaN or Infinity, no NUL, no half surrogate "
        "pairs, whole numbers within ±(2⁵³−1). `pointer` or `offset` says where it went wrong.",
    ),
    Kind(
        "limit_exceeded",
        422,
        "The body is over a limit",
        "At most 32 levels of nesting, 1,000 names in all, 255 characters in a name. `pointer` says where.",
    ),
    Kind(
        "body_too_large",
        413,
        "The body is too large",
        "Send less than the number of bytes that `detail` names: 262,144 unless the team's policy allows more.",
    ),
    Kind(
        "invalid",
        422,
        "A field is not right",
        "Change the member that `pointer` names, the query parameter that `parameter` names, or the header that "
        "`header` names, as `detail` says.",
    ),
    Kind(
        "idempotency_mismatch",
        422,
        "The Idempotency-Key was used with another body",
        "A key stands for one request. Send the same bytes again, or use a new key for a new request.",
    ),
    Kind(
        "supersedes_unknown",
        422,
        "The superseded action is not known",
        "`supersedes` names an earlier action of this agent. Leave it out where there is none.",
    ),
    Kind(
        "cursor_invalid",
        422,
        "The cursor is damaged",
        "Use `next_cursor` as it was answered, or leave `cursor` out to begin with the newest.",
    ),
    Kind(
        "unauthorized",
        401,
        "No valid API key",
        "Send `Authorization: Bearer rg_…` with a key of this agent that has not been revoked.",
    ),
    Kind(
        "not_found",
        404,
        "Not found",
        "Check the id and the path. An agent sees only what is its own; what belongs to others is not found.",
    ),
    Kind(
        "method_not_allowed",
        405,
        "The method is not allowed here",
        "Use one of the methods in the header `Allow`.",
    ),
    Kind(
        "not_acceptable", 406, "Only JSON is answered", "Accept `application/json`, or leave the header out."
    ),
    Kind(
        "wrong_state",
        409,
        "The action is not in a state for that",
        "Read the action again and do what its `next` says. `action_status` is the status that it has.",
    ),
    Kind("session_closed", 409, "The session is closed", "Name another session, or none."),
    Kind("refused", 409, "Refused", "Do what `detail` says."),
    Kind(
        "expired",
        410,
        "The time for it has passed",
        "Submit the action again if it is still needed. Expired is not denied.",
    ),
    Kind(
        "digest_differs",
        412,
        "The digest is not that of the approved action",
        "What was approved is not what is about to run. Do not run it; submit it as a new action.",
    ),
    Kind(
        "unsupported_media_type",
        415,
        "The body is not application/json",
        "Send `Content-Type: application/json`, and no Content-Encoding.",
    ),
    Kind(
        "paused",
        423,
        "The agent or its team is paused",
        "The approval stands. Claim again after an admin has resumed it, before `use_by`.",
    ),
    Kind(
        "too_many_requests",
        429,
        "Too many requests",
        "Wait for as many seconds as the header `Retry-After` says. Ask for changes with `wait` instead of polling.",
    ),
    Kind("bad_request", 400, "The request cannot be read", "Do what `detail` says."),
    Kind("forbidden", 403, "Not allowed", "Ask the person who gave you the address or the key."),
    Kind(
        "internal_error",
        500,
        "Something failed here",
        "Send the request again with the same Idempotency-Key; nothing happens twice. Tell an admin the header "
        "`X-Request-ID`, under which the log has the cause.",
    ),
    Kind(
        "unavailable",
        503,
        "The database does not answer",
        "Send the request again, with the same Idempotency-Key, after as many seconds as `Retry-After` says.",
    ),
)

BY_CODE: Mapping[str, Kind] = {kind.code: kind for kind in KINDS}


class Problem(Exception):
    """A refusal that a door itself makes. `members` are further members of the document, such as `pointer`."""

    def __init__(
        self, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: object
    ) -> None:
        super().__init__(detail)
        self.kind = BY_CODE[code]
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members

    def response(self) -> HttpResponse:
        document = {
            "type": self.kind.type,
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            "code": self.kind.code,
            **self.members,
        }
        return HttpResponse(
            msgspec.json.encode(document),
            status=self.kind.status,
            content_type=CONTENT_TYPE,
            headers={"Cache-Control": "no-store", **self.headers},
        )


class ProblemDocument(msgspec.Struct, kw_only=True, omit_defaults=True):
    """RFC 9457 problem details. Decide by `type` or `code`; both are stable, `title` and `detail` are for reading."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    pointer: str = ""
    """JSON Pointer of the member of the body that is to blame."""
    offset: int = -1
    """The byte of the body where reading it failed, counted from 0."""
    parameter: str = ""
    """The query parameter that is to blame."""
    header: str = ""
    """The request header that is to blame."""
    action_status: str = ""
    """The status that the action has, where that is the reason."""


def of(error: RiskgateError) -> Problem:
    """A refusal of the floors below, as this door says it."""
    members: dict[str, Any] = {
        name: error.details[name]
        for name in ("pointer", "offset")
        if error.details.get(name) not in (None, "")
    }
    at = error.details.get("at")
    if isinstance(at, str):
        members["pointer" if at.startswith("/") else "parameter"] = at
    if "status" in error.details:
        members["action_status"] = str(error.details["status"])
    return Problem(error.code if error.code in BY_CODE else "refused", error.message, **members)


def too_many(seconds: float, whose: str) -> Problem:
    """`seconds` until there is room again, `whose` limit it is."""
    wait = max(1, math.ceil(seconds))
    return Problem(
        "too_many_requests",
        f"{whose} has sent too many requests. Wait {wait} s, then go on more slowly.",
        headers={"Retry-After": str(wait)},
    )


def handle(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """Any exception of a view as its answer. What nobody expected is logged, and told to nobody but the log."""
    return _problem(error, context["request"]).response()


def _problem(error: Exception, request: HttpRequest) -> Problem:
    if isinstance(error, Problem):
        return error
    if isinstance(error, RiskgateError):
        return of(error)
    if isinstance(error, exceptions.MethodNotAllowed):
        return Problem("method_not_allowed", f"{request.method} is not possible at this address.")
    if isinstance(error, Http404):
        return Problem("not_found", "There is nothing at this address.")
    if isinstance(error, PermissionDenied):
        return Problem("forbidden", "This is not allowed.")
    if isinstance(error, (OperationalError, InterfaceError)):
        log.error("the database failed", exc_info=error)
        return Problem(
            "unavailable",
            "The database does not answer just now. Send the request again in a few seconds.",
            headers={"Retry-After": "2"},
        )
    log.error("a request failed", exc_info=error)
    got_request_exception.send(sender=handle, request=request)
    return Problem(
        "internal_error", "Something failed here. Send the request again with the same Idempotency-Key."
    )
