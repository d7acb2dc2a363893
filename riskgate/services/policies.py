"""Policies of a team: published versions, one of them active."""

from datetime import datetime
from functools import lru_cache
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from riskgate.core.events import Event
from riskgate.core.policy import BALANCED, Policy
from riskgate.core.roles import Actor, Permission, allows
from riskgate.services import audit, rows
from riskgate.services.shapes import Member
from riskgate.storage.models import PolicyVersion, Team


@lru_cache(maxsize=1024)
def published(version_id: UUID) -> tuple[Policy, int]:
    """A version and its number. Kept in memory: a published version never changes, the database sees to that."""
    row = PolicyVersion.objects.get(id=version_id)
    return Policy.from_json(row.document), row.number


def active(*, team_id: UUID) -> tuple[Policy, int]:
    """The active policy and its number."""
    version_id = Team.objects.values_list("policy_id", flat=True).get(id=team_id)
    assert version_id is not None  # every team is made with its first version
    return published(version_id)


def publish_first(*, team_id: UUID, actor: Actor, now: datetime) -> None:
    """Gives a new team the balanced policy as version 1. Stands in the transaction that makes the team."""
    _publish(team_id, 1, BALANCED, "The policy that every team starts with.", actor, now)


@transaction.atomic
def publish(*, member: Member, policy: Policy, reason: str, now: datetime) -> int:
    """Makes this policy the active one, as the next version; calls already submitted keep theirs.

    Answers the version's number. Raises NotAllowed.
    """
    if not allows(rows.membership(member), Permission.MANAGE_POLICY):
        raise rows.NotAllowed("Only an admin of the team publishes a policy.")
    Team.objects.select_for_update().get(id=member.team_id)
    newest: int = PolicyVersion.objects.filter(team_id=member.team_id).aggregate(newest=Max("number"))[
        "newest"
    ]
    _publish(member.team_id, newest + 1, policy, reason, member.actor, now)
    return newest + 1


def _publish(team_id: UUID, number: int, policy: Policy, reason: str, actor: Actor, now: datetime) -> None:
    version = PolicyVersion.objects.create(
        team_id=team_id,
        number=number,
        document=policy.as_json(),
        reason=reason,
        published_by_id=actor.id,
        published_at=now,
    )
    Team.objects.filter(id=team_id).update(policy=version)
    data = {"version": number, "reason": reason}
    audit.record(
        audit.event(
            Event.POLICY_PUBLISHED, actor=actor, at=now, team_id=team_id, policy_version=number, data=data
        )
    )
