"""The same key and body is the same answer, at any time and at the same moment."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from django.db import connection

from riskgate.core.errors import RiskgateError
from riskgate.services.shapes import AgentPrincipal, Idempotency
from riskgate.storage.models import IdempotencyKey


class IdempotencyMismatch(RiskgateError):
    """The key was used before with another body."""

    code: ClassVar[str] = "idempotency_mismatch"


def first_time(
    idempotency: Idempotency | None, *, principal: AgentPrincipal, subject: UUID, now: datetime
) -> UUID | None:
    """Takes the key for `subject`, or answers the subject that it was taken for before.

    None means: go on, it is yours (also where there is no key). Two at the same moment meet at the unique
    constraint: the second waits for the first one's commit. Raises IdempotencyMismatch.
    """
    if idempotency is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO storage_idempotencykey (agent_id, path, key, body_hash, subject, created_at) "
            "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (agent_id, path, key) DO NOTHING",
            [principal.agent_id, idempotency.path, idempotency.key, idempotency.body_hash, subject, now],
        )
        if cursor.rowcount == 1:
            return None
    seen = IdempotencyKey.objects.get(agent_id=principal.agent_id, path=idempotency.path, key=idempotency.key)
    if bytes(seen.body_hash) != idempotency.body_hash:
        raise IdempotencyMismatch(
            "This Idempotency-Key was used before with another body. Use a new key for a new request."
        )
    return seen.subject
