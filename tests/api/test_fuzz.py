"""Whatever an agent sends, the answer is one that the document promises, and never a 5xx."""

import json
from typing import Any

import hypothesis
import pytest
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from pytest_django import Settings

from riskgate.api import operations, problems, resources
from riskgate.api.operations import Operation
from tests.api.conftest import Caller
from tests.people import HIGH, LOW, World


@pytest.fixture(autouse=True)
def no_limits(settings: Settings) -> None:
    settings.API_KEY_LIMIT = settings.API_TEAM_LIMIT = (1e6, 1e6)


FUZZ = hypothesis.settings(
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

POSTS = [(route, op) for route in resources.ROUTES for op in route.operations if op.method == "post"]
GETS = [(route, op) for route in resources.ROUTES for op in route.operations if op.method == "get"]

anything = st.text(max_size=12)
headers = st.text(st.characters(min_codepoint=1, max_codepoint=255, exclude_characters="\r\n"), max_size=40)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | anything
    | st.sampled_from(["succeeded", "core", "run-1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(anything, inner, max_size=3),
    max_leaves=8,
)


def expected(operation: Operation) -> set[int]:
    return set(operation.answers) | {problems.BY_CODE[code].status for code in operation.all_problems}


def check(response: Any, operation: Operation) -> None:
    assert response.status_code in expected(operation), (operation.id, response.content)
    assert response.status_code < 500
    assert response.status_code != 429, "the fuzzer itself is not to be slowed"
    if response.status_code >= 400:
        assert response["Content-Type"] == problems.CONTENT_TYPE
        assert response.json()["detail"]


def address(route: operations.Route, call: dict[str, Any]) -> str:
    return route.template.replace("{id}", call["session" if "sessions" in route.path else "id"])


@st.composite
def bodies(draw: st.DrawFn, operation: Operation) -> bytes:
    """Bodies of every degree of sense: bytes, JSON, an object with known names, one wrong member in a good one."""
    names = operation.body.__struct_encode_fields__ if operation.body else ()
    kind = draw(st.sampled_from(["bytes", "json", "members", "one wrong"]))
    if kind == "bytes":
        return draw(st.binary(max_size=60))
    if kind == "json":
        return json.dumps(draw(values)).encode()
    chosen = st.sampled_from(names) if names else anything
    members = draw(st.dictionaries(chosen | anything if kind == "members" else chosen, values, max_size=4))
    good = dict(operation.example or {}) if kind == "one wrong" else {}
    return json.dumps({**good, **members}, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")


@FUZZ
@given(data=st.data())
def test_no_body_breaks_anything(agent: Caller, world: World, data: st.DataObject) -> None:
    call = agent.submit(data.draw(st.sampled_from([LOW, HIGH])))
    route, operation = data.draw(st.sampled_from(POSTS))
    check(agent.post(address(route, call), raw=data.draw(bodies(operation))), operation)


@FUZZ
@given(data=st.data())
def test_no_query_breaks_anything(agent: Caller, data: st.DataObject) -> None:
    call = agent.submit(HIGH)
    route, operation = data.draw(st.sampled_from(GETS))
    names = operation.query.__struct_encode_fields__ if operation.query else ()
    given_names = st.sampled_from(names) | anything if names else anything
    sense = st.sampled_from(
        ["pending", "HIGH", "2026-11-20T10:00:00Z", "5", "0", "null", "\x00", "9" * 30, "", "WzFd"]
    )
    query = data.draw(st.lists(st.tuples(given_names, sense | anything), max_size=3))
    client = Client()
    response = client.get(address(route, call), query_params=query_dict(query), headers=agent.headers)
    check(response, operation)
    raw = data.draw(st.text(st.characters(max_codepoint=126, min_codepoint=33), max_size=30))
    check(client.get(address(route, call), QUERY_STRING=raw, headers=agent.headers), operation)


def query_dict(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for name, value in pairs:
        out.setdefault(name.encode("utf-8", "replace").decode(), []).append(
            value.encode("utf-8", "replace").decode()
        )
    return out


@FUZZ
@given(data=st.data())
def test_no_header_breaks_anything(agent: Caller, data: st.DataObject) -> None:
    call = agent.submit(HIGH)
    route, operation = data.draw(st.sampled_from(POSTS + GETS))
    names = ["If-None-Match", "Idempotency-Key", "Accept", "Content-Type", "Content-Encoding", "Content-Length",
             "Authorization", "X-Request-Id", "Range", "Expect", "Cookie"]  # fmt: skip
    sent = {**agent.headers, **data.draw(st.dictionaries(st.sampled_from(names), headers, max_size=3))}
    environ = {
        key.upper().replace("-", "_")
        if key.startswith("Content-")
        else f"HTTP_{key.upper().replace('-', '_')}": value
        for key, value in sent.items()
    }
    body = json.dumps(operation.example or {}).encode()
    client = Client()
    if operation.method == "post":
        response = client.generic(
            "POST", address(route, call), body, **{"CONTENT_TYPE": "application/json", **environ}
        )
    else:
        response = client.get(address(route, call), **environ)
    check(response, operation)


@FUZZ
@given(tail=st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_no_path_breaks_anything(agent: Caller, tail: str) -> None:
    for start in ("/api/", "/api/v1/", "/api/v1/actions/", "/api/v1/sessions/"):
        response = Client().get(start + tail.replace("?", "").replace("#", ""), headers=agent.headers)
        assert response.status_code < 500
        if response.status_code >= 400:
            assert response["Content-Type"] == problems.CONTENT_TYPE
