"""Quiz: three questions about this very call, all of which must be right."""

import random
from collections.abc import Sequence

from riskgate.core.action import Action
from riskgate.core.challenges.asking import pick, right
from riskgate.core.challenges.types import NOT_ALL_RIGHT, Paper, Subject, Verdict

KIND = "quiz"

QUESTIONS = 3


def build(subject: Subject, others: Sequence[Action], rng: random.Random, asked: Sequence[Paper]) -> Paper:
    """Three questions, whatever the call holds; `asked` are the earlier papers of the same person."""
    return Paper(KIND, pick(subject, others, rng, asked, QUESTIONS))


def grade(paper: Paper, answers: Sequence[str]) -> Verdict:
    count = sum(right(question, answer) for question, answer in zip(paper.questions, answers, strict=False))
    passed = len(paper.questions) == QUESTIONS == len(answers) and count == QUESTIONS
    return Verdict(passed, count, len(paper.questions), "" if passed else NOT_ALL_RIGHT)
