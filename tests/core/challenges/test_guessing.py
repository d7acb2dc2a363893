"""Who has not read the call does not pass its quiz."""

import math
import random
from collections import Counter

import pytest

from riskgate.core.challenges import build, grade

from .calls import CALLS, random_call, subject_of
from .guessers import GUESSERS

ROUNDS = 500


@pytest.fixture(scope="module")
def papers():
    """Papers about many calls, of a team that has made others and of one that has made none."""
    rng = random.Random(7)
    team = [random_call(rng).action for _ in range(40)]
    out = []
    for i in range(ROUNDS):
        known = rng.sample(team, 30) if i % 2 else []
        out.append((build("quiz", subject_of(random_call(rng)), known, rng, ()), known))
    return out


@pytest.mark.parametrize("name", GUESSERS)
def test_a_guesser_is_right_about_as_often_as_chance(papers, name):
    asked = [(q, known) for paper, known in papers for q in paper.questions if q.kind == "choice"]
    asked = [(q, known) for q, known in asked if q.subject not in {"environment", "agent"}]
    hits = sum(GUESSERS[name](q.options, known) == q.answer for q, known in asked)
    assert len(asked) > 900
    assert hits / len(asked) < 0.235


@pytest.mark.parametrize("name", GUESSERS)
def test_a_guesser_hardly_ever_passes(papers, name):
    def answers(paper, known):
        return [GUESSERS[name](q.options, known) if q.options else "production" for q in paper.questions]

    passed = sum(grade(paper, answers(paper, known)).passed for paper, known in papers)
    assert passed / len(papers) < 0.02


def test_the_right_answer_stands_in_every_place_as_often(papers):
    places = Counter(q.options.index(q.answer) for paper, _ in papers for q in paper.questions if q.options)
    total = sum(places.values())
    assert all(abs(places[i] / total - 1 / 6) < 0.04 for i in range(6))


def test_by_chance_alone_both_attempts_together_pass_at_most_one_call_in_a_hundred():
    rng = random.Random(3)
    for sample in CALLS:
        one = build("quiz", subject_of(sample), [], rng, ())
        two = build("quiz", subject_of(sample), [], rng, (one,))
        chance = 0.0
        for paper in (one, two):
            # What has to be typed is harder to guess than what is offered; it is counted as if it were.
            chance += math.prod(1 / (len(question.options) or 6) for question in paper.questions)
        assert chance <= 0.01
