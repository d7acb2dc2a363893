from django.db import models
from django.db.models import Q

from riskgate.storage.models.call import Call
from riskgate.storage.models.fields import ExactJSONField, uuid7
from riskgate.storage.models.user import User


class Opened(models.Model):
    """A person has opened a call: the unread mark of everybody else stays."""

    call = models.ForeignKey(Call, on_delete=models.CASCADE)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    opened_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)
    """When the person's page said last that they are at it."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("call", "user"), name="opened_once"),)


class ChallengeAttempt(models.Model):
    """One paper served to one person. The answers stand in `paper` and never leave the server."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    call = models.ForeignKey(Call, on_delete=models.CASCADE, related_name="attempts")
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16)
    paper = ExactJSONField()
    action_digest = models.CharField(max_length=71)
    review_seconds = models.PositiveIntegerField()
    served_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    """Until then the seat is held for this person; only where an approval has more than one seat.

    Taken away once everybody has been told that it ended.
    """
    left_at = models.DateTimeField(null=True)
    """The person left without answering, or lost the seat."""
    answered_at = models.DateTimeField(null=True)
    passed = models.BooleanField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("call", "user", "number"), name="attempt_number_once"),
            models.UniqueConstraint(
                fields=("call", "user"),
                condition=Q(answered_at__isnull=True, left_at__isnull=True),
                name="attempt_one_open",
            ),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, passed__isnull=True)
                | Q(answered_at__isnull=False, passed__isnull=False),
                name="attempt_answered_has_verdict",
            ),
        )
        indexes = (
            models.Index(
                fields=("lease_until",),
                name="attempt_lease",
                condition=Q(answered_at__isnull=True, left_at__isnull=True, lease_until__isnull=False),
            ),
        )


class Vote(models.Model):
    """One person's approval, resting on one passed attempt. Never changes."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    call = models.ForeignKey(Call, on_delete=models.CASCADE, related_name="votes")
    user = models.ForeignKey(User, on_delete=models.PROTECT)
    attempt = models.OneToOneField(ChallengeAttempt, on_delete=models.PROTECT)
    seat = models.PositiveSmallIntegerField()
    action_digest = models.CharField(max_length=71)
    voted_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("call", "user"), name="vote_once_a_person"),
            models.UniqueConstraint(fields=("call", "seat"), name="vote_once_a_seat"),
        )


class Grant(models.Model):
    """That the agent may run the call once. The token is signed anew from these when a lost reply is asked again."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    """The `jti`."""
    call = models.OneToOneField(Call, on_delete=models.CASCADE, related_name="grant")
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField()
