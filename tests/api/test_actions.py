"""An agent submits, reads, waits and lists."""

import base64
import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries

from riskgate.core.digest import action_digest
from riskgate.services import approvals, cursors, queries
from riskgate.storage.models import AuditEvent, Call
from tests.api.conftest import Caller
from tests.people import CRITICAL, HIGH, LOW, MEDIUM, World, approve, utcnow

PATH = "/api/v1/actions"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def seen(world: World, answer: dict[str, Any]) -> Any:
    return queries.call(principal=world.agent, call_id=UUID(answer["id"]), now=utcnow())


def test_a_risky_action_waits_for_people(agent: Caller) -> None:
    response = agent.post(PATH, HIGH)
    answer = response.json()
    assert response.status_code == 202
    assert response["Location"] == f"/api/v1/actions/{answer['id']}"
    assert int(response["Retry-After"]) > 0
    assert response["Content-Type"] == "application/json"
    assert (answer["status"], answer["next"], answer["terminal"]) == ("pending", "wait", False)
    assert answer["decision"] is None


def test_a_harmless_action_is_decided_at_once(agent: Caller) -> None:
    response = agent.post(PATH, LOW)
    answer = response.json()
    assert response.status_code == 201
    assert (answer["status"], answer["next"]) == ("approved", "claim")
    assert answer["decision"]["reason_code"] == "auto_approved"
    assert MOMENT.fullmatch(answer["decision"]["decided_at"])
    assert answer["decide_by"] is None
    assert MOMENT.fullmatch(answer["use_by"])


def test_the_answer_has_the_published_shape(agent: Caller, world: World) -> None:
    answer = agent.submit({**HIGH, "session": "run-1"})
    assert list(answer) == [
        "id", "status", "terminal", "next", "score", "level", "floors", "factors", "requirement", "progress",
        "action_digest", "nonce", "environment", "policy_version", "function_name", "args", "kwargs", "session",
        "created_at", "decide_by", "use_by", "decision", "review_url",
    ]  # fmt: skip
    assert UUID(answer["id"]).version == 7
    assert (answer["score"], answer["level"]) == (0.72, "HIGH")
    first = answer["factors"][0]
    assert [factor["name"] for factor in answer["factors"]] == [
        "function_name", "arguments", "docstring", "hints", "novelty",
    ]  # fmt: skip
    assert (first["score"], first["weight"], first["contribution"]) == (0.95, 0.3, 0.285)
    delete = {"rule": "core.verb.destructive", "text": "delete", "at": "/function_name", "span": [0, 6]}
    assert delete in first["evidence"]
    assert answer["requirement"] == {"kind": "quiz", "approvals": 1}
    assert answer["progress"] == {"approvals": 0, "of": 1}
    assert answer["environment"] == "production"
    assert answer["args"] == ["usr_123"]
    assert answer["kwargs"] == {"env": "production"}
    assert MOMENT.fullmatch(answer["created_at"])
    assert answer["review_url"] == f"http://localhost:8000/review/{answer['id']}"


def test_an_agent_can_compute_the_digest_itself(agent: Caller, world: World) -> None:
    answer = agent.submit(HIGH)
    assert answer["action_digest"] == action_digest(
        team=str(world.agent.team_id),
        agent=str(world.agent.agent_id),
        environment=answer["environment"],
        function_name="delete_user",
        args=["usr_123"],
        kwargs={"env": "production"},
        nonce=answer["nonce"],
    )


def test_a_critical_action_says_which_seats_it_needs(agent: Caller) -> None:
    answer = agent.submit(CRITICAL)
    assert answer["level"] == "CRITICAL"
    assert answer["requirement"] == {
        "kind": "multi_party",
        "approvals": 2,
        "seats": [{"challenge": "teach_back"}, {"challenge": "quiz"}],
    }


def test_only_the_function_name_is_required(agent: Caller) -> None:
    answer = agent.submit({"function_name": "list_things"})
    assert (answer["args"], answer["kwargs"]) == ([], {})


