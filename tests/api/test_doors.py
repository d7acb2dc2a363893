"""What every address has in common: who may, what is taken, and how a refusal looks."""

import json
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from riskgate.api import resources, throttles
from riskgate.api.problems import Problem
from riskgate.api.throttles import Buckets, Limit
from riskgate.core.policy import BALANCED
from riskgate.services import agents, policies
from riskgate.storage.models import ApiKey
from tests.api.conftest import Caller
from tests.people import HIGH, LOW, World, utcnow

ID = "0199aaaa-0000-7000-8000-000000000000"
ACTIONS = "/api/v1/actions"


def problem(response: Any, status: int, slug: str) -> dict[str, Any]:
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    assert response["Cache-Control"] == "no-store"
    document: dict[str, Any] = response.json()
    assert document["type"] == f"http://localhost:8000/api/docs/problems#{slug}"
    assert document["status"] == status
    assert document["title"]
    assert document["detail"].endswith(".")
    return document


def every_address() -> list[tuple[str, str]]:
    return [
        (operation.method, route.template.replace("{id}", ID))
        for route in resources.ROUTES
        for operation in route.operations
        if operation.key
    ]


# ------------------------------------------------------------------ who


@pytest.mark.parametrize(("method", "path"), every_address())
def test_without_a_key_nothing_is_told(nobody: Caller, method: str, path: str) -> None:
    response = nobody.get(path) if method == "get" else nobody.post(path, {})
    problem(response, 401, "unauthorized")
    assert response["WWW-Authenticate"].startswith("Bearer ")


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic cmc6cmc=", "rg_x", "Bearer rg_unknown", "Bearer nothing", "Bearer rg_é",
     "Bearer rg_" + "x" * 10_000, "Bearer rg_a, Bearer rg_b", "Bearer rg_a rg_b", "Bearer \t", "Token rg_x"],
)  # fmt: skip
def test_any_other_key_is_refused(nobody: Caller, header: str) -> None:
    problem(nobody.get(ACTIONS, authorization=header), 401, "unauthorized")


def test_a_revoked_key_is_refused(agent: Caller, world: World) -> None:
    assert agent.get(ACTIONS).status_code == 200
    ApiKey.objects.filter(id=world.agent.key_id).update(revoked_at=utcnow())
    problem(agent.get(ACTIONS), 401, "unauthorized")


def test_the_word_bearer_may_be_written_in_any_case(agent: Caller) -> None:
    given = agent.headers["Authorization"].replace("Bearer", "bEARER")
    assert agent.get(ACTIONS, authorization=given).status_code == 200


def test_a_person_who_is_signed_in_is_nobody_here(world: World) -> None:
    browser = Client()
    browser.login(username="alice@example.com", password="correct-horse-battery-9")
    assert browser.get(ACTIONS).status_code == 401


# ------------------------------------------------------------------ where and how


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/v1", "/api/v2/actions", "/api/v1/actions/7", f"{ACTIONS}/{ID}/approve",
     f"{ACTIONS}/{ID}/vote", "/api/v1/audit/nothing", f"{ACTIONS}/{ID.upper()}x", "/api/v1/actions//", "/api/%00"],
)  # fmt: skip
def test_there_is_nothing_else(agent: Caller, path: str) -> None:
    problem(agent.get(path), 404, "not-found")
    problem(agent.post(path, {}), 404, "not-found")


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_there_are_no_other_methods(agent: Caller, method: str) -> None:
    response = getattr(agent.client, method)(ACTIONS, headers=agent.headers)
    problem(response, 405, "method-not-allowed")
    assert set(response["Allow"].split(", ")) == {"GET", "HEAD", "POST"}


def test_reading_is_not_done_by_posting(agent: Caller) -> None:
    problem(agent.post("/api/v1/policy", {}), 405, "method-not-allowed")
    problem(agent.get("/api/v1/score"), 405, "method-not-allowed")


@pytest.mark.parametrize(("method", "path"), every_address())
def test_a_slash_at_the_end_makes_no_difference(agent: Caller, method: str, path: str) -> None:
    def ask(address: str) -> int:
        response = agent.get(address) if method == "get" else agent.post(address, {})
        return response.status_code

    assert ask(path) == ask(path + "/")
    assert ask(path) not in (301, 302)


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*", "text/plain, text/html;q=0.5"])
def test_only_json_is_answered(agent: Caller, accept: str) -> None:
    problem(agent.get(ACTIONS, accept=accept), 406, "not-acceptable")


