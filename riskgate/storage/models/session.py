from django.db import models

from riskgate.storage.models.agent import Agent
from riskgate.storage.models.fields import uuid7
from riskgate.storage.models.team import Team


class Session(models.Model):
    """One run of one agent; novelty is counted in it. `name` is the agent's own word for it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="sessions")
    name = models.CharField(max_length=255)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("agent", "name"), name="session_name_once"),)


class FunctionCount(models.Model):
    """How often a session has called a function. Taking the next number locks the row until the call is stored."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE)
    function_name = models.CharField(max_length=255)
    calls = models.PositiveIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("session", "function_name"), name="function_count_once"),
        )


class Function(models.Model):
    """What a team remembers of a function: the riskiest docstring that any agent gave it."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE)
    name = models.CharField(max_length=255)
    riskiest_docstring = models.TextField()
    docstring_score = models.IntegerField()
    """In 10⁻⁶."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("team", "name"), name="function_once"),)
