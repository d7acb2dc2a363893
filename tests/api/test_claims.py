"""An agent claims, reports and withdraws."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from joserfc import jws
from joserfc.jwk import KeySet

from riskgate.services import agents, approvals, queries
from riskgate.storage.models import Call
from tests.api.conftest import Caller
from tests.people import HIGH, LOW, World, approve, utcnow

PATH = "/api/v1/actions"


def claim(agent: Caller, answer: dict[str, Any], **headers: str) -> Any:
    return agent.post(f"{PATH}/{answer['id']}/claim", {"action_digest": answer["action_digest"]}, **headers)


def age(answer: dict[str, Any]) -> None:
    """The time to decide and to use it passes."""
    past = utcnow() - timedelta(seconds=1)
    row = Call.objects.get(id=answer["id"])
    moved = {name: past for name in ("decide_by", "use_by") if getattr(row, name)}
    Call.objects.filter(id=answer["id"]).update(**moved)


def test_from_submit_to_report(agent: Caller, nobody: Caller, world: World) -> None:
    answer = agent.submit(HIGH)
    call = queries.call(principal=world.agent, call_id=UUID(answer["id"]), now=utcnow())
    approve(world.bob, call)
    assert agent.get(f"{PATH}/{answer['id']}").json()["next"] == "claim"

    granted = claim(agent, answer)
    assert granted.status_code == 200
    assert set(granted.json()) == {"grant", "expires_at"}
    keys = KeySet.import_key_set(nobody.get("/.well-known/jwks.json").json())
    token = jws.deserialize_compact(granted.json()["grant"], keys, algorithms=["Ed25519"])
    assert answer["action_digest"].encode() in token.payload
    assert agent.get(f"{PATH}/{answer['id']}").json()["next"] == "report"

    ended = agent.post(f"{PATH}/{answer['id']}/outcome", {"status": "succeeded", "output": {"deleted": 1}})
    assert ended.status_code == 200
    assert (ended.json()["status"], ended.json()["terminal"]) == ("succeeded", True)
    assert ended.json()["decision"]["reason_code"] == "approved"


def test_a_failure_is_reported_with_its_error(agent: Caller, world: World) -> None:
    answer = agent.submit(LOW)
    claim(agent, answer)
    ended = agent.post(f"{PATH}/{answer['id']}/outcome", {"status": "failed", "error": "No such table."})
    assert ended.json()["status"] == "failed"
    call = queries.call(principal=world.agent, call_id=UUID(answer["id"]), now=utcnow())
    assert call.error == "No such table."


def test_a_second_claim_is_refused(agent: Caller) -> None:
    answer = agent.submit(LOW)
    assert claim(agent, answer).status_code == 200
    again = claim(agent, answer)
    assert again.status_code == 409
    assert again.json()["type"] == "http://localhost:8000/api/docs/problems#wrong-state"
    assert again.json()["action_status"] == "executing"
    assert again.json()["status"] == 409


def test_a_lost_reply_is_asked_for_again_under_the_same_key(agent: Caller) -> None:
    answer = agent.submit(LOW)
    first = claim(agent, answer, idempotency_key="claim-1")
    assert claim(agent, answer, idempotency_key="claim-1").json() == first.json()
    assert claim(agent, answer, idempotency_key="claim-2").status_code == 409


def test_nothing_undecided_or_denied_is_claimed(agent: Caller, world: World) -> None:
    answer = agent.submit(HIGH)
    assert claim(agent, answer).status_code == 409
    approvals.deny(member=world.bob, call_id=UUID(answer["id"]))
    assert claim(agent, answer).status_code == 409


def test_another_digest_is_refused(agent: Caller) -> None:
    answer = agent.submit(LOW)
    response = claim(agent, {**answer, "action_digest": "sha256:" + "0" * 64})
    assert response.status_code == 412
    assert response.json()["type"].endswith("#digest-differs")
    assert claim(agent, answer).status_code == 200, "the approval still stands"


def test_what_was_not_claimed_in_time_is_gone(agent: Caller) -> None:
    answer = agent.submit(LOW)
    age(answer)
    response = claim(agent, answer)
    assert response.status_code == 410
    assert response.json()["type"].endswith("#expired")


def test_a_paused_agent_claims_nothing(agent: Caller, world: World) -> None:
    answer = agent.submit(LOW)
    agents.pause(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
    assert claim(agent, answer).status_code == 423
    agents.resume(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
    assert claim(agent, answer).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"action_digest": None},
        {"action_digest": ""},
        {"action_digest": "0" * 64},
        {"action_digest": "sha256:" + "A" * 64},
        {"action_digest": "sha256:" + "0" * 64 + "\n"},
        {"action_digest": ["sha256:" + "0" * 64]},
    ],
)
def test_a_claim_names_a_digest(agent: Caller, body: dict[str, Any]) -> None:
    response = agent.post(f"{PATH}/{agent.submit(LOW)['id']}/claim", body)
    assert response.status_code == 422
    assert response.json()["pointer"] == "/action_digest"


def test_no_body_says_who_approves(agent: Caller) -> None:
    answer = agent.submit(HIGH)
    body = {"action_digest": answer["action_digest"], "approved_by": "bob"}
    response = agent.post(f"{PATH}/{answer['id']}/claim", body)
    assert response.status_code == 422
    assert response.json()["pointer"] == "/approved_by"


def test_after_the_claim_nobody_is_told_to_claim(agent: Caller) -> None:
    answer = agent.submit(LOW)
    assert answer["decision"]["suggestion"].startswith("Claim it")
    claim(agent, answer)
    path = f"{PATH}/{answer['id']}"
    assert agent.get(path).json()["decision"]["suggestion"].startswith("Run it once")
    done = agent.post(f"{path}/outcome", {"status": "succeeded"}).json()
    assert done["decision"]["suggestion"] == "Nothing more to do."


def test_an_outcome_is_reported_once_and_only_after_the_claim(agent: Caller) -> None:
    answer = agent.submit(LOW)
    path = f"{PATH}/{answer['id']}/outcome"
    assert agent.post(path, {"status": "succeeded"}).status_code == 409
    claim(agent, answer)
    assert agent.post(path, {"status": "done"}).json()["pointer"] == "/status"
    assert agent.post(path, {"status": "succeeded"}, idempotency_key="o").status_code == 200
    assert agent.post(path, {"status": "succeeded"}, idempotency_key="o").status_code == 200
    assert agent.post(path, {"status": "failed"}, idempotency_key="o").status_code == 422
    assert agent.post(path, {"status": "failed"}).status_code == 409


@pytest.mark.parametrize("body", [None, {}])
def test_an_agent_withdraws_what_it_no_longer_wants(agent: Caller, body: Any) -> None:
    answer = agent.submit(HIGH)
    response = agent.post(f"{PATH}/{answer['id']}/cancel", body)
    assert response.status_code == 200
    assert response.json()["status"] == "cancelled"
    assert response.json()["decision"]["reason_code"] == "cancelled"
    assert agent.post(f"{PATH}/{answer['id']}/cancel", body).status_code == 409


def test_what_has_expired_cannot_be_withdrawn(agent: Caller) -> None:
    answer = agent.submit(HIGH)
    age(answer)
    assert agent.post(f"{PATH}/{answer['id']}/cancel").status_code == 410
