"""The one door to the outside: a row now, in the transaction of the change; delivery later, by a task."""

from datetime import datetime

from riskgate.services.shapes import CallView
from riskgate.storage import statements
from riskgate.storage.models import Call, Outbox
from riskgate.storage.models.fields import json_text


def put(topic: str, *calls: Call | CallView, at: datetime) -> None:
    """Ids, status and level; never arguments: what leaves the house is a hint to come and look."""
    rows = [
        {
            "topic": topic,
            "team_id": call.team_id,
            "payload": json_text({"call": call.id, "status": call.status, "level": call.level}),
            "created_at": at,
            "due_at": at,
            "attempts": 0,
            "delivered_at": None,
            "failed_at": None,
            "last_error": "",
        }
        for call in calls
    ]
    statements.insert((Outbox, rows))
