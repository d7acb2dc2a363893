"""Telling open pages and waiting agents that a call changed. A hint: who hears it reads the call again."""

from riskgate.services.shapes import CallView
from riskgate.storage import statements
from riskgate.storage.models import Call
from riskgate.storage.models.fields import json_text

CHANNEL = "riskgate"


def announce(*calls: Call | CallView) -> None:
    """Sent when the transaction commits. Not for calls that nobody waits for: NOTIFY makes commits queue."""
    payloads = [
        json_text({"team": call.team_id, "call": call.id, "status": call.status, "revision": call.revision})
        for call in calls
    ]
    statements.fetch("SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) AS payload", [CHANNEL, payloads])