def test_values_come_back_exactly_as_they_were_sent(agent: Caller) -> None:
    args = [1e308, 0.1, -0.5, 2**53 - 1, "", "ünï\u202e\U0001f600", None, True, {"a": [{}]}, 1.0]
    answer = agent.submit({"function_name": "get", "args": args})
    assert answer["args"] == args
    assert agent.get(f"{PATH}/{answer['id']}").json()["args"] == args


def test_a_shorter_time_to_decide_can_be_asked_for_and_a_longer_one_not(agent: Caller, world: World) -> None:
    short = seen(world, agent.submit({**HIGH, "decide_within": 900}))
    long = seen(world, agent.submit({**HIGH, "decide_within": 604_800}))
    assert short.decide_by - short.created_at == timedelta(seconds=900)
    assert long.decide_by - long.created_at == timedelta(hours=1)


def test_what_is_told_of_a_decision_names_nobody(agent: Caller, world: World) -> None:
    answer = agent.submit(HIGH)
    approvals.deny(member=world.bob, call_id=UUID(answer["id"]), reason="Ask legal first.")
    response = agent.get(f"{PATH}/{answer['id']}")
    assert response.status_code == 200, "a denial is no error"
    told = response.json()
    assert (told["status"], told["next"], told["terminal"]) == ("denied", "stop", True)
    assert told["decision"]["reason_code"] == "denied"
    assert told["decision"]["message"] == "Ask legal first."
    assert "Bob" not in response.content.decode()


def test_a_returned_action_is_revised_and_supersedes_the_first(agent: Caller, world: World) -> None:
    first = agent.submit(HIGH)
    approvals.send_back(member=world.carol, call_id=UUID(first["id"]), reason="Only the test account.")
    told = agent.get(f"{PATH}/{first['id']}").json()
    assert (told["status"], told["next"]) == ("returned", "revise")
    second = agent.submit({**HIGH, "args": ["usr_test"], "supersedes": first["id"]})
    assert seen(world, second).supersedes == UUID(first["id"])


def test_superseding_what_is_not_there_is_refused(agent: Caller, other: Caller) -> None:
    theirs = other.submit(LOW)
    for given in (theirs["id"], "0199aaaa-0000-7000-8000-000000000000"):
        response = agent.post(PATH, {**LOW, "supersedes": given})
        assert response.status_code == 422
        assert response.json()["pointer"] == "/supersedes"
        assert response.json()["type"].endswith("#supersedes-unknown")


# ------------------------------------------------------------------ reading


def test_an_agent_sees_only_its_own(agent: Caller, other: Caller) -> None:
    mine = agent.submit(HIGH)
    assert agent.get(f"{PATH}/{mine['id']}").status_code == 200
    response = other.get(f"{PATH}/{mine['id']}")
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
    assert other.get(PATH).json() == {"actions": [], "next_cursor": None}
    for deed, body in (
        ("claim", {"action_digest": mine["action_digest"]}),
        ("outcome", {"status": "succeeded"}),
        ("cancel", {}),
    ):
        assert other.post(f"{PATH}/{mine['id']}/{deed}", body).status_code == 404
    assert agent.get(f"{PATH}/{mine['id']}").json()["status"] == "pending"


