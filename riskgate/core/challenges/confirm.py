"""Confirm: nothing is asked. That the person took the time to look is for the clock to say."""

import random
from collections.abc import Sequence

from riskgate.core.action import Action
from riskgate.core.challenges.types import Paper, Subject, Verdict

KIND = "confirm"


def build(subject: Subject, others: Sequence[Action], rng: random.Random, asked: Sequence[Paper]) -> Paper:
    return Paper(KIND, ())


def grade(paper: Paper, answers: Sequence[str]) -> Verdict:
    """Passes a paper without questions, answered with nothing."""
    return Verdict(passed=not paper.questions and not answers, right=0, of=len(paper.questions))
