"""Making a paper: what of the call and of the team's other calls its questions are made of."""

from collections.abc import Sequence
from random import SystemRandom

from django.db.models.functions import Length

from riskgate.core import challenges
from riskgate.core.action import Action
from riskgate.core.assessment import Evidence
from riskgate.core.challenges import Paper, Subject
from riskgate.core.levels import Level
from riskgate.core.policy import Requirement
from riskgate.services import loading
from riskgate.storage.models import Call, FactorScore

OTHERS = 200
"""How many of the team's newest calls lend their values to wrong answers."""

OTHERS_SIZE = 2000
"""The longest arguments of such a call, in characters of JSON."""


def new(call: Call, kind: str, earlier: Sequence[Paper]) -> Paper:
    """A paper of this kind about this call, with other questions than this person's earlier ones."""
    return challenges.build(
        kind,
        _subject(call),
        _others(call),
        SystemRandom(),
        earlier,
        type_target=Requirement.from_json(call.requirement).type_target,
    )


def _subject(call: Call) -> Subject:
    factors = loading.factors_of(list(FactorScore.objects.filter(call=call)))
    strongest = sorted(factors, key=lambda factor: -factor.contribution)
    floors = [item for floor in call.floors for item in floor["evidence"]]
    return Subject(
        action=loading.action_of(call),
        evidence=tuple(
            [Evidence.from_json(item) for item in floors]
            + [item for factor in strongest for item in factor.evidence]
        ),
        environment=call.environment,
        agent=call.agent.name,
        level=Level(call.level),
        masked=frozenset(call.masked),
        reason=call.reason,
    )


def _others(call: Call) -> list[Action]:
    """Other actions of the team, newest first: their values become wrong answers.

    Left out is what is masked, and what is so long that reading two hundred of it would be felt.
    """
    newest = (
        Call.objects.filter(team_id=call.team_id, masked=[])
        .exclude(id=call.id)
        .annotate(size=Length("args") + Length("kwargs"))
        .filter(size__lte=OTHERS_SIZE)
        .order_by("-created_at", "-id")
    )
    return [
        Action(name, args, kwargs)
        for name, args, kwargs in newest.values_list("function_name", "args", "kwargs")[:OTHERS]
    ]
