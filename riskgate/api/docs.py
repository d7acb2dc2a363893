"""The readable pages: every endpoint with an example to paste, and every problem with what to do about it."""

import json
import shlex
from dataclasses import dataclass
from typing import Any

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe
from rest_framework.request import Request

from riskgate.api import openapi
from riskgate.api.base import OpenEndpoint
from riskgate.api.inputs import Input, Nothing
from riskgate.api.operations import Header, Operation, Route
from riskgate.api.problems import BY_CODE, KINDS, Kind
from riskgate.api.resources import ROUTES


class SchemaView(OpenEndpoint):
    def get(self, request: Request) -> HttpResponse:
        self.query(Nothing)
        return HttpResponse(openapi.document(), content_type="application/json")


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a body or a query parameter, in words."""

    name: str
    required: bool
    text: SafeString


@dataclass(frozen=True, slots=True)
class Entry:
    """An operation as the page shows it."""

    id: str
    method: str
    path: str
    summary: str
    text: SafeString
    key: bool
    fields: tuple[Field, ...]
    parameters: tuple[Field, ...]
    headers: tuple[Field, ...]
    answers: tuple[tuple[int, SafeString, tuple[Field, ...]], ...]
    problems: tuple[Kind, ...]
    curl: str


def prose(text: str) -> SafeString:
    """Text of the tables as HTML: what stands between backticks is code. Everything is escaped."""
    pieces = (
        ("<code>{}</code>" if index % 2 else "{}", piece) for index, piece in enumerate(text.split("`"))
    )
    return format_html_join("", "{}", ((format_html(shape, piece),) for shape, piece in pieces))


def _fields(kind: type[Input] | None) -> tuple[Field, ...]:
    if kind is None:
        return ()
    (_,), components = msgspec.json.schema_components([kind])
    described = components[kind.__name__].get("properties", {})
    return tuple(
        Field(
            field.encode_name,
            field.required,
            prose(
                f"{described[field.encode_name].get('description', '')} It {kind.must[field.encode_name]}."
            ),
        )
        for field in msgspec.structs.fields(kind)
    )


def _headers(headers: tuple[Header, ...]) -> tuple[Field, ...]:
    return tuple(Field(header.name, header.required, prose(header.text)) for header in headers)


def curl(route: Route, operation: Operation) -> str:
    """A command that a shell understands; $RISKGATE_API_KEY and $ID stand for what the reader has."""
    address = settings.PUBLIC_URL + route.template.replace("{id}", "$ID")
    parts = [f'curl "{address}"']
    if operation.key:
        parts.append('-H "Authorization: Bearer $RISKGATE_API_KEY"')
    if operation.method == "post":
        if operation.headers:
            parts.append('-H "Idempotency-Key: $(uuidgen)"')
        if operation.example is not None:
            parts.append('-H "Content-Type: application/json"')
            lines = (
                f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in operation.example.items()
            )
            parts.append("-d " + shlex.quote("{\n" + ",\n".join(lines) + "\n  }"))
        else:
            parts.append("-X POST")
    return " \\\n  ".join(parts)


def _entry(route: Route, operation: Operation) -> Entry:
    return Entry(
        id=operation.id,
        method=operation.method.upper(),
        path=route.template,
        summary=operation.summary,
        text=prose(operation.text),
        key=operation.key,
        fields=_fields(operation.body),
        parameters=_fields(operation.query),
        headers=_headers(operation.headers),
        answers=tuple(
            (status, prose(answer.text), _headers(answer.headers))
            for status, answer in operation.answers.items()
        ),
        problems=tuple(BY_CODE[code] for code in operation.all_problems),
        curl=curl(route, operation),
    )


def _groups() -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "entries": [
                _entry(route, operation)
                for route in ROUTES
                if route.group == name
                for operation in route.operations
            ],
        }
        for name in dict.fromkeys(route.group for route in ROUTES)
    ]


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    return render(request, "api/docs.html", {"groups": _groups(), "public_url": settings.PUBLIC_URL})


@require_safe
def problems_page(request: HttpRequest) -> HttpResponse:
    return render(request, "api/problems.html", {"kinds": [(kind, prose(kind.advice)) for kind in KINDS]})
