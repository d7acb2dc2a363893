"""The labelled examples: calls, and what people wrote about them, honest and lazy."""

import json
from pathlib import Path

from riskgate.core.action import Action
from riskgate.core.assessment import Evidence
from riskgate.core.challenges import Subject, teach_back
from riskgate.core.levels import Level

_DATA = json.loads((Path(__file__).parents[2] / "data" / "teach_back.json").read_text("utf-8"))

EXAMPLES = _DATA["examples"]
FRESH = _DATA["fresh"]


def _subject(data):
    action = Action(data["function_name"], data["args"], data["kwargs"], data["docstring"])
    evidence = tuple(Evidence(rule, "…", at) for rule, at in data["rules"])
    return Subject(action, evidence, "production", "infra-runner", Level.CRITICAL, reason=data["reason"])


SUBJECTS = {name: _subject(data) for name, data in _DATA["calls"].items()}
FACTS = {name: teach_back.facts(subject) for name, subject in SUBJECTS.items()}
