"""A grant is checked by whoever runs the action; everything that is not exactly right does not run."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from joserfc import jws
from joserfc.jwk import OKPKey

from riskgate.client import Verifier
from riskgate.client.errors import GrantInvalid
from riskgate.client.verify import action_digest
from riskgate.core import digest
from riskgate.services import grants
from tests import people
from tests.people import World

NOW = 1_800_000_000
KEY = OKPKey.generate_key("Ed25519", {"use": "sig", "alg": "Ed25519"}, private=True, auto_kid=True)
OTHER_KEY = OKPKey.generate_key("Ed25519", {"use": "sig", "alg": "Ed25519"}, private=True, auto_kid=True)
WHO = {"team": "team-1", "agent": "agent-1", "environment": "production", "nonce": "00ff" * 8}
CALL: dict[str, Any] = {"function_name": "delete_user", "args": ["usr_123"], "kwargs": {"env": "production"}}


def published(*keys: OKPKey) -> dict[str, Any]:
    return {"keys": [{**key.as_dict(private=False), "kid": key.thumbprint()} for key in keys]}


def grant(header: Mapping[str, Any] | None = None, *, key: OKPKey = KEY, **claims: Any) -> str:
    """A token as the server signs it, but for what the test changes; a claim that is None is left out."""
    said = {
        "iss": "https://gate.example.org",
        "aud": "agent-1",
        "sub": "call-1",
        "jti": "grant-1",
        "iat": NOW,
        "exp": NOW + 120,
        "action_digest": action_digest(**WHO, **CALL),
        **WHO,
        **claims,
    }
    said = {name: value for name, value in said.items() if value is not None}
    full = {"alg": "Ed25519", "typ": "riskgate-grant+jwt", "kid": key.thumbprint(), **(header or {})}
    return jws.serialize_compact(full, json.dumps(said), key, algorithms=["Ed25519"])


def verifier(now: Callable[[], float] = lambda: NOW, **settings: Any) -> Verifier:
    return Verifier(lambda: published(KEY), clock=now, **{"audience": "agent-1", **settings})


def check(token: str, *, by: Verifier | None = None, **changes: Any) -> Any:
    return (by or verifier()).check(token, **{**CALL, **changes})


def test_a_good_grant_for_the_very_call_is_taken() -> None:
    taken = check(grant(), action_id="call-1")
    assert (taken.id, taken.action_id, taken.agent, taken.environment, taken.expires_at) == (
        "grant-1",
        "call-1",
        "agent-1",
        "production",
        NOW + 120,
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"function_name": "delete_users"},
        {"args": ["usr_124"]},
        {"args": []},
        {"args": ["usr_123", None]},
        {"kwargs": {}},
        {"kwargs": {"env": "staging"}},
        {"args": [], "kwargs": {"user": "usr_123", "env": "production"}},
    ],
)
def test_other_arguments_than_the_approved_ones_do_not_run(changes: dict[str, Any]) -> None:
    with pytest.raises(GrantInvalid, match="digests differ"):
        check(grant(), **changes)


def test_a_grant_works_once() -> None:
    mine = verifier()
    check(grant(), by=mine)
    with pytest.raises(GrantInvalid, match="has been used"):
        check(grant(), by=mine)
    check(grant(jti="grant-2"), by=mine)


def test_a_grant_that_did_not_fit_is_not_used_up() -> None:
    mine = verifier()
    with pytest.raises(GrantInvalid):
        check(grant(), by=mine, args=["usr_124"])
    check(grant(), by=mine)


def test_a_grant_ends() -> None:
    check(grant(), by=verifier(lambda: NOW + 119.9))
    with pytest.raises(GrantInvalid, match="has ended"):
        check(grant(), by=verifier(lambda: NOW + 120))


def test_used_grants_are_forgotten_when_they_could_not_be_used_anyway() -> None:
    now = [float(NOW)]
    mine = verifier(lambda: now[0])
    for number in range(50):
        check(grant(jti=f"grant-{number}"), by=mine)
    now[0] += 121
    check(grant(jti="later", exp=NOW + 300), by=mine)
    assert set(mine._used) == {"later"}


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"aud": "agent-2"}, "another agent"),
        ({"aud": "agent-2", "agent": "agent-2"}, "another agent"),
        ({"agent": "agent-2"}, "another agent"),
        ({"aud": ["agent-1"]}, "all that a grant has to say"),
        ({"jti": None}, "all that a grant has to say"),
        ({"nonce": None}, "all that a grant has to say"),
        ({"exp": None}, "when it ends"),
        ({"exp": "2030"}, "when it ends"),
        ({"exp": True}, "when it ends"),
        ({"sub": "call-2"}, "another action"),
        ({"iss": "https://elsewhere.example"}, "comes from"),
        ({"environment": "staging"}, "digests differ"),
        ({"team": "team-2"}, "digests differ"),
        ({"nonce": "11"}, "digests differ"),
        ({"action_digest": "sha256:" + "0" * 64}, "digests differ"),
        ({"action_digest": "ungültig"}, "digests differ"),
    ],
)
def test_a_claim_that_is_not_right_is_refused(claims: dict[str, Any], said: str) -> None:
    strict = verifier(issuer="https://gate.example.org")
    with pytest.raises(GrantInvalid, match=said):
        check(grant(**claims), by=strict, action_id="call-1")


def test_a_signature_of_somebody_else_under_the_servers_key_name_is_refused() -> None:
    with pytest.raises(GrantInvalid, match="signature"):
        check(grant({"kid": KEY.thumbprint()}, key=OTHER_KEY))


def test_a_key_that_the_server_does_not_publish_is_refused() -> None:
    with pytest.raises(GrantInvalid, match="does not publish"):
        check(grant(key=OTHER_KEY))


def test_another_kind_of_token_under_the_servers_key_is_refused() -> None:
    with pytest.raises(GrantInvalid, match="no grant"):
        check(grant({"typ": "JWT"}))


def test_a_changed_token_is_refused() -> None:
    head, body, signature = grant().split(".")
    for broken in (
        f"{head}.{body[:-2]}AA.{signature}",
        f"{head}.{body}.",
        f"{head}.{body}",
        "",
        "…",
        "a.b.c",
        f"eyJhbGciOiJub25lIn0.{body}.",
        f"eyJhbGciOiJIUzI1NiJ9.{body}.{signature}",
    ):
        with pytest.raises(GrantInvalid):
            check(broken)


def test_keys_are_asked_for_again_when_a_new_one_signs_but_not_for_every_rubbish() -> None:
    asked = []
    now = [float(NOW)]
    keys = [KEY]

    def fetch() -> dict[str, Any]:
        asked.append(now[0])
        return published(*keys)

    mine = Verifier(fetch, audience="agent-1", clock=lambda: now[0])
    check(grant(), by=mine)
    keys.append(OTHER_KEY)
    for _ in range(3):
        with pytest.raises(GrantInvalid, match="does not publish"):
            check(grant(key=OTHER_KEY, jti="new"), by=mine)
    assert len(asked) == 1
    now[0] += 31
    check(grant(key=OTHER_KEY, jti="new"), by=mine)
    assert len(asked) == 2


def test_other_keys_beside_those_for_grants_do_no_harm() -> None:
    ec = {"kty": "EC", "crv": "P-256", "kid": "other", "x": "AA", "y": "AA"}
    mine = Verifier(lambda: {"keys": [ec, *published(KEY)["keys"]]}, audience="agent-1", clock=lambda: NOW)
    check(grant(), by=mine)


def test_somebody_has_to_say_whose_grant_it_may_be() -> None:
    with pytest.raises(ValueError, match="audience"):
        check(grant(), by=verifier(audience=None))


def test_arguments_without_canonical_json_do_not_run() -> None:
    for value in (float("nan"), 2**60, "\ud800", {1, 2}, object()):
        with pytest.raises(GrantInvalid):
            check(grant(), args=[value])


def test_the_digest_is_the_server_s() -> None:
    odd: dict[str, Any] = {
        "function_name": "grüße",
        "args": [1.0, -0.0, 1e21, "\u20ac\r\n\x0f", None, True, [], {}],
        "kwargs": {"\u20ac": 1, "\U0001f600": 2, "b": {"z": 1, "a": [2]}, "": 0},
    }
    assert action_digest(**WHO, **odd) == digest.action_digest(**WHO, **odd)


def test_the_server_s_own_grant_is_taken(world: World) -> None:
    call = people.submit(world, people.HIGH)
    assert people.approve(world.bob, call).status == "approved"
    claimed = grants.claim(
        principal=world.agent,
        call_id=call.id,
        action_digest=call.action_digest,
        idempotency=None,
        now=people.utcnow(),
    )
    mine = Verifier(grants.jwks, audience=str(world.agent.agent_id))
    with pytest.raises(GrantInvalid, match="digests differ"):
        mine.check(claimed.token, "delete_user", ["usr_123"], {"env": "staging"})
    taken = mine.check(
        claimed.token, "delete_user", ["usr_123"], {"env": "production"}, action_id=str(call.id)
    )
    assert taken.action_id == str(call.id)
    with pytest.raises(GrantInvalid, match="has been used"):
        mine.check(claimed.token, "delete_user", ["usr_123"], {"env": "production"})
