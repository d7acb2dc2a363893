"""Many actions in one request: scored in their order, one answer for each, all stored or none."""

import json
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from riskgate.storage.models import AuditEvent, Call, FactorScore, FunctionCount, Outbox
from tests.api.conftest import Caller
from tests.people import HIGH, LOW, MEDIUM, World

PATH = "/api/v1/actions"
BATCH = f"{PATH}/batch"


def reads(count: int, session: str = "run-1") -> list[dict[str, Any]]:
    return [{**LOW, "session": session, "args": [f"usr_{number}"]} for number in range(count)]


def send(agent: Caller, *actions: dict[str, Any], **headers: str) -> Any:
    return agent.post(BATCH, {"actions": list(actions)}, **headers)


def test_each_action_has_its_answer_in_its_place(agent: Caller) -> None:
    response = send(agent, LOW, HIGH, MEDIUM, LOW)
    assert response.status_code == 202
    assert response["Retry-After"]
    answers = response.json()["actions"]
    assert [answer["level"] for answer in answers] == ["LOW", "HIGH", "MEDIUM", "LOW"]
    assert [answer["next"] for answer in answers] == ["claim", "wait", "wait", "claim"]
    for answer in answers:
        assert agent.get(f"{PATH}/{answer['id']}").json() == answer


def test_nobody_is_waited_for_where_all_is_decided(agent: Caller) -> None:
    response = send(agent, *reads(2))
    assert response.status_code == 201
    assert "Retry-After" not in response


def test_a_batch_is_scored_as_the_same_actions_one_by_one(agent: Caller) -> None:
    story = [
        LOW,
        HIGH,
        HIGH,
        {**HIGH, "docstring": None},
        MEDIUM,
        LOW,
        {**LOW, "docstring": "Deletes all."},
        LOW,
    ]
    alone = [agent.submit({**action, "session": "alone"}) for action in story]
    Call.objects.all()  # the second run meets what the first one taught the team: its docstrings
    together = send(agent, *({**action, "session": "together"} for action in story)).json()["actions"]
    again = [agent.submit({**action, "session": "again"}) for action in story]
    scored = [("score", "level", "floors", "factors")] * len(story)

    def what(answers: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return [tuple(answer[name] for name in names) for answer, names in zip(answers, scored, strict=True)]

    assert what(together) == what(again)
    assert len(alone) == len(together)


def test_a_repetition_within_the_batch_is_one(agent: Caller) -> None:
    answers = send(agent, *reads(3)).json()["actions"]
    novelty = [answer["factors"][4]["score"] for answer in answers]
    assert novelty == sorted(novelty, reverse=True)
    assert len(set(novelty)) == 3
    assert agent.submit(reads(1)[0])["factors"][4]["score"] < novelty[-1]
    assert list(FunctionCount.objects.values_list("calls", flat=True)) == [4]


def test_an_unapproved_call_ratchets_the_next_one_of_the_batch(agent: Caller) -> None:
    risky = {**HIGH, "session": "run-1"}
    harmless = {"function_name": HIGH["function_name"], "session": "run-1", "hints": {"read_only": True}}
    first, second = send(agent, risky, harmless).json()["actions"]
    assert first["level"] == "HIGH"
    assert second["level"] == "HIGH"


def test_every_call_has_its_scores_events_and_message(agent: Caller) -> None:
    ids = [answer["id"] for answer in send(agent, LOW, HIGH).json()["actions"]]
    assert FactorScore.objects.count() == 10
    kinds = [
        list(AuditEvent.objects.filter(call_id=call_id).order_by("at", "id").values_list("kind", flat=True))
        for call_id in ids
    ]
    assert kinds == [
        ["action.submitted", "action.scored", "action.approved"],
        ["action.submitted", "action.scored"],
    ]
    assert [row.payload["call"] for row in Outbox.objects.all()] == [ids[1]]


def test_a_batch_costs_as_many_statements_as_one_action(
    agent: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    story = [{**LOW, "session": "run-1"}, {**HIGH, "session": "run-1"}]
    send(agent, *story)
    with django_assert_num_queries(9):
        send(agent, story[1])
    with django_assert_num_queries(9):
        send(agent, *story * 100)


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"function_name": ""}, "/actions/1/function_name"),
        ({"function_name": "x", "kwargs": []}, "/actions/1/kwargs"),
        ({"function_name": "x", "surprise": 1}, "/actions/1/surprise"),
        ({}, "/actions/1/function_name"),
        ("delete_user", "/actions/1"),
        ({"function_name": "x", "args": [2**60]}, "/actions/1/args/0"),
        (
            {"function_name": "x", "supersedes": "01a1fddb-65b4-76ae-8cdb-b3e132dca9d0"},
            "/actions/1/supersedes",
        ),
    ],
)
def test_one_that_is_refused_refuses_all_and_is_named(agent: Caller, wrong: Any, pointer: str) -> None:
    response = send(agent, LOW, wrong, HIGH, idempotency_key="k-1")
    assert response.status_code == 422
    assert response.json()["pointer"] == pointer
    assert "Action 1" in response.json()["detail"]
    assert not Call.objects.exists()
    assert not AuditEvent.objects.filter(kind__startswith="action.").exists()
    assert send(agent, LOW, idempotency_key="k-1").status_code == 201, "the key is free again"


def test_a_closed_session_is_named_by_its_action(agent: Caller) -> None:
    session = agent.post("/api/v1/sessions", {"name": "over"})
    agent.post(f"{session['Location']}/close")
    response = send(agent, LOW, {**LOW, "session": "over"})
    assert response.status_code == 409
    assert response.json()["pointer"] == "/actions/1"
    assert not Call.objects.exists()