def test_the_etag_changes_when_the_action_does(agent: Caller, world: World) -> None:
    path = f"{PATH}/{agent.submit(HIGH)['id']}"
    first = agent.get(path)
    same = agent.get(path, if_none_match=first["ETag"])
    assert (same.status_code, same.content, same["ETag"]) == (304, b"", first["ETag"])
    assert agent.get(path, if_none_match=f'"other", W/{first["ETag"]}').status_code == 304
    approvals.deny(member=world.bob, call_id=UUID(first.json()["id"]))
    changed = agent.get(path, if_none_match=first["ETag"])
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_reading_past_the_time_shows_expired_and_writes_nothing(agent: Caller, world: World) -> None:
    answer = agent.submit(HIGH)
    path = f"{PATH}/{answer['id']}"
    tag = agent.get(path)["ETag"]
    Call.objects.filter(id=answer["id"]).update(decide_by=utcnow() - timedelta(seconds=1))
    before = (Call.objects.values().get(id=answer["id"]), AuditEvent.objects.count())
    shown = agent.get(path, if_none_match=tag)
    assert shown.status_code == 200, "the ETag says so too"
    assert (shown.json()["status"], shown.json()["next"]) == ("expired", "stop")
    assert shown.json()["decision"]["reason_code"] == "expired_undecided"
    assert before == (Call.objects.values().get(id=answer["id"]), AuditEvent.objects.count())
    assert [each["id"] for each in agent.get(f"{PATH}?status=expired").json()["actions"]] == [answer["id"]]
    assert agent.get(f"{PATH}?status=pending").json()["actions"] == []


# ------------------------------------------------------------------ waiting


def test_waiting_for_a_pending_action_is_handed_to_the_web_server(agent: Caller) -> None:
    answer = agent.submit(HIGH)
    response = agent.get(f"{PATH}/{answer['id']}?wait=50")
    assert response["X-Riskgate-Wait"] == f"{answer['id']} 50"
    assert "X-Riskgate-Wait" not in agent.get(f"{PATH}/{answer['id']}")
    assert "X-Riskgate-Wait" not in agent.get(f"{PATH}/{answer['id']}?wait=0")


def test_who_has_waited_is_answered_for_good(agent: Caller) -> None:
    path = f"{PATH}/{agent.submit(HIGH)['id']}?wait=50"
    response = agent.client.get(path, headers=agent.headers, **{"riskgate.waited": True})
    assert response.status_code == 200
    assert "X-Riskgate-Wait" not in response


def test_nobody_waits_for_what_is_decided(agent: Caller, world: World) -> None:
    path = f"{PATH}/{agent.submit(LOW)['id']}?wait=50"
    response = agent.get(path)
    assert "X-Riskgate-Wait" not in response
    known = agent.get(path, if_none_match=response["ETag"])
    assert known.status_code == 304
    assert known["X-Riskgate-Wait"].endswith(" 50"), "with the ETag one waits for the next change"
    denied = agent.submit(HIGH)
    approvals.deny(member=world.bob, call_id=UUID(denied["id"]))
    end = agent.get(f"{PATH}/{denied['id']}")
    final = agent.get(f"{PATH}/{denied['id']}?wait=50", if_none_match=end["ETag"])
    assert final.status_code == 304
    assert "X-Riskgate-Wait" not in final, "it will not change any more"


def test_a_wait_ends_when_the_clock_decides(agent: Caller) -> None:
    answer = agent.submit({**HIGH, "decide_within": 3})
    seconds = agent.get(f"{PATH}/{answer['id']}?wait=50")["X-Riskgate-Wait"].split()[1]
    assert int(seconds) in (2, 3)


def test_an_old_etag_is_answered_at_once(agent: Caller) -> None:
    path = f"{PATH}/{agent.submit(HIGH)['id']}?wait=50"
    response = agent.get(path, if_none_match='"something-else"')
    assert response.status_code == 200
    assert "X-Riskgate-Wait" not in response


@pytest.mark.parametrize("wait", ["56", "-1", "x", "1.5", "null", "NaN", "9" * 40])
def test_no_other_wait_is_taken(agent: Caller, wait: str) -> None:
    response = agent.get(f"{PATH}/{agent.submit(HIGH)['id']}?wait={wait}")
    assert response.status_code == 422
    assert response.json()["parameter"] == "wait"


# ------------------------------------------------------------------ listing


