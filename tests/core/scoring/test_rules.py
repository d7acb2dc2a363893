"""Every rule keeps the promises of its own examples."""

import pytest

from riskgate.core.action import Action, Context
from riskgate.core.policy import BALANCED
from riskgate.core.scoring import PACKS, Part, Rule, assess

RULES = [rule for pack in PACKS for rule in pack.rules]


def as_action(rule: Rule, example: str | Action) -> Action:
    """A text stands for a value at the place where the rule looks."""
    if isinstance(example, Action):
        return example
    match rule.part:
        case Part.FUNCTION_NAME:
            return Action(example)
        case Part.DOCSTRING:
            return Action("frobnicate", docstring=example)
        case Part.SQL:
            return Action("execute_sql", kwargs={"sql": example})
        case _:
            return Action("run_shell", kwargs={"command": example})


def matched(action: Action) -> set[str]:
    assessment = assess(action, Context(), BALANCED)
    assert assessment.failed == ""
    everywhere = [place.rule for factor in assessment.factors for place in factor.evidence]
    return {*everywhere, *(floor.rule for floor in assessment.floors)}


MATCH = [(rule, example) for rule in RULES for example in rule.match]
NO_MATCH = [(rule, example) for rule in RULES for example in rule.no_match]


def name(value: object) -> str:
    return value.id if isinstance(value, Rule) else str(value)[:40]


@pytest.mark.parametrize(("rule", "example"), MATCH, ids=name)
def test_it_matches(rule: Rule, example: str | Action) -> None:
    found = matched(as_action(rule, example))
    if rule.part in (Part.FUNCTION_NAME, Part.DOCSTRING) and rule.id not in found:
        pytest.fail(f"{rule.id} is not among {sorted(found)}")
    assert rule.id in found


@pytest.mark.parametrize(("rule", "example"), NO_MATCH, ids=name)
def test_it_does_not_match(rule: Rule, example: str | Action) -> None:
    assert rule.id not in matched(as_action(rule, example))


@pytest.mark.parametrize("rule", RULES, ids=name)
def test_it_says_what_an_operator_needs(rule: Rule) -> None:
    assert rule.sentence.endswith(".")
    assert 1 <= len(rule.phrase.split()) <= 5
    assert min(len(rule.match), len(rule.no_match)) >= 1
    assert (rule.score is None) != (rule.floor is None)


def test_every_id_is_there_once() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