@pytest.mark.parametrize(
    "raw",
    [
        b"[]",
        b"{}",
        b'{"actions": {}}',
        b'{"actions": []}',
        b'{"actions": null}',
        b'{"actions": [{"function_name": "a"}], "more": 1}',
        b'{"actions": [{"function_name": "a"}], "actions": [{"function_name": "b"}]}',
        b'{"actions": [{"function_name": "a"}], "actions": [{"function_name": "a"}, {"function_name": "b"}]}',
        b'{"\\u0061ctions": [{"function_name": "a"}]}',
        b'{"actions": [{"function_name": "a"}]} {}',
        b'{"actions": [{"function_name": "a"},]}',
        b'{"actions": [{"function_name": "a"}',
        b'{"actions": [{"function_name": "a"} {"function_name": "a"}]}',
        b'\xef\xbb\xbf{"actions": [{"function_name": "a"}]}',
        b'{"actions": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b'{"actions": ' + b"[" * 500_000,
        json.dumps({"actions": [LOW] * 1_001}).encode(),
    ],
)
def test_what_is_no_batch_is_refused(agent: Caller, raw: bytes) -> None:
    response = agent.post(BATCH, raw=raw)
    assert response.status_code == 422
    assert response.json()["detail"]
    assert not Call.objects.exists()


def test_spaces_between_are_no_matter(agent: Caller) -> None:
    raw = b' {\n "actions" : [ {"function_name": "get_a"}\t,\r\n{"function_name": "get_b"} ]\n}\n'
    assert [a["function_name"] for a in agent.post(BATCH, raw=raw).json()["actions"]] == ["get_a", "get_b"]


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        (b'{"function_name": "a", "function_name": "b"}', "twice"),
        (b'{"function_name": "a", "args": [NaN]}', ""),
        (b'{"function_name": "a\\u0000"}', "NUL"),
        (b'{"function_name": "a", "args": ["\\ud800"]}', "surrogate"),
        (b'{"function_name": "a", "args": ["\xff"]}', ""),
        (b'{"function_name": "a", "args": ' + b"[" * 40 + b"]" * 40 + b"}", "nested"),
    ],
)
def test_each_action_is_read_as_strictly_as_one_alone(agent: Caller, piece: bytes, said: str) -> None:
    response = agent.post(BATCH, raw=b'{"actions": [{"function_name": "get_a"}, ' + piece + b"]}")
    assert response.status_code == 422
    assert said in response.json()["detail"]
    assert not Call.objects.exists()


def test_the_byte_that_is_named_is_one_of_the_whole_body(agent: Caller) -> None:
    raw = b'{"actions": [{"function_name": "get_a"}, {"function_name": "a", "args": ["\xff"]}]}'
    assert agent.post(BATCH, raw=raw).json()["offset"] == raw.index(b"\xff")


def test_limits_count_for_each_action(agent: Caller) -> None:
    members = {f"key_{number}": number for number in range(900)}
    assert send(agent, *[{"function_name": "get_a", "kwargs": members}] * 3).status_code == 201
    large = {"function_name": "get_a", "args": ["x" * 200_000]}
    assert send(agent, *[large] * 3).status_code == 201
    response = send(agent, LOW, {"function_name": "get_a", "args": ["x" * 300_000]})
    assert response.status_code == 413
    assert response.json()["pointer"] == "/actions/1"


def test_all_together_have_a_limit(agent: Caller) -> None:
    large = {"function_name": "get_a", "args": ["x" * 250_000]}
    assert send(agent, *[large] * 17).status_code == 413


def test_the_same_key_answers_the_same_batch_as_it_stands_now(agent: Caller) -> None:
    first = send(agent, LOW, HIGH, MEDIUM, idempotency_key="k-1").json()["actions"]
    agent.post(f"{PATH}/{first[1]['id']}/cancel")
    response = send(agent, LOW, HIGH, MEDIUM, idempotency_key="k-1")
    again = response.json()["actions"]
    assert response["Idempotent-Replayed"] == "true"
    assert [answer["id"] for answer in again] == [answer["id"] for answer in first]
    assert again[1]["status"] == "cancelled"
    assert Call.objects.count() == 3
    assert send(agent, LOW, idempotency_key="k-1").status_code == 422


def test_nobody_replays_the_batch_of_another(agent: Caller, other: Caller) -> None:
    mine = send(agent, LOW, LOW, idempotency_key="k-1").json()["actions"]
    theirs = send(other, LOW, LOW, idempotency_key="k-1").json()["actions"]
    assert {a["id"] for a in mine}.isdisjoint(a["id"] for a in theirs)


def test_a_batch_counts_as_many_requests_as_it_has_actions(agent: Caller, settings: Settings) -> None:
    settings.API_KEY_LIMIT = (1, 4)
    assert send(agent, *reads(50)).status_code == 201
    response = agent.get(PATH)
    assert response.status_code == 429
    assert 40 < int(response["Retry-After"]) < 52


def test_a_batch_counts_for_its_team(agent: Caller, world: World, settings: Settings) -> None:
    settings.API_TEAM_LIMIT = (1, 4)
    assert send(agent, *reads(50)).status_code == 201
    assert agent.get(PATH).status_code == 429
    assert Caller(world.other_api_key).get(PATH).status_code == 200


def test_a_thousand_are_taken(agent: Caller) -> None:
    assert len(send(agent, *reads(1_000)).json()["actions"]) == 1_000
    assert Call.objects.count() == 1_000
