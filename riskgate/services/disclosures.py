"""Showing one masked value to one person, and never without an event that says so."""

import json
from datetime import datetime
from uuid import UUID

from django.db import transaction

from riskgate.core.action import Json, tokens
from riskgate.core.events import Event
from riskgate.core.roles import Permission, allows
from riskgate.services import audit, rows
from riskgate.services.shapes import Member
from riskgate.storage.models import Call


@transaction.atomic
def reveal(*, member: Member, call_id: UUID, at: str, now: datetime) -> str:
    """The masked value at this JSON Pointer: a text as it is, anything else as JSON.

    The event holds the pointer and never the value. Raises NotFound, NotAllowed.
    """
    if not allows(rows.membership(member), Permission.REVEAL):
        raise rows.NotAllowed("Only auditors of the team may see what is masked.")
    calls = Call.objects.filter(id=call_id, team_id=member.team_id).select_related("agent", "policy")
    call = calls.first()
    if call is None:
        raise rows.NotFound("There is no such action in this team.")
    if at not in call.masked:
        raise rows.NotFound("Nothing is masked there.")
    value: Json = {"args": call.args, "kwargs": call.kwargs}
    for token in tokens(at):
        value = value[int(token)] if isinstance(value, (list, tuple)) else value[token]  # type: ignore[index, call-overload]
    audit.record(audit.call_event(Event.SECRET_REVEALED, call, actor=member.actor, at=now, data={"at": at}))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
