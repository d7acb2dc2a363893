"""Confirm: nothing is asked. That the person took the time to look is for the clock to say."""

import random
from collections.abc import Sequence

from riskgate.core.action import Action
from riskgate.core.challenges.types import NOT_ALL_RIGHT, Paper, Subject, Verdict

KIND = "confirm"


def build(subject: Subject, others: Sequence[Action], rng: random.Random, asked: Sequence[Paper]) -> Paper:
    return Paper(KIND, ())


def grade(paper: Paper, answers: Sequence[str]) -> Verdict:
    """Passes a paper without questions, answered with nothing."""
    passed = not paper.questions and not answers
    return Verdict(passed, 0, len(paper.questions), "" if passed else NOT_ALL_RIGHT)
