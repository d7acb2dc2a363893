from django.db import models
from django.db.models import Q

from riskgate.storage.models.agent import Agent
from riskgate.storage.models.fields import ExactJSONField


class Outbox(models.Model):
    """Something to tell the outside. The row is the message; what the broker carries is only a doorbell."""

    topic = models.CharField(max_length=40)
    team_id = models.UUIDField()
    payload = ExactJSONField()
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    delivered_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    last_error = models.TextField(default="")

    class Meta:
        indexes = (
            models.Index(
                fields=("due_at",),
                name="outbox_due",
                condition=Q(delivered_at__isnull=True, failed_at__isnull=True),
            ),
        )


class IdempotencyKey(models.Model):
    """A POST that was answered once. The unique constraint, not a cache, makes the second one the same."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE)
    path = models.CharField(max_length=120)
    key = models.CharField(max_length=255)
    body_hash = models.BinaryField(max_length=32)
    subject = models.UUIDField()
    """The id of the call, session or grant that the first one made; of a batch the id of its first call."""
    batch = ExactJSONField(null=True)
    """The ids of all calls of a batch, in their order."""
    created_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("agent", "path", "key"), name="idempotency_key_once"),)
