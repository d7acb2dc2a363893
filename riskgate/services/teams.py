"""Teams and the people in them."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.roles import SYSTEM, Actor, ActorKind, Role
from riskgate.services import audit, policies
from riskgate.services.shapes import Member
from riskgate.storage.models import Invitation, Membership, Team, User

FIRST_ADMIN_LINK_LIVES = timedelta(days=1)


class LinkInvalid(RiskgateError):
    """The one-time link was used, is too old, or never was."""

    code: ClassVar[str] = "link_invalid"


def memberships(*, user_id: UUID) -> tuple[Member, ...]:
    """The teams of an active person, by name."""
    rows = (
        Membership.objects.filter(user_id=user_id, user__is_active=True)
        .select_related("team", "user")
        .order_by("team__name", "team_id")
    )
    return tuple(
        Member(
            user_id=row.user_id,
            user_name=row.user.name,
            email=row.user.email,
            team_id=row.team_id,
            team_name=row.team.name,
            role=Role(row.role),
        )
        for row in rows
    )


@transaction.atomic
def create(*, name: str, now: datetime, actor: Actor = SYSTEM) -> UUID:
    """A team with the balanced policy as its version 1."""
    team = Team.objects.create(name=name, created_at=now)
    audit.record(audit.event(Event.TEAM_CREATED, actor=actor, at=now, team_id=team.id, data={"team": name}))
    policies.publish_first(team_id=team.id, actor=actor, now=now)
    return team.id


@transaction.atomic
def add_member(
    *, team_id: UUID, email: str, name: str, password: str, role: Role, now: datetime, actor: Actor = SYSTEM
) -> UUID:
    """Adds the person with this address, making the account where there is none yet."""
    user = User.objects.filter(email=email.strip().lower()).first()
    if user is None:
        user = User.objects.create_user(email=email, password=password, name=name)
    Membership.objects.create(team_id=team_id, user=user, role=role.value, created_at=now)
    data = {"person": user.name, "role": role.value}
    audit.record(audit.event(Event.MEMBER_ADDED, actor=actor, at=now, team_id=team_id, data=data))
    return user.id


@transaction.atomic
def signed_in(*, user_id: UUID, now: datetime) -> None:
    """Writes the sign-in into the history of each of the person's teams."""
    audit.record(
        *(
            audit.event(Event.SIGNED_IN, actor=member.actor, at=now, team_id=member.team_id)
            for member in memberships(user_id=user_id)
        )
    )


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def anybody() -> bool:
    """Whether anybody has an account."""
    return User.objects.exists()


@transaction.atomic
def first_admin_link(*, now: datetime) -> str | None:
    """A new one-time token for the very first admin; older ones stop working. None where somebody has an account."""
    if anybody():
        return None
    Invitation.objects.filter(team=None).delete()
    token = secrets.token_urlsafe(32)
    Invitation.objects.create(
        role=Role.ADMIN.value,
        token_hash=_hash(token),
        expires_at=now + FIRST_ADMIN_LINK_LIVES,
        created_at=now,
    )
    return token


def check_first_admin_link(*, token: str, now: datetime) -> bool:
    """Whether the link would work now."""
    links = Invitation.objects.filter(team=None, token_hash=_hash(token), expires_at__gt=now)
    return links.exists() and not anybody()


@transaction.atomic
def accept_first_admin(
    *, token: str, team_name: str, name: str, email: str, password: str, now: datetime
) -> UUID:
    """Makes the first team and its admin. Raises LinkInvalid; of two at once, one wins."""
    link = Invitation.objects.select_for_update().filter(team=None, token_hash=_hash(token)).first()
    if link is None or link.expires_at <= now or anybody():
        raise LinkInvalid(
            "This link has been used or is too old. Start riskgate again to be given a new one."
        )
    link.delete()
    user = User.objects.create_user(email=email, password=password, name=name)
    actor = Actor(ActorKind.USER, name, user.id)
    team_id = create(name=team_name, now=now, actor=actor)
    add_member(
        team_id=team_id, email=email, name=name, password=password, role=Role.ADMIN, now=now, actor=actor
    )
    return user.id
