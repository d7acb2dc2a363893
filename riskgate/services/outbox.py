"""The one door to the outside: a row now, in the transaction of the change; delivery later, by a task."""

from datetime import datetime

from riskgate.storage.models import Call, Outbox


def put(topic: str, call: Call, *, at: datetime) -> None:
    """Ids, status and level; never arguments: what leaves the house is a hint to come and look."""
    Outbox.objects.create(
        topic=topic,
        team_id=call.team_id,
        payload={"call": str(call.id), "status": call.status, "level": call.level},
        created_at=at,
        due_at=at,
    )
