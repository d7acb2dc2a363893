"""The published examples, number by number."""

import json
from pathlib import Path
from typing import Any

import pytest

from riskgate.core.action import Action, Context
from riskgate.core.levels import Level, decimal
from riskgate.core.policy import CORE
from riskgate.core.scoring import assess

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "scoring_vectors.json").read_text("utf-8"))[
    "cases"
]


def test_there_are_forty_seven_of_them() -> None:
    assert len(VECTORS) == 47


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_the_core_rules_score_it_exactly(case: dict[str, Any]) -> None:
    assessment = assess(Action(**case["action"]), Context(prior_calls=case["prior_calls"]), CORE)
    factors = {factor.name: decimal(factor.score) for factor in assessment.factors}
    assert factors == case["expected"]["factors"]
    assert decimal(assessment.score) == case["expected"]["score"]
    assert assessment.level is Level[case["expected"]["level"]]
    assert assessment.floors == ()
    assert assessment.failed == ""
