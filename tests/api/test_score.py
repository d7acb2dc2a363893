"""Scoring without submitting."""

import json
from pathlib import Path
from typing import Any

import pytest

from riskgate.storage.models import AuditEvent, Call
from tests.api.conftest import Caller

DATA = Path(__file__).parents[1] / "data"
VECTORS = json.loads((DATA / "scoring_vectors.json").read_text("utf-8"))["cases"]
PATH = "/api/v1/score"


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_the_published_examples_score_exactly(agent: Caller, case: dict[str, Any]) -> None:
    body = {**case["action"], "prior_calls": case["prior_calls"], "packs": ["core"]}
    response = agent.post(PATH, body)
    assert response.status_code == 200, response.content
    answer = response.json()
    assert {factor["name"]: factor["score"] for factor in answer["factors"]} == case["expected"]["factors"]
    assert answer["score"] == case["expected"]["score"]
    assert answer["level"] == case["expected"]["level"]
    assert answer["floors"] == []


def test_nothing_is_stored(agent: Caller) -> None:
    before = AuditEvent.objects.count()
    assert agent.post(PATH, {"function_name": "drop_database"}).status_code == 200
    assert (Call.objects.count(), AuditEvent.objects.count()) == (0, before)


def test_the_policys_own_packs_are_the_default(agent: Caller) -> None:
    body = {"function_name": "run_shell", "kwargs": {"command": "rm -rf / --no-preserve-root"}}
    assert agent.post(PATH, body).json()["floors"]
    assert agent.post(PATH, {**body, "packs": None}).json()["floors"]
    assert not agent.post(PATH, {**body, "packs": ["core"]}).json()["floors"]
    assert not agent.post(PATH, {**body, "packs": []}).json()["floors"]


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"packs": ["core", "magic"]}, "/packs/1"),
        ({"packs": [1]}, "/packs/0"),
        ({"packs": "core"}, "/packs"),
        ({"prior_calls": -1}, "/prior_calls"),
        ({"prior_calls": 1.5}, "/prior_calls"),
        ({"prior_calls": True}, "/prior_calls"),
        ({"prior_calls": 10**9}, "/prior_calls"),
        ({"session": "run-1"}, "/session"),
    ],
)
def test_what_cannot_be_scored_is_named(agent: Caller, more: dict[str, Any], pointer: str) -> None:
    response = agent.post(PATH, {"function_name": "get", **more})
    assert response.status_code == 422
    assert response.json()["pointer"] == pointer