@pytest.mark.parametrize(
    "accept",
    ["*/*", "application/json", "text/html,*/*;q=0.8", "application/problem+json", "APPLICATION/JSON; q=1"],
)
def test_whoever_can_read_json_is_answered(agent: Caller, accept: str) -> None:
    assert agent.get(ACTIONS, accept=accept).status_code == 200


def test_unknown_parameters_are_refused_everywhere(agent: Caller) -> None:
    answer = agent.submit(HIGH)
    for path in (
        f"{ACTIONS}/{answer['id']}?verbose=1",
        "/api/v1/policy?version=2",
        "/api/v1/schema/?format=yaml",
    ):
        assert problem(agent.get(path), 422, "invalid")["parameter"]
    assert problem(agent.post(f"{ACTIONS}?dry_run=1", LOW), 422, "invalid")["parameter"] == "dry_run"


# ------------------------------------------------------------------ bodies


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "json",
        "application/jsonx",
        ";;",
    ],
)
def test_a_body_says_that_it_is_json(agent: Caller, kind: str) -> None:
    response = agent.client.generic(
        "POST", ACTIONS, json.dumps(LOW), content_type=kind, headers=agent.headers
    )
    problem(response, 415, "unsupported-media-type")


def test_a_charset_beside_it_is_no_harm(agent: Caller) -> None:
    assert agent.post(ACTIONS, LOW, content_type="application/json; charset=utf-8").status_code == 201


def test_a_packed_body_is_refused(agent: Caller) -> None:
    problem(agent.post(ACTIONS, LOW, content_encoding="gzip"), 415, "unsupported-media-type")


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"null", b"7", b'"text"', b"{", b'{"function_name": "get"} x', b"\xff\xfe{}"]
)
def test_a_body_is_one_object(agent: Caller, raw: bytes) -> None:
    response = agent.post(ACTIONS, raw=raw)
    assert response.status_code == 422
    assert {"pointer", "offset"} & set(response.json())


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"function_name": None}, "/function_name"),
        ({"function_name": ""}, "/function_name"),
        ({"function_name": 7}, "/function_name"),
        ({"function_name": "x" * 256}, "/function_name"),
        ({"function_name": " "}, "/function_name"),
        ({"function_name": "\u200b\u202e\u2066"}, "/function_name"),
        ({"function_name": "\u3164\ufe0f"}, "/function_name"),
        ({"function_name": "\U000e0041"}, "/function_name"),
        ({"function_name": "a\nb"}, "/function_name"),
        ({"function_name": "get\n"}, "/function_name"),
        ({"function_name": "a\u007fb"}, "/function_name"),
        ({"function_name": "a\u0085b"}, "/function_name"),
        ({"args": {}}, "/args"),
        ({"args": None}, "/args"),
        ({"args": "x"}, "/args"),
        ({"kwargs": []}, "/kwargs"),
        ({"docstring": 7}, "/docstring"),
        ({"hints": []}, "/hints"),
        ({"hints": {"ok": 1, "x": [1]}}, "/hints/x"),
        ({"hints": {"a/b": {"deep": 1}}}, "/hints/a~1b"),
        ({"session": ""}, "/session"),
        ({"session": "x" * 256}, "/session"),
        ({"session": "a\tb"}, "/session"),
        ({"session": 7}, "/session"),
        ({"reason": None}, "/reason"),
        ({"reason": ["why"]}, "/reason"),
        ({"decide_within": 0}, "/decide_within"),
        ({"decide_within": 604_801}, "/decide_within"),
        ({"decide_within": 1.5}, "/decide_within"),
        ({"decide_within": "900"}, "/decide_within"),
        ({"decide_within": True}, "/decide_within"),
        ({"supersedes": "first"}, "/supersedes"),
        ({"supersedes": 7}, "/supersedes"),
        ({"metadata": []}, "/metadata"),
        ({"environment": "production"}, "/environment"),
        ({"level": "LOW"}, "/level"),
        ({"a/b": 1}, "/a~1b"),
    ],
)
def test_a_bad_field_is_named_with_what_to_change(agent: Caller, more: dict[str, Any], pointer: str) -> None:
    document = problem(agent.post(ACTIONS, {"function_name": "get", **more}), 422, "invalid")
    assert document["pointer"] == pointer


