"""The same key and body is the same request, at any time and at the same moment."""

import threading
from typing import Any

import pytest
from django.db import connection

from riskgate.storage.models import Call
from tests.api.conftest import Caller
from tests.people import HIGH, LOW, make_world

PATH = "/api/v1/actions"


def test_the_same_key_and_body_is_the_same_call(agent: Caller) -> None:
    first = agent.post(PATH, HIGH, idempotency_key="k-1")
    second = agent.post(PATH, HIGH, idempotency_key="k-1")
    assert second.status_code == first.status_code == 202
    assert second.json()["id"] == first.json()["id"]
    assert "Idempotent-Replayed" not in first
    assert second["Idempotent-Replayed"] == "true"
    assert second["Location"] == first["Location"]
    assert Call.objects.count() == 1


def test_it_is_answered_as_it_stands_now(agent: Caller) -> None:
    first = agent.post(PATH, HIGH, idempotency_key="k-1").json()
    agent.post(f"{PATH}/{first['id']}/cancel")
    again = agent.post(PATH, HIGH, idempotency_key="k-1")
    assert again.status_code == 201
    assert again.json()["status"] == "cancelled"


def test_a_slash_at_the_end_is_no_other_path(agent: Caller) -> None:
    first = agent.post(PATH, LOW, idempotency_key="k-1")
    assert agent.post(PATH + "/", LOW, idempotency_key="k-1").json()["id"] == first.json()["id"]


def test_the_same_key_with_another_body_is_refused(agent: Caller) -> None:
    agent.post(PATH, HIGH, idempotency_key="k-1")
    response = agent.post(PATH, LOW, idempotency_key="k-1")
    assert response.status_code == 422
    assert response.json()["type"].endswith("#idempotency-mismatch")
    assert Call.objects.count() == 1


def test_two_agents_may_use_the_same_key(agent: Caller, other: Caller) -> None:
    mine = agent.post(PATH, LOW, idempotency_key="k-1").json()
    theirs = other.post(PATH, LOW, idempotency_key="k-1").json()
    assert mine["id"] != theirs["id"]


def test_a_key_that_was_refused_is_free(agent: Caller) -> None:
    assert agent.post(PATH, {"args": []}, idempotency_key="k-1").status_code == 422
    assert agent.post(PATH, LOW, idempotency_key="k-1").status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there", "schlüssel"])
def test_a_key_is_short_printable_ascii(agent: Caller, key: str) -> None:
    response = agent.post(PATH, LOW, idempotency_key=key)
    assert response.status_code == 422
    assert response.json()["header"] == "Idempotency-Key"
    assert Call.objects.count() == 0


def test_the_longest_key_is_taken(agent: Caller) -> None:
    assert agent.post(PATH, LOW, idempotency_key="x" * 255).status_code == 201


def test_sessions_too_are_made_once(agent: Caller) -> None:
    first = agent.post("/api/v1/sessions", idempotency_key="s")
    assert agent.post("/api/v1/sessions", idempotency_key="s").json() == first.json()
    assert agent.post("/api/v1/sessions").json()["id"] != first.json()["id"]


@pytest.mark.django_db(transaction=True)
def test_sixteen_at_the_same_moment_make_one_call() -> None:
    key = make_world().api_key
    barrier = threading.Barrier(16)
    answers: list[Any] = []

    def ask() -> None:
        caller = Caller(key)
        barrier.wait()
        try:
            answers.append(caller.post(PATH, HIGH, idempotency_key="at-once"))
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [202] * 16
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer for answer in answers) == 1
    assert Call.objects.count() == 1
