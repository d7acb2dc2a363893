"""An agent's runs."""

from uuid import UUID

from tests.api.conftest import Caller
from tests.people import LOW

PATH = "/api/v1/sessions"


def test_a_session_is_opened_used_and_closed(agent: Caller) -> None:
    made = agent.post(PATH, {"name": "run-1"})
    session = made.json()
    assert made.status_code == 201
    assert made["Location"] == f"{PATH}/{session['id']}"
    assert UUID(session["id"]).version == 7
    assert (session["name"], session["calls"], session["closed_at"]) == ("run-1", 0, None)

    assert agent.submit({**LOW, "session": session["id"]})["session"] == session["id"]
    assert agent.submit({**LOW, "session": "run-1"})["session"] == session["id"]
    assert agent.get(made["Location"]).json()["calls"] == 2

    closed = agent.post(f"{made['Location']}/close")
    assert closed.status_code == 200
    assert closed.json()["closed_at"].endswith("Z")
    assert agent.post(f"{made['Location']}/close", {}).json() == closed.json()
    refused = agent.post("/api/v1/actions", {**LOW, "session": "run-1"})
    assert refused.status_code == 409
    assert refused.json()["type"].endswith("#session-closed")


def test_the_same_name_is_the_same_session(agent: Caller, other: Caller) -> None:
    first = agent.post(PATH, {"name": "run-1"}).json()
    assert agent.post(PATH, {"name": "run-1"}).json()["id"] == first["id"]
    assert other.post(PATH, {"name": "run-1"}).json()["id"] != first["id"]


def test_no_name_is_needed(agent: Caller) -> None:
    for body in (None, {}, {"name": None}):
        assert agent.post(PATH, body).status_code == 201


def test_another_teams_session_is_not_found(agent: Caller, other: Caller) -> None:
    session = agent.post(PATH, {"name": "run-1"}).json()
    assert other.get(f"{PATH}/{session['id']}").status_code == 404
    assert other.post(f"{PATH}/{session['id']}/close").status_code == 404
    assert agent.get(f"{PATH}/{session['id']}").json()["closed_at"] is None


def test_a_bad_name_is_named(agent: Caller) -> None:
    for name in ("", "x" * 256, "a\nb", 7, ["a"]):
        response = agent.post(PATH, {"name": name})
        assert (response.status_code, response.json()["pointer"]) == (422, "/name")
