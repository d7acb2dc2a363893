from django.db import models

from riskgate.core.roles import Role
from riskgate.storage.models.fields import uuid7
from riskgate.storage.models.user import User


class Team(models.Model):
    """Everything belongs to one team, and nothing is seen from another."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=120)
    policy = models.ForeignKey("storage.PolicyVersion", on_delete=models.PROTECT, null=True, related_name="+")
    """The active version."""
    paused_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()


class Membership(models.Model):
    """A person in a team, in one role."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("team", "user"), name="membership_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=[r.value for r in Role]), name="membership_role_known"
            ),
        )


class Invitation(models.Model):
    """A one-time link into a role; using it deletes the row. `team` is empty for the first admin, who makes it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True)
    role = models.CharField(max_length=16)
    token_hash = models.BinaryField(max_length=32, unique=True)
    """SHA-256 of the 256 random bits in the link."""
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField()
