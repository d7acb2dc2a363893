"""The document and the pages that tell how to speak to the API: complete, valid, and true."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from riskgate.api import docs, operations, problems, resources, urls
from riskgate.core.errors import RiskgateError
from riskgate.services import approvals
from tests.api.conftest import Caller
from tests.people import CRITICAL, HIGH, LOW, World

DOCUMENT = "/api/v1/schema/"
OUTSIDE = {"api/v1/schema", "api/docs", "api/docs/problems", "healthz", "readyz", "metrics"}
"""Addresses that are not part of what agents speak."""


@pytest.fixture
def document() -> dict[str, Any]:
    response = Client().get(DOCUMENT)
    assert response["Content-Type"] == "application/json"
    found: dict[str, Any] = response.json()
    return found


def test_it_is_valid_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    OpenAPIV31SpecValidator(document).validate()


def test_every_address_is_told_of(document: dict[str, Any]) -> None:
    routes = {str(pattern.pattern).removesuffix("/") for pattern in urls.urlpatterns[:-1]}
    assert {route.path for route in resources.ROUTES} == routes - OUTSIDE
    assert set(document["paths"]) == {route.template for route in resources.ROUTES}


@pytest.mark.parametrize("route", resources.ROUTES, ids=lambda route: route.path)
def test_every_method_is_told_of(route: operations.Route) -> None:
    methods = {method for method in ("get", "post", "put", "patch", "delete") if hasattr(route.view, method)}
    assert methods == {operation.method for operation in route.operations}


def test_every_answer_has_the_shape_that_is_promised(
    document: dict[str, Any], agent: Caller, world: World
) -> None:
    session = agent.post("/api/v1/sessions", {"name": "run-1"})
    low, high = agent.post("/api/v1/actions", LOW), agent.post("/api/v1/actions", HIGH)
    path = f"/api/v1/actions/{low.json()['id']}"
    denied = f"/api/v1/actions/{high.json()['id']}"
    approvals.deny(member=world.bob, call_id=high.json()["id"])
    claimed = agent.post(f"{path}/claim", {"action_digest": low.json()["action_digest"]})
    critical = agent.post("/api/v1/actions", CRITICAL)
    seen = [
        ("post", "/api/v1/sessions", session),
        ("get", "/api/v1/sessions/{id}", agent.get(session["Location"])),
        ("post", "/api/v1/actions", low),
        ("post", "/api/v1/actions", high),
        ("post", "/api/v1/actions", critical),
        ("post", "/api/v1/actions", agent.post("/api/v1/actions", {"function_name": ""})),
        ("post", "/api/v1/actions", agent.post("/api/v1/actions", raw=b"{")),
        ("post", "/api/v1/actions/batch", agent.post("/api/v1/actions/batch", {"actions": [LOW, HIGH]})),
        ("post", "/api/v1/actions/batch", agent.post("/api/v1/actions/batch", {"actions": [LOW, {}]})),
        ("get", "/api/v1/actions", agent.get("/api/v1/actions")),
        ("get", "/api/v1/actions", agent.get("/api/v1/actions?cursor=x")),
        ("get", "/api/v1/actions/{id}", agent.get(denied)),
        ("get", "/api/v1/actions/{id}", agent.get(f"/api/v1/actions/{world.agent.agent_id}")),
        ("post", "/api/v1/actions/{id}/claim", claimed),
        ("post", "/api/v1/actions/{id}/claim", agent.post(f"{denied}/claim", claimed.json())),
        ("post", "/api/v1/actions/{id}/outcome", agent.post(f"{path}/outcome", {"status": "failed"})),
        (
            "post",
            "/api/v1/actions/{id}/cancel",
            agent.post(f"/api/v1/actions/{critical.json()['id']}/cancel"),
        ),
        ("post", "/api/v1/actions/{id}/cancel", agent.post(f"{denied}/cancel")),
        ("post", "/api/v1/score", agent.post("/api/v1/score", CRITICAL | {"docstring": "Cleans up."})),
        ("post", "/api/v1/sessions/{id}/close", agent.post(f"{session['Location']}/close")),
        ("get", "/api/v1/policy", agent.get("/api/v1/policy")),
        ("get", "/.well-known/jwks.json", agent.get("/.well-known/jwks.json")),
    ]
    for method, template, response in seen:
        promised = document["paths"][template][method]["responses"][str(response.status_code)]
        (kind, content), *_ = promised["content"].items()
        assert response["Content-Type"] == kind
        schema = {**content["schema"], "components": document["components"]}
        checker = Draft202012Validator.FORMAT_CHECKER
        Draft202012Validator(schema, format_checker=checker).validate(response.json())
        for header in promised.get("headers", {}):
            assert header in response or header == "Idempotent-Replayed", (template, header)
    assert {(method, template) for method, template, _ in seen} == {
        (operation.method, route.template) for route in resources.ROUTES for operation in route.operations
    }


def test_the_examples_are_taken(document: dict[str, Any], agent: Caller) -> None:
    taken = {
        "/api/v1/actions/batch": 202,
        "/api/v1/actions": 202,
        "/api/v1/score": 200,
        "/api/v1/sessions": 201,
    }
    for path, status in taken.items():
        example = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["example"]
        assert agent.post(path, example).status_code == status


def test_every_parameter_and_member_says_what_it_must_be(document: dict[str, Any]) -> None:
    for route in resources.ROUTES:
        for operation in route.operations:
            for kind in (operation.body, operation.query):
                if kind is not None:
                    assert set(kind.must) == set(kind.__struct_encode_fields__), kind


def test_every_problem_has_its_sentence_and_every_promise_is_known() -> None:
    promised = {code for route in resources.ROUTES for op in route.operations for code in op.all_problems}
    assert promised <= set(problems.BY_CODE)
    assert len(problems.BY_CODE) == len(problems.KINDS)
    for kind in problems.KINDS:
        assert kind.advice.endswith(".")


def test_an_error_that_nobody_listed_is_still_no_failure() -> None:
    class Odd(RiskgateError):
        code = "odd"

    assert problems.of(Odd("It is odd.")).response().status_code == 409


# ------------------------------------------------------------------ the pages


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.unsafe: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name == "href" and tag == "a":
                self.links.append(value or "")
            if name == "style" or name.startswith("on"):
                self.unsafe.append(f"{tag} {name}")
        if tag in ("script", "style"):
            self.unsafe.append(tag)


@pytest.mark.parametrize("path", ["/api/docs/", "/api/docs", "/api/docs/problems", "/api/docs/problems/"])
def test_the_pages_are_plain(path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 200
    assert "default-src 'none'" in response["Content-Security-Policy"]
    page = Page(response.content.decode())
    assert page.unsafe == []
    assert len(page.ids) == len(set(page.ids))


def test_every_link_leads_somewhere() -> None:
    for path in ("/api/docs/", "/api/docs/problems"):
        page = Page(Client().get(path).content.decode())
        for link in page.links:
            address, _, fragment = link.partition("#")
            target = Page(Client().get(address).content.decode()) if address else page
            assert not fragment or fragment in target.ids, link


def test_the_pages_tell_of_every_endpoint_and_every_problem() -> None:
    text = Client().get("/api/docs/").content.decode()
    for route in resources.ROUTES:
        assert f"<code>{route.template}</code>" in text
    for address in ("/healthz", "/readyz", "/metrics"):
        assert address in text
    anchors = Page(Client().get("/api/docs/problems").content.decode()).ids
    assert {kind.slug for kind in problems.KINDS} <= set(anchors)


def test_the_type_of_a_problem_is_an_address_that_answers(agent: Caller) -> None:
    address = agent.get("/api/v1/nothing").json()["type"]
    assert address.startswith(settings.PUBLIC_URL)
    path, _, fragment = address.removeprefix(settings.PUBLIC_URL).partition("#")
    assert fragment in Page(Client().get(path).content.decode()).ids


def test_the_commands_are_written_for_a_shell() -> None:
    submit = next(route for route in resources.ROUTES if route.operations[0].id == "submit")
    text = docs.curl(submit, submit.operations[0])
    assert text.startswith(f'curl "{settings.PUBLIC_URL}/api/v1/actions" \\\n')
    assert re.search(r"-d '\{\n.*\n  \}'$", text, re.DOTALL)


def test_the_door_stands_before_the_console() -> None:
    assert get_resolver().resolve("/api/v1/actions").url_name == "api-submit"
