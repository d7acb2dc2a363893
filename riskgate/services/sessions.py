"""Sessions: one run of one agent, in which novelty is counted."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from riskgate.core.events import Event
from riskgate.services import audit, intake, rows
from riskgate.services.idempotency import first_time
from riskgate.services.shapes import AgentPrincipal, Idempotency, SessionView
from riskgate.storage.models import Call, Session
from riskgate.storage.models.fields import uuid7


def _view(session: Session, principal: AgentPrincipal) -> SessionView:
    return SessionView(
        id=session.id,
        name=session.name,
        agent_id=session.agent_id,
        agent_name=principal.agent_name,
        created_at=session.created_at,
        closed_at=session.closed_at,
        calls=Call.objects.filter(session=session).count(),
    )


def _own(principal: AgentPrincipal, session_id: UUID, *, lock: bool = False) -> Session:
    sessions = Session.objects.filter(id=session_id, agent_id=principal.agent_id, team_id=principal.team_id)
    session = (sessions.select_for_update() if lock else sessions).first()
    if session is None:
        raise rows.NotFound("There is no such session. Check the id; an agent sees only its own sessions.")
    return session


@transaction.atomic
def create(
    *, principal: AgentPrincipal, name: str | None, idempotency: Idempotency | None, now: datetime
) -> SessionView:
    """A session of that name; the one that there is, where the agent has used the name before."""
    subject = uuid7()
    if name is not None:
        subject = intake.open_sessions(principal, [name], now=now)[name].id
    seen = first_time(idempotency, principal=principal, subject=subject, now=now)
    if name is None and seen is None:
        session = Session.objects.create(
            id=subject,
            agent_id=principal.agent_id,
            team_id=principal.team_id,
            name=f"session-{subject}",
            created_at=now,
        )
        audit.record(intake.session_event(Event.SESSION_OPENED, session, principal=principal, at=now))
    return _view(_own(principal, seen or subject), principal)


def get(*, principal: AgentPrincipal, session_id: UUID) -> SessionView:
    return _view(_own(principal, session_id), principal)


@transaction.atomic
def close(*, principal: AgentPrincipal, session_id: UUID, now: datetime) -> SessionView:
    """No further submission is taken into it. Closing it again changes nothing."""
    session = _own(principal, session_id, lock=True)
    if session.closed_at is None:
        session.closed_at = now
        session.save(update_fields=("closed_at",))
        audit.record(intake.session_event(Event.SESSION_CLOSED, session, principal=principal, at=now))
    return _view(session, principal)
