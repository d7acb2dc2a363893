from django.db import models

from riskgate.storage.models.fields import ExactJSONField, uuid7
from riskgate.storage.models.team import Team
from riskgate.storage.models.user import User


class PolicyVersion(models.Model):
    """A published policy. It never changes: a trigger refuses it, and calls keep the version that they met."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="policies")
    number = models.PositiveIntegerField()
    document = ExactJSONField()
    """What core.Policy.as_json writes."""
    reason = models.TextField()
    published_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    published_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("team", "number"), name="policy_number_once"),)
