"""Telling open pages and waiting agents that a call changed. A hint: who hears it reads the call again."""

import json

from django.db import connection

from riskgate.storage.models import Call

CHANNEL = "riskgate"


def announce(call: Call) -> None:
    """Sent when the transaction commits. Not for calls that nobody waits for: NOTIFY makes commits queue."""
    payload = {
        "team": str(call.team_id),
        "call": str(call.id),
        "status": call.status,
        "revision": call.revision,
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps(payload)])
