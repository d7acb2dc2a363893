from django.contrib.postgres.fields import ArrayField
from django.db import models

from riskgate.storage.models.fields import uuid7
from riskgate.storage.models.team import Team
from riskgate.storage.models.user import User


class Agent(models.Model):
    """A program that asks. Its environment is fixed here: an agent does not choose it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="agents")
    name = models.CharField(max_length=120)
    environment = models.CharField(max_length=60)
    owner = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    paused_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("team", "name"), name="agent_name_once"),)


class ApiKey(models.Model):
    """A key of an agent: 256 random bits, of which only the SHA-256 is kept."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="keys")
    prefix = models.CharField(max_length=12)
    """The first characters, so that people can tell keys apart."""
    token_hash = models.BinaryField(max_length=32, unique=True)
    scopes = ArrayField(models.CharField(max_length=16), default=list)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    replaces = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="replaced_by")
    """The older key that this one was made to take the place of."""
