"""The grant: for the very action that was approved, for one agent, once."""

import hashlib
import json
from datetime import timedelta

import pytest
from joserfc import jws
from joserfc.jwk import KeySet

from riskgate.services import agents, gate, grants, queries, rows, sessions, transitions
from riskgate.services.shapes import AgentPrincipal, CallView, GrantView, Idempotency
from riskgate.storage.models import ApiKey, AuditEvent, Call, Grant, Team
from tests.people import HIGH, LOW, World, approve, reread, submit, utcnow


def claim(
    principal: AgentPrincipal, call: CallView, *, key: str | None = None, digest: str | None = None
) -> GrantView:
    idempotency = Idempotency(f"/claim/{call.id}", key, hashlib.sha256(b"{}").digest()) if key else None
    return grants.claim(
        principal=principal,
        call_id=call.id,
        action_digest=digest or call.action_digest,
        idempotency=idempotency,
        now=utcnow(),
    )


def test_a_grant_says_what_was_approved_and_verifies_against_the_published_key(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    grant = claim(world.agent, call)
    keys = KeySet.import_key_set(grants.jwks())
    assert all("d" not in key for key in grants.jwks()["keys"]), "the private half stays at home"
    token = jws.deserialize_compact(grant.token, keys, algorithms=["Ed25519"])
    claims = json.loads(token.payload)
    assert (token.headers()["typ"], claims["sub"], claims["aud"]) == (
        "riskgate-grant+jwt",
        str(call.id),
        str(call.agent_id),
    )
    assert (claims["action_digest"], claims["nonce"]) == (call.action_digest, call.nonce)
    assert claims["exp"] - claims["iat"] == 120


def test_a_pending_or_denied_action_is_not_claimed(world: World) -> None:
    call = submit(world, HIGH)
    with pytest.raises(transitions.WrongState):
        claim(world.agent, call)


def test_another_action_than_the_approved_one_is_not_claimed(world: World) -> None:
    call = submit(world, LOW)
    with pytest.raises(grants.DigestDiffers):
        claim(world.agent, call, digest="sha256:" + "0" * 64)
    assert reread(world, call).status == "approved"


def test_a_lost_reply_is_asked_again_under_the_same_key(world: World) -> None:
    call = submit(world, LOW)
    first = claim(world.agent, call, key="k")
    assert claim(world.agent, call, key="k") == first
    with pytest.raises(transitions.WrongState):
        claim(world.agent, call, key="other")
    with pytest.raises(transitions.WrongState):
        claim(world.agent, call)
    assert Grant.objects.count() == 1


def test_a_grant_that_has_ended_is_not_given_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    call = submit(world, LOW)
    claim(world.agent, call, key="k")
    real = rows.clock
    monkeypatch.setattr(rows, "clock", lambda: real() + timedelta(seconds=121))
    with pytest.raises(transitions.WrongState, match="the grant has ended"):
        claim(world.agent, call, key="k")


def test_nothing_is_claimed_while_the_agent_or_the_team_is_paused(world: World) -> None:
    call = submit(world, LOW)
    agents.pause(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
    with pytest.raises(grants.Paused):
        claim(world.agent, call)
    agents.resume(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
    Team.objects.update(paused_at=utcnow())
    with pytest.raises(grants.Paused):
        claim(world.agent, call)
    Team.objects.update(paused_at=None)
    claim(world.agent, call)
    kinds = AuditEvent.objects.filter(kind__startswith="agent.").order_by("at").values_list("kind", flat=True)
    assert list(kinds)[-2:] == ["agent.paused", "agent.resumed"]


def test_another_agent_of_the_same_team_touches_nothing(world: World) -> None:
    call = submit(world, LOW)
    agent_id = agents.register(member=world.alice, name="second-bot", environment="staging", now=utcnow())
    token = agents.make_key(member=world.alice, agent_id=agent_id, now=utcnow())
    second = agents.authenticate(token=token)
    assert second is not None
    with pytest.raises(rows.NotFound):
        claim(second, call)
    with pytest.raises(rows.NotFound):
        gate.cancel(principal=second, call_id=call.id, idempotency=None, now=utcnow())
    with pytest.raises(rows.NotFound):
        queries.call(principal=second, call_id=call.id, now=utcnow())
    with pytest.raises(rows.NotFound):
        sessions.get(principal=second, session_id=call.session_id)
    assert Call.objects.get(id=call.id).status == "approved"


def test_a_revoked_key_opens_nothing(world: World) -> None:
    assert agents.authenticate(token=world.api_key) is not None
    ApiKey.objects.update(revoked_at=utcnow())
    assert agents.authenticate(token=world.api_key) is None
    assert agents.authenticate(token="rg_" + "x" * 43) is None
    assert agents.authenticate(token="rg_ключ") is None


@pytest.mark.parametrize("name", ["bob", "dave", "erin"])
def test_only_an_admin_registers_agents_makes_keys_and_pauses(world: World, name: str) -> None:
    member, agent_id = world.members[name], world.agent.agent_id
    with pytest.raises(rows.NotAllowed):
        agents.register(member=member, name="x", environment="y", now=utcnow())
    with pytest.raises(rows.NotAllowed):
        agents.make_key(member=member, agent_id=agent_id, now=utcnow())
    with pytest.raises(rows.NotAllowed):
        agents.pause(member=member, agent_id=agent_id, now=utcnow())
    with pytest.raises(rows.NotFound):
        agents.pause(member=world.eve, agent_id=agent_id, now=utcnow())
