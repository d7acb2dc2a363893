"""Endpoints as a table: addresses, types, answers and problems. URLs, OpenAPI and the docs page are made from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.views import View

from riskgate.api.inputs import Input

WITH_KEY = ("unauthorized", "too_many_requests")
WITH_BODY = ("json_refused", "limit_exceeded", "body_too_large", "unsupported_media_type")
ALWAYS = ("bad_request", "not_acceptable", "invalid", "internal_error", "unavailable")


@dataclass(frozen=True, slots=True)
class Header:
    name: str
    text: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """`type` is what msgspec encodes as the body; None where there is none."""

    text: str
    type: Any = None
    headers: tuple[Header, ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address. `example` is a body that works; `problems` are those that others do not have."""

    id: str
    method: str
    summary: str
    text: str
    answers: Mapping[int, Answer]
    body: type[Input] | None = None
    body_optional: bool = False
    example: Mapping[str, Any] | None = None
    query: type[Input] | None = None
    headers: tuple[Header, ...] = ()
    problems: tuple[str, ...] = ()
    key: bool = True

    @property
    def all_problems(self) -> tuple[str, ...]:
        """The codes of everything that can be refused here."""
        shared = (*(WITH_KEY if self.key else ()), *(WITH_BODY if self.body is not None else ()), *ALWAYS)
        return tuple(dict.fromkeys((*self.problems, *shared)))


@dataclass(frozen=True, slots=True)
class Route:
    """An address as Django writes it, without its first slash; with another one at its end it works as well."""

    path: str
    view: type[View]
    operations: tuple[Operation, ...]
    group: str

    @property
    def template(self) -> str:
        """The address as OpenAPI writes it: /api/v1/actions/{id}."""
        parts = ("{id}" if part.startswith("<") else part for part in self.path.split("/"))
        return "/" + "/".join(parts)


IDEMPOTENCY_KEY = Header(
    "Idempotency-Key",
    "1 to 255 printable ASCII characters. The same key and body, at any time, is the same request, answered as it "
    "stands now; the same key with another body is refused.",
)