def test_the_newest_comes_first_page_by_page(agent: Caller) -> None:
    ids = [agent.submit({**LOW, "args": [number]})["id"] for number in range(5)]
    found: list[str] = []
    path = f"{PATH}?limit=2"
    while path:
        page = agent.get(path).json()
        found += [each["id"] for each in page["actions"]]
        path = f"{PATH}?limit=2&cursor={page['next_cursor']}" if page["next_cursor"] else ""
    assert found == ids[::-1]


def test_filters_narrow_the_list(agent: Caller, world: World) -> None:
    low = agent.submit({**LOW, "session": "run-1"})
    high = agent.submit({**HIGH, "session": "run-2"})
    medium = agent.submit({**MEDIUM, "session": "run-2"})
    approve(world.bob, seen(world, medium))

    def ids(query: str) -> list[str]:
        return [each["id"] for each in agent.get(f"{PATH}?{query}").json()["actions"]]

    assert ids("") == [medium["id"], high["id"], low["id"]]
    assert ids("status=pending") == [high["id"]]
    assert ids("status=approved&level=MEDIUM") == [medium["id"]]
    assert ids("level=LOW") == [low["id"]]
    assert ids("session=run-2") == [medium["id"], high["id"]]
    assert ids(f"session={low['session']}") == [low["id"]]
    assert ids("function=delete_user") == [high["id"]]
    assert ids(f"since={high['created_at']}") == [medium["id"], high["id"]]
    assert ids("status=&level=&session=&function=&since=") == [medium["id"], high["id"], low["id"]]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("status=done", "status"),
        ("level=low", "level"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("since=yesterday", "since"),
        ("since=2026-11-20T10:00:00", "since"),
        ("since=2026-11-20T10:00:00+01:00", "since"),
        ("since=0001-01-01T00:00:00%2B23:59", "since"),
        ("cursor=nonsense", "cursor"),
        ("cursor=%00", "cursor"),
        ("cursor=WzEsMl0", "cursor"),
        ("cursor=" + "W1tb" * 60, "cursor"),
        ("cursor=" + "x" * 300, "cursor"),
        ("function=%00", "function"),
        ("session=%00", "session"),
        ("function=a&function=b", "function"),
        ("colour=red", "colour"),
        ("offset=10", "offset"),
    ],
)
def test_a_bad_parameter_is_named(agent: Caller, query: str, parameter: str) -> None:
    response = agent.get(f"{PATH}?{query}")
    assert response.status_code == 422, response.content
    assert response.json()["parameter"] == parameter


@pytest.mark.parametrize(
    "parts",
    [
        ["2026-11-20T10:00:00+00:00", "7"],
        ["2026-11-20T10:00:00", str(UUID(int=7))],
        ["soon", str(UUID(int=7))],
        [],
    ],
)
def test_a_forged_cursor_is_refused(agent: Caller, parts: list[str]) -> None:
    response = agent.get(f"{PATH}?cursor={cursors.encode(*parts)}")
    assert response.status_code == 422
    assert response.json()["type"].endswith("#cursor-invalid")


def test_a_cursor_of_other_types_is_refused(agent: Caller) -> None:
    for text in (b'["2026-11-20T10:00:00+00:00", 5]', b"[[], {}]", b"{}", b"5", b"\xff"):
        cursor = base64.urlsafe_b64encode(text).decode().rstrip("=")
        assert agent.get(f"{PATH}?cursor={cursor}").status_code == 422


# ------------------------------------------------------------------ what it costs


def test_the_database_is_asked_rarely(
    agent: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    answer = agent.submit({**HIGH, "session": "run-1"})
    with django_assert_num_queries(10):
        agent.submit({**HIGH, "session": "run-1"}, idempotency_key="one")
    with django_assert_num_queries(3):
        agent.get(f"{PATH}/{answer['id']}")
    for _ in range(4):
        agent.submit({**LOW, "session": "run-1"})
    with django_assert_num_queries(3):
        assert len(agent.get(PATH).json()["actions"]) == 6
