"""Sessions: one run of one agent, in which novelty is counted."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max

from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.services import audit, rows
from riskgate.services.idempotency import first_time
from riskgate.services.shapes import AgentPrincipal, Idempotency, SessionView
from riskgate.storage.models import Call, Session
from riskgate.storage.models.fields import uuid7

UNAPPROVED = (Status.PENDING, Status.DENIED, Status.RETURNED, Status.EXPIRED, Status.CANCELLED)


class SessionClosed(RiskgateError):
    code: ClassVar[str] = "session_closed"


def _event(kind: Event, session: Session, principal: AgentPrincipal, now: datetime) -> None:
    audit.record(
        audit.event(
            kind,
            actor=principal.actor,
            at=now,
            team_id=session.team_id,
            session_id=session.id,
            agent_id=session.agent_id,
            agent_name=principal.agent_name,
            data={"session": session.name},
        )
    )


def _open(principal: AgentPrincipal, name: str, now: datetime) -> Session:
    """The agent's session of that name, made on first use; two at once get the same one."""
    session = Session.objects.filter(agent_id=principal.agent_id, name=name).first()
    if session is None:
        session, made = Session.objects.get_or_create(
            agent_id=principal.agent_id, name=name, defaults={"team_id": principal.team_id, "created_at": now}
        )
        if made:
            _event(Event.SESSION_OPENED, session, principal, now)
    return session


def for_submission(principal: AgentPrincipal, named: str | None, *, fallback: str, now: datetime) -> Session:
    """The session that a submission names, by id or by the agent's own word. Raises SessionClosed.

    A submission that names none gets a session of its own, called `fallback`.
    """
    session = None
    if named is not None:
        try:
            session = Session.objects.filter(id=UUID(named), agent_id=principal.agent_id).first()
        except ValueError:
            session = None
    session = session or _open(principal, named or fallback, now)
    if session.closed_at is not None:
        raise SessionClosed(f"The session {session.name} is closed. Name another one.")
    return session


def count(session: Session, function_name: str) -> int:
    """Takes the next number of this function in this session and answers how many calls came before.

    The row stays locked until the call is stored: two calls at the same moment get two numbers.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO storage_functioncount (session_id, function_name, calls) VALUES (%s, %s, 1) "
            "ON CONFLICT (session_id, function_name) DO UPDATE SET calls = storage_functioncount.calls + 1 "
            "RETURNING calls",
            [session.id, function_name],
        )
        row = cursor.fetchone()
    calls: int = row[0]
    return calls - 1


def ratchet(session: Session, function_name: str) -> Level | None:
    """The highest level of an earlier call of this function in this session that no person has approved."""
    highest = Call.objects.filter(
        session=session, function_name=function_name, status__in=UNAPPROVED, by_person=False
    ).aggregate(highest=Max("level"))["highest"]
    return Level(highest) if highest is not None else None


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
    subject = _open(principal, name, now).id if name is not None else uuid7()
    seen = first_time(idempotency, principal=principal, subject=subject, now=now)
    if name is None and seen is None:
        session = Session.objects.create(
            id=subject,
            agent_id=principal.agent_id,
            team_id=principal.team_id,
            name=f"session-{subject}",
            created_at=now,
        )
        _event(Event.SESSION_OPENED, session, principal, now)
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
        _event(Event.SESSION_CLOSED, session, principal, now)
    return _view(session, principal)
