"""Claiming an approved action: exactly one winner, who is given a signed grant."""

import hmac
import json
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.db import transaction
from joserfc import jws
from joserfc.jwk import OKPKey

from riskgate.core.errors import RiskgateError
from riskgate.core.lifecycle import Status
from riskgate.core.policy import Policy
from riskgate.services import rows, transitions
from riskgate.services.idempotency import first_time
from riskgate.services.shapes import AgentPrincipal, GrantView, Idempotency
from riskgate.storage.models import Call, Grant
from riskgate.storage.models.fields import uuid7

TYPE = "riskgate-grant+jwt"
ALGORITHM = "Ed25519"


class DigestDiffers(RiskgateError):
    """What the agent is about to run is not what was approved."""

    code: ClassVar[str] = "digest_differs"


class Paused(RiskgateError):
    """The agent or its team is paused."""

    code: ClassVar[str] = "paused"


@lru_cache(maxsize=1)
def _key() -> OKPKey:
    return OKPKey.import_key(json.loads(Path(settings.SIGNING_KEY_FILE).read_text()))


def jwks() -> dict[str, Any]:
    """The public half of the signing key, as a JWK Set (RFC 7517)."""
    key = _key()
    return {"keys": [{**key.as_dict(private=False), "kid": key.thumbprint(), "use": "sig", "alg": ALGORITHM}]}


def _sign(call: Call, grant: Grant) -> GrantView:
    """The compact JWS of a grant. Ed25519 is deterministic: the same grant is always the same token."""
    key = _key()
    claims = {
        "iss": settings.PUBLIC_URL,
        "aud": str(call.agent_id),
        "sub": str(call.id),
        "jti": str(grant.id),
        "iat": int(grant.issued_at.timestamp()),
        "exp": int(grant.expires_at.timestamp()),
        "action_digest": call.action_digest,
        "team": str(call.team_id),
        "agent": str(call.agent_id),
        "environment": call.environment,
        "nonce": call.nonce,
    }
    header = {"alg": ALGORITHM, "typ": TYPE, "kid": key.thumbprint()}
    token = jws.serialize_compact(
        header, json.dumps(claims, separators=(",", ":")), key, algorithms=[ALGORITHM]
    )
    return GrantView(token=token, expires_at=grant.expires_at.astimezone(UTC))


def claim(
    *,
    principal: AgentPrincipal,
    call_id: UUID,
    action_digest: str,
    idempotency: Idempotency | None,
    now: datetime,
) -> GrantView:
    """Gives the one grant of an approved call. A repetition under the same key gets the same one while it lives.

    Raises NotFound, WrongState, Expired, DigestDiffers, Paused.
    """
    with transaction.atomic():
        call, at = rows.lock_of_agent(principal, call_id)
        late = transitions.catch_up(call, at)
        if not late:
            grant_id = uuid7()
            seen = first_time(idempotency, principal=principal, subject=grant_id, now=now)
            grant = (
                _first(principal, call, action_digest, grant_id, at)
                if seen is None
                else _again(call, seen, at)
            )
    if late:
        raise transitions.too_late(call)
    return _sign(call, grant)


def _first(principal: AgentPrincipal, call: Call, action_digest: str, grant_id: UUID, at: datetime) -> Grant:
    if call.status != Status.APPROVED:
        raise transitions.WrongState(
            f"This action is {call.status}; only an approved one that nobody has claimed can be claimed.",
            status=call.status,
        )
    if not hmac.compare_digest(action_digest.encode(), call.action_digest.encode()):
        raise DigestDiffers(
            "The digest is not that of the approved action. Submit what you want to run as a new action."
        )
    if call.team.paused_at is not None:
        raise Paused("The team is paused: nothing can be claimed until an admin resumes it.")
    if call.agent.paused_at is not None:
        raise Paused("This agent is paused: nothing can be claimed until an admin resumes it.")
    lives = timedelta(seconds=Policy.from_json(call.policy.document).timings.grant)
    # Whole seconds, as the token has them: both sides then agree when it ends.
    issued_at = at.replace(microsecond=0)
    grant = Grant.objects.create(id=grant_id, call=call, issued_at=issued_at, expires_at=issued_at + lives)
    transitions.move(call, Status.EXECUTING, actor=principal.actor, at=at, data={"grant": str(grant.id)})
    return grant


def _again(call: Call, grant_id: UUID, at: datetime) -> Grant:
    grant = Grant.objects.get(id=grant_id, call=call)
    if grant.expires_at <= at:
        raise transitions.WrongState(
            "This action was claimed under this key, and the grant has ended. Report the outcome, or submit it anew.",
            status=call.status,
        )
    return grant
