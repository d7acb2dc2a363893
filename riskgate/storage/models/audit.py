from django.db import models

from riskgate.storage.models.fields import ExactJSONField, uuid7


class AuditEvent(models.Model):
    """One thing that happened. No foreign keys: deleting a user breaks no history. A trigger refuses changes."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    at = models.DateTimeField()
    kind = models.CharField(max_length=40)
    team_id = models.UUIDField(null=True)
    actor_kind = models.CharField(max_length=8)
    actor_id = models.UUIDField(null=True)
    actor_name = models.CharField(max_length=254)
    call_id = models.UUIDField(null=True)
    session_id = models.UUIDField(null=True)
    agent_id = models.UUIDField(null=True)
    agent_name = models.CharField(max_length=120, default="")
    function_name = models.CharField(max_length=255, default="")
    signature = models.TextField(default="")
    """The call in one masked, shortened line."""
    level = models.SmallIntegerField(null=True)
    score = models.IntegerField(null=True)
    environment = models.CharField(max_length=60, default="")
    policy_version = models.PositiveIntegerField(null=True)
    data = ExactJSONField()

    class Meta:
        indexes = (
            models.Index(fields=("team_id", "-at", "-id"), name="audit_team_newest"),
            models.Index(fields=("call_id", "at", "id"), name="audit_call"),
        )
