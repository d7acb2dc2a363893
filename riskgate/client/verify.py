"""Checking a grant: that it is riskgate's, is for this very call, and has not been used.

Whoever runs the action does this, with the arguments that are about to run and none that it was told.
"""

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rfc8785
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from riskgate.client.errors import GrantInvalid

TYPE = "riskgate-grant+jwt"
ALGORITHM = "Ed25519"
FORMAT = "riskgate.action.v1"
TEXTS = ("iss", "aud", "sub", "jti", "action_digest", "team", "agent", "environment", "nonce")
REFETCH_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Grant:
    """The claims of a checked grant. `expires_at` is in seconds since 1970."""

    id: str
    issuer: str
    action_id: str
    team: str
    agent: str
    environment: str
    action_digest: str
    expires_at: int


def action_digest(
    *,
    team: str,
    agent: str,
    environment: str,
    function_name: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    nonce: str,
) -> str:
    """`sha256:` and the hex SHA-256 of the RFC 8785 canonical JSON of all this and a format tag.

    Raises GrantInvalid for arguments that have no canonical JSON.
    """
    action: Any = {
        "format": FORMAT,
        "team": team,
        "agent": agent,
        "environment": environment,
        "function_name": function_name,
        "args": list(args),
        "kwargs": dict(kwargs),
        "nonce": nonce,
    }
    try:
        canonical = rfc8785.dumps(action)
    except (rfc8785.CanonicalizationError, RecursionError) as error:
        raise GrantInvalid(f"The arguments cannot be written as canonical JSON: {error}") from error
    return "sha256:" + hashlib.sha256(canonical).hexdigest()


class Verifier:
    """Checks grants, each once. Usable by many threads.

    fetch_keys   answers the server's JWK Set: `Client.public_keys`
    audience     the id of the agent whose grants are taken; without it, `check` must be told the action's id
    issuer       the public address of the server; None takes whoever signs with the server's keys
    clock        seconds since 1970

    What was used is remembered in this object: two processes that might be handed the same grant need one
    verifier between them.
    """

    def __init__(
        self,
        fetch_keys: Callable[[], Mapping[str, Any]],
        *,
        audience: str | None = None,
        issuer: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._fetch_keys = fetch_keys
        self._audience = audience
        self._issuer = issuer
        self._clock = clock
        self._keys: dict[str, OKPKey] = {}
        self._fetched_at: float | None = None
        self._used: dict[str, int] = {}
        self._lock = threading.Lock()

    def check(
        self,
        token: str,
        function_name: str,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        action_id: str | None = None,
    ) -> Grant:
        """The grant, if it allows this function with these arguments now, and was never checked before.

        Raises GrantInvalid with the reason. Call it last before running, and run only when it returns.
        """
        if self._audience is None and action_id is None:
            raise ValueError("Say whose grants are taken (audience), or for which action (action_id).")
        claims = self._claims(token)
        if claims["aud"] != claims["agent"] or self._audience not in (None, claims["aud"]):
            raise GrantInvalid("The grant is for another agent.")
        if self._issuer not in (None, claims["iss"]):
            raise GrantInvalid(f"The grant comes from {claims['iss']}, not from {self._issuer}.")
        if action_id not in (None, claims["sub"]):
            raise GrantInvalid("The grant is for another action.")
        digest = action_digest(
            team=claims["team"],
            agent=claims["agent"],
            environment=claims["environment"],
            function_name=function_name,
            args=args,
            kwargs=kwargs or {},
            nonce=claims["nonce"],
        )
        if not hmac.compare_digest(digest.encode(), claims["action_digest"].encode()):
            raise GrantInvalid("What is about to run is not what was approved: the digests differ.")
        self._use(claims["jti"], claims["exp"])
        return Grant(
            id=claims["jti"],
            issuer=claims["iss"],
            action_id=claims["sub"],
            team=claims["team"],
            agent=claims["agent"],
            environment=claims["environment"],
            action_digest=claims["action_digest"],
            expires_at=claims["exp"],
        )

    def _claims(self, token: str) -> dict[str, Any]:
        """The claims under a good signature, every one that is needed there and of its type."""
        try:
            # The algorithm is ours to choose, never the token's.
            signed = jws.deserialize_compact(token.encode("ascii"), self._key_of, algorithms=[ALGORITHM])
            claims = json.loads(signed.payload)
        except (JoseError, ValueError, RecursionError) as error:
            raise GrantInvalid(f"The grant cannot be read, or its signature is wrong: {error}") from error
        if not isinstance(claims, dict) or not all(isinstance(claims.get(name), str) for name in TEXTS):
            raise GrantInvalid("The grant does not say all that a grant has to say.")
        if type(claims.get("exp")) is not int:
            raise GrantInvalid("The grant does not say when it ends.")
        return claims

    def _key_of(self, token: Any) -> OKPKey:
        header = token.headers()
        if header.get("typ") != TYPE or header.get("alg") != ALGORITHM:
            raise GrantInvalid(f"This is no grant: the type of a grant is {TYPE}, and {ALGORITHM} signs it.")
        kid = header.get("kid")
        with self._lock:
            due = self._fetched_at is None or self._clock() - self._fetched_at >= REFETCH_SECONDS
            if kid not in self._keys and due:
                # Not at every unknown name: whoever sends rubbish would make us ask the server each time.
                self._keys = _signing_keys(self._fetch_keys())
                self._fetched_at = self._clock()
            key = self._keys.get(str(kid))
        if key is None:
            raise GrantInvalid("The grant is signed with a key that the server does not publish.")
        return key

    def _use(self, grant_id: str, expires_at: int) -> None:
        with self._lock:
            now = self._clock()
            if expires_at <= now:
                raise GrantInvalid("The grant has ended. Submit the action again if it is still needed.")
            if grant_id in self._used:
                raise GrantInvalid("The grant has been used.")
            self._used = {each: end for each, end in self._used.items() if end > now}
            self._used[grant_id] = expires_at


def _signing_keys(jwks: Mapping[str, Any]) -> dict[str, OKPKey]:
    """The set's keys for grants, by their names. Other keys may stand beside them."""
    return {
        each["kid"]: OKPKey.import_key(each)
        for each in jwks.get("keys", ())
        if each.get("kty") == "OKP" and each.get("crv") == "Ed25519" and each.get("kid")
    }
