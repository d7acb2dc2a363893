"""The OpenAPI 3.1 document, made from the routes and from the types that bodies and answers are read and written by."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from django.conf import settings

from riskgate.api.inputs import Input
from riskgate.api.operations import Header, Operation
from riskgate.api.problems import BY_CODE, CONTENT_TYPE, ProblemDocument
from riskgate.api.resources import ROUTES

REFERENCE = "#/components/schemas/{name}"

ABOUT = (
    "Submit what an agent wants to run, wait for people, claim it, run it, report how it went. Every answer about an "
    "action has the same shape; do what its `next` says."
)


@lru_cache(maxsize=1)
def document() -> bytes:
    """The whole document as JSON."""
    types = _types()
    schemas, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    schema_of = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        shared = [_id()] if "{id}" in route.template else []
        described = {op.method: _operation(op, route.group, schema_of) for op in route.operations}
        paths[route.template] = {**({"parameters": shared} if shared else {}), **described}
    return msgspec.json.encode(
        {
            "openapi": "3.1.1",
            "info": {"title": "riskgate", "version": "1", "description": ABOUT},
            "servers": [{"url": settings.PUBLIC_URL}],
            "externalDocs": {"url": f"{settings.PUBLIC_URL}/api/docs/"},
            "tags": [{"name": name} for name in dict.fromkeys(route.group for route in ROUTES)],
            "security": [{"key": []}],
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {
                    "key": {
                        "type": "http",
                        "scheme": "bearer",
                        "description": "An agent's API key, `rg_…`.",
                    }
                },
            },
        }
    )


def _types() -> list[Any]:
    operations = [operation for route in ROUTES for operation in route.operations]
    bodies = [op.body for op in operations if op.body is not None]
    answers = [answer.type for op in operations for answer in op.answers.values() if answer.type is not None]
    return list(dict.fromkeys([*bodies, *answers, ProblemDocument]))


def _operation(operation: Operation, group: str, schema_of: dict[Any, Any]) -> dict[str, Any]:
    parameters = [_header_parameter(header) for header in operation.headers]
    if operation.query is not None:
        parameters += query_parameters(operation.query)
    out: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [group],
        "summary": operation.summary,
        "description": operation.text,
        "responses": {**_answers(operation, schema_of), **_problems(operation, schema_of)},
    }
    if parameters:
        out["parameters"] = parameters
    if not operation.key:
        out["security"] = []
    if operation.body is not None:
        content: dict[str, Any] = {"schema": schema_of[operation.body]}
        if operation.example is not None:
            content["example"] = operation.example
        out["requestBody"] = {
            "required": not operation.body_optional,
            "content": {"application/json": content},
        }
    return out


def _answers(operation: Operation, schema_of: dict[Any, Any]) -> dict[str, Any]:
    out = {}
    for status, answer in operation.answers.items():
        described: dict[str, Any] = {"description": answer.text}
        if answer.headers:
            described["headers"] = {header.name: _header(header) for header in answer.headers}
        if answer.type is not None:
            described["content"] = {"application/json": {"schema": schema_of[answer.type]}}
        out[str(status)] = described
    return out


def _problems(operation: Operation, schema_of: dict[Any, Any]) -> dict[str, Any]:
    """One response for each status, with an example of each kind of problem that comes with it."""
    by_status: dict[int, list[str]] = {}
    for code in operation.all_problems:
        by_status.setdefault(BY_CODE[code].status, []).append(code)
    out = {}
    for status in sorted(by_status):
        kinds = [BY_CODE[code] for code in by_status[status]]
        examples = {
            kind.slug: {
                "value": {
                    "type": kind.type,
                    "title": kind.title,
                    "status": kind.status,
                    "detail": kind.advice,
                    "code": kind.code,
                }
            }
            for kind in kinds
        }
        out[str(status)] = {
            "description": ". ".join(kind.title for kind in kinds) + ".",
            "content": {CONTENT_TYPE: {"schema": schema_of[ProblemDocument], "examples": examples}},
        }
        if status in (429, 503):
            out[str(status)]["headers"] = {"Retry-After": _header(Header("Retry-After", "Seconds."))}
    return out


def _id() -> dict[str, Any]:
    return {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}


def _header(header: Header) -> dict[str, Any]:
    return {"description": header.text, "schema": {"type": "string"}}


def _header_parameter(header: Header) -> dict[str, Any]:
    return {"name": header.name, "in": "header", "required": header.required, **_header(header)}


def query_parameters(kind: type[Input]) -> list[dict[str, Any]]:
    """The members of a query's type as OpenAPI parameters."""
    return list(_query_parameters(kind))


def _query_parameters(kind: type[Input]) -> Iterator[dict[str, Any]]:
    (_,), components = msgspec.json.schema_components([kind], ref_template=REFERENCE)
    for name, schema in components[kind.__name__]["properties"].items():
        text = schema.pop("description", "")
        yield {
            "name": name,
            "in": "query",
            "required": False,
            "description": f"{text} It {kind.must[name]}.".strip(),
            "schema": schema,
        }