@pytest.mark.parametrize("name", ["x", "\u200bx", "list files", "löschen", "删除", "_", "🗑"])
def test_any_name_that_can_be_seen_is_taken(agent: Caller, name: str) -> None:
    assert agent.post(ACTIONS, {"function_name": name}).status_code in {201, 202}


def test_a_name_that_cannot_be_seen_is_told_so(agent: Caller) -> None:
    document = problem(agent.post(ACTIONS, {"function_name": "\u200b"}), 422, "invalid")
    assert document["detail"].endswith("and at least one that can be seen.")


def test_a_missing_field_is_named(agent: Caller) -> None:
    document = problem(agent.post(ACTIONS, {"args": []}), 422, "invalid")
    assert document["pointer"] == "/function_name"
    assert "255" in document["detail"]


def test_hostile_names_are_not_repeated_at_length(agent: Caller) -> None:
    response = agent.post(ACTIONS, {"function_name": "get", **{f"{'x' * 200}{i}": 1 for i in range(500)}})
    document = problem(response, 422, "invalid")
    assert len(document["detail"]) < 1000


@pytest.mark.parametrize(
    ("raw", "slug"),
    [
        (b'{"function_name": "a", "function_name": "b"}', "json-refused"),
        (b'{"function_name": "a", "args": [NaN]}', "json-refused"),
        (b'{"function_name": "a", "args": [9007199254740992]}', "json-refused"),
        (b'{"function_name": "a\\u0000"}', "json-refused"),
        (b'{"function_name": "a", "args": ["\\ud800"]}', "json-refused"),
        (b'{"function_name": "a", "args": ' + b"[" * 40 + b"]" * 40 + b"}", "limit-exceeded"),
        (
            json.dumps({"function_name": "a", "kwargs": {str(i): i for i in range(1000)}}).encode(),
            "limit-exceeded",
        ),
        (json.dumps({"function_name": "a", "kwargs": {"x" * 256: 1}}).encode(), "limit-exceeded"),
    ],
)
def test_the_strict_reading_stands_before_everything(agent: Caller, raw: bytes, slug: str) -> None:
    problem(agent.post(ACTIONS, raw=raw), 422, slug)
    problem(agent.post("/api/v1/score", raw=raw), 422, slug)


def sized(size: int) -> bytes:
    bare = json.dumps({"function_name": "get", "reason": ""}).encode()
    return bare[:-2] + b"x" * (size - len(bare)) + bare[-2:]


def allow(world: World, size: int) -> None:
    """The team publishes a policy that takes larger bodies."""
    policy = replace(BALANCED, body_limit=size)
    policies.publish(member=world.alice, policy=policy, reason="Larger bodies.", now=utcnow())


def test_a_body_has_256_kibibytes_and_no_more(agent: Caller) -> None:
    assert agent.post(ACTIONS, raw=sized(262_144)).status_code == 201
    document = problem(agent.post(ACTIONS, raw=sized(262_145)), 413, "body-too-large")
    assert "262144" in document["detail"]


def test_a_policy_may_allow_a_mebibyte_and_no_more(agent: Caller, other: Caller, world: World) -> None:
    allow(world, 1_048_576)
    assert agent.post(ACTIONS, raw=sized(1_048_576)).status_code == 201
    problem(agent.post(ACTIONS, raw=sized(1_048_577)), 413, "body-too-large")
    problem(other.post(ACTIONS, raw=sized(1_048_576)), 413, "body-too-large")


@pytest.mark.parametrize("length", ["x", "-1", "1e3", "9" * 20, "0x10"])
def test_a_strange_length_is_refused(agent: Caller, length: str) -> None:
    response = agent.client.post(
        ACTIONS, b"{}", content_type="application/json", headers=agent.headers, CONTENT_LENGTH=length
    )
    assert 400 <= response.status_code < 500


# ------------------------------------------------------------------ how much


