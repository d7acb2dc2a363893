"""The same key and body is the same answer, at any time and at the same moment."""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from riskgate.core.errors import RiskgateError
from riskgate.services.shapes import AgentPrincipal, Idempotency
from riskgate.storage import statements
from riskgate.storage.models import IdempotencyKey
from riskgate.storage.models.fields import json_text


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
    seen = first_time_of_all(idempotency, principal=principal, subjects=[subject], now=now)
    return seen[0] if seen is not None else None


def first_time_of_all(
    idempotency: Idempotency | None, *, principal: AgentPrincipal, subjects: Sequence[UUID], now: datetime
) -> Sequence[UUID] | None:
    """The same for a batch: one key stands for all its subjects, at least one, in their order."""
    if idempotency is None:
        return None
    batch = json_text(subjects) if len(subjects) > 1 else None
    taken = statements.fetch(
        "INSERT INTO storage_idempotencykey (agent_id, path, key, body_hash, subject, batch, created_at) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (agent_id, path, key) DO NOTHING RETURNING id",
        [
            principal.agent_id,
            idempotency.path,
            idempotency.key,
            idempotency.body_hash,
            subjects[0],
            batch,
            now,
        ],
    )
    if taken:
        return None
    seen = IdempotencyKey.objects.get(agent_id=principal.agent_id, path=idempotency.path, key=idempotency.key)
    if bytes(seen.body_hash) != idempotency.body_hash:
        raise IdempotencyMismatch(
            "This Idempotency-Key was used before with another body. Use a new key for a new request."
        )
    return [UUID(each) for each in seen.batch] if seen.batch else [seen.subject]
