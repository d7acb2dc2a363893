"""Policies of a team: published versions, one of them active."""

from datetime import datetime
from uuid import UUID

from riskgate.core.events import Event
from riskgate.core.policy import BALANCED, Policy
from riskgate.core.roles import Actor
from riskgate.services import audit
from riskgate.storage.models import PolicyVersion, Team


def active_row(team_id: UUID) -> PolicyVersion:
    """The version that a submission meets now."""
    return PolicyVersion.objects.get(id=Team.objects.filter(id=team_id).values("policy_id"))


def active(*, team_id: UUID) -> tuple[Policy, int]:
    """The active policy and its number."""
    row = active_row(team_id)
    return Policy.from_json(row.document), row.number


def publish_first(*, team_id: UUID, actor: Actor, now: datetime) -> None:
    """Gives a new team the balanced policy as version 1. Stands in the transaction that makes the team."""
    version = PolicyVersion.objects.create(
        team_id=team_id,
        number=1,
        document=BALANCED.as_json(),
        reason="The policy that every team starts with.",
        published_by_id=actor.id,
        published_at=now,
    )
    Team.objects.filter(id=team_id).update(policy=version)
    data = {"version": 1, "reason": version.reason}
    audit.record(
        audit.event(Event.POLICY_PUBLISHED, actor=actor, at=now, team_id=team_id, policy_version=1, data=data)
    )
