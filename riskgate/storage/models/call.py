from django.db import models
from django.db.models import F, Q

from riskgate.core.levels import MICRO, Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.policy import FACTORS
from riskgate.storage.models.agent import Agent
from riskgate.storage.models.fields import ExactJSONField, uuid7
from riskgate.storage.models.policy import PolicyVersion
from riskgate.storage.models.session import Session
from riskgate.storage.models.team import Team

LEVELS = [int(level) for level in Level]


class Call(models.Model):
    """The stored record of one submitted action. All scores are integers of 10⁻⁶.

    The five factor scores stand here as well as in FactorScore, so that re-scoring history is one aggregate.
    A trigger refuses every status move that `core.lifecycle` does not list, and any change of what was approved.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # Without indexes of their own: those below begin with the same columns, and each would cost every submission.
    team = models.ForeignKey(Team, on_delete=models.CASCADE, db_index=False)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, db_index=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, db_index=False)
    policy = models.ForeignKey(PolicyVersion, on_delete=models.PROTECT, db_index=False)
    environment = models.CharField(max_length=60)

    function_name = models.CharField(max_length=255)
    args = ExactJSONField()
    kwargs = ExactJSONField()
    docstring = models.TextField(null=True)
    hints = ExactJSONField()
    reason = models.TextField(default="")
    metadata = ExactJSONField()
    supersedes = models.UUIDField(null=True)

    nonce = models.CharField(max_length=32)
    action_digest = models.CharField(max_length=71)

    prior_calls = models.PositiveIntegerField()
    score = models.IntegerField()
    score_level = models.SmallIntegerField()
    level = models.SmallIntegerField()
    function_name_score = models.IntegerField()
    arguments_score = models.IntegerField()
    docstring_score = models.IntegerField()
    hints_score = models.IntegerField()
    novelty_score = models.IntegerField()
    floor_level = models.SmallIntegerField(null=True)
    floors = ExactJSONField()
    summary = models.CharField(max_length=120)
    """The strongest evidence, in a few words."""
    masked = ExactJSONField()
    """JSON Pointers of the values that pages do not show."""
    signature = models.TextField(default="")
    """The call in one masked, shortened line: lists are made without its arguments, which may be large."""
    requirement = ExactJSONField()

    status = models.CharField(max_length=12)
    revision = models.PositiveIntegerField(default=1)
    """Grows with every change that a reader could see; the ETag is made of it."""
    approvals = models.PositiveSmallIntegerField(default=0)
    by_person = models.BooleanField(default=False)
    """A person approved it, at some time."""
    reason_code = models.CharField(max_length=20, null=True)
    message = models.TextField(default="")
    decided_at = models.DateTimeField(null=True)

    created_at = models.DateTimeField()
    decide_by = models.DateTimeField(null=True)
    use_by = models.DateTimeField(null=True)
    outcome_by = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    output = ExactJSONField(null=True)
    error = models.TextField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(status__in=[s.value for s in Status]), name="call_status_known"
            ),
            models.CheckConstraint(
                condition=Q(reason_code__isnull=True) | Q(reason_code__in=[r.value for r in ReasonCode]),
                name="call_reason_code_known",
            ),
            models.CheckConstraint(
                condition=Q(level__in=LEVELS) & Q(score_level__in=LEVELS) & Q(level__gte=F("score_level")),
                name="call_level_not_under_score",
            ),
            models.CheckConstraint(
                condition=Q(floor_level__isnull=True) | Q(level__gte=F("floor_level")),
                name="call_level_not_under_floor",
            ),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{column}__gte": 0, f"{column}__lte": MICRO}),
                    name=f"call_{column}_in_range",
                )
                for column in ("score", *(f"{factor}_score" for factor in FACTORS))
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.PENDING.value) | Q(decide_by__isnull=False),
                name="call_pending_has_decide_by",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.APPROVED.value) | Q(use_by__isnull=False),
                name="call_approved_has_use_by",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.EXECUTING.value) | Q(outcome_by__isnull=False),
                name="call_executing_has_outcome_by",
            ),
        )
        indexes = (
            models.Index(
                fields=("team", "-level", "decide_by", "id"),
                name="call_queue",
                condition=Q(status=Status.PENDING.value),
            ),
            models.Index(fields=("agent", "-created_at", "-id"), name="call_agent_newest"),
            models.Index(fields=("team", "-created_at", "-id"), name="call_team_newest"),
            models.Index(
                fields=("session", "function_name", "-level"),
                name="call_ratchet",
                condition=Q(by_person=False, level__gt=int(Level.LOW)),
            ),
            models.Index(fields=("session", "created_at", "id"), name="call_session_time"),
            models.Index(
                fields=("team", "-decided_at"), name="call_last_decision", condition=Q(by_person=True)
            ),
            models.Index(
                fields=("decide_by",), name="call_due_decide", condition=Q(status=Status.PENDING.value)
            ),
            models.Index(fields=("use_by",), name="call_due_use", condition=Q(status=Status.APPROVED.value)),
            models.Index(
                fields=("outcome_by",), name="call_due_outcome", condition=Q(status=Status.EXECUTING.value)
            ),
        )

    @property
    def agent_name(self) -> str:
        name: str = self.agent.name
        return name

    @property
    def policy_version(self) -> int:
        number: int = self.policy.number
        return number


class FactorScore(models.Model):
    """One factor of one call, with its evidence. Never changes."""

    call = models.ForeignKey(Call, on_delete=models.CASCADE, related_name="factors", db_index=False)
    name = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()
    score = models.IntegerField()
    weight = models.IntegerField()
    sentence = models.TextField()
    evidence = ExactJSONField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("call", "position"), name="factor_once"),)