def test_a_key_that_floods_is_slowed(agent: Caller, other: Caller, settings: Settings) -> None:
    settings.API_KEY_LIMIT = (0.5, 3)
    assert [agent.get("/api/v1/policy").status_code for _ in range(3)] == [200] * 3
    response = agent.get("/api/v1/policy")
    problem(response, 429, "too-many-requests")
    assert 1 <= int(response["Retry-After"]) <= 2
    assert other.get("/api/v1/policy").status_code == 200, "one team's flood is its own"


def test_a_flood_costs_no_query(
    agent: Caller, settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.API_KEY_LIMIT = (0.001, 1)
    agent.get("/api/v1/policy")
    with django_assert_num_queries(0):
        assert agent.get("/api/v1/policy").status_code == 429


def test_many_keys_of_a_team_share_its_limit(
    agent: Caller, other: Caller, world: World, settings: Settings
) -> None:
    settings.API_TEAM_LIMIT = (0.001, 3)
    second = Caller(agents.make_key(member=world.alice, agent_id=world.agent.agent_id, now=utcnow()))
    assert [caller.get("/api/v1/policy").status_code for caller in (agent, second, agent)] == [200] * 3
    assert agent.get("/api/v1/policy").status_code == 429
    assert second.get("/api/v1/policy").status_code == 429
    assert other.get("/api/v1/policy").status_code == 200


def test_a_long_body_counts_as_many_requests(agent: Caller, settings: Settings) -> None:
    settings.API_KEY_LIMIT = (0.001, 10)
    assert agent.post(ACTIONS, raw=sized(4096)).status_code == 201
    assert agent.post(ACTIONS, raw=sized(100_000)).status_code == 201, "one may be larger than the burst"
    problem(agent.post(ACTIONS, raw=sized(100)), 429, "too-many-requests")


def test_of_those_let_in_at_once_one_goes_into_debt(world: World) -> None:
    now = 0.0
    buckets, limit = Buckets(clock=lambda: now), Limit(rate=2, burst=4)
    assert [buckets.take("a", limit) for _ in range(3)] == [0, 0, 0]
    assert [buckets.charge("a", limit, 5) for _ in range(2)] == [0, 2]
    now = 2.5
    assert buckets.charge("a", limit, 5) == 0, "what it was refused is not owed"


def test_a_debt_of_the_team_is_no_debt_of_the_key(agent: Caller, world: World, settings: Settings) -> None:
    settings.API_TEAM_LIMIT = (0.001, 10)
    hashes = b"1" * 32, b"2" * 32
    throttles.charge(hashes[0], world.agent.team_id, length=0, actions=100)
    with pytest.raises(Problem, match="This team"):
        throttles.charge(hashes[1], world.agent.team_id, length=0, actions=100_000)
    throttles.admit_key(hashes[1])


def test_a_bucket_fills_again() -> None:
    now = 0.0
    buckets = Buckets(clock=lambda: now)
    limit = Limit(rate=2, burst=2)
    assert [buckets.take("a", limit) for _ in range(3)] == [0, 0, 0.5]
    now = 0.5
    assert buckets.take("a", limit) == 0
    now = 100.0
    assert [buckets.take("a", limit) > 0 for _ in range(3)] == [False, False, True]


def test_buckets_do_not_grow_without_end() -> None:
    buckets = Buckets()
    for name in range(throttles.KEPT + 100):
        buckets.take(name, Limit(1, 1))
    assert len(buckets._levels) == throttles.KEPT


# ------------------------------------------------------------------ when something fails here


def test_what_fails_unexpectedly_tells_nothing(agent: Caller) -> None:
    agent.client.raise_request_exception = False
    with patch.object(policies, "active", side_effect=RuntimeError("the secret is 42")):
        response = agent.get("/api/v1/policy")
    problem(response, 500, "internal-error")
    assert b"42" not in response.content


def test_a_database_that_is_away_is_said_to_be_away(agent: Caller) -> None:
    with patch.object(policies, "active", side_effect=OperationalError("connection refused at 10.0.0.1")):
        response = agent.get("/api/v1/policy")
    problem(response, 503, "unavailable")
    assert int(response["Retry-After"]) > 0
    assert b"10.0.0.1" not in response.content
