"""All kinds of challenge alike: papers are kept and read again, and the kinds are listed."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskgate.core.action import Action
from riskgate.core.assessment import Evidence
from riskgate.core.challenges import KINDS, Paper, Subject, UnknownChallenge, build, grade
from riskgate.core.challenges.text import look
from riskgate.core.levels import Level
from riskgate.core.policy import CHALLENGES

from .calls import CALLS, subject_of

TEXT = st.text(max_size=120)
SCALAR = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | TEXT
VALUE = st.recursive(
    SCALAR, lambda v: st.lists(v, max_size=4) | st.dictionaries(TEXT, v, max_size=4), max_leaves=8
)
ACTIONS = st.builds(Action, TEXT, st.lists(VALUE, max_size=4), st.dictionaries(TEXT, VALUE, max_size=4))


def test_every_challenge_that_a_policy_can_name_can_be_made():
    assert set(KINDS) == set(CHALLENGES)


def test_an_unknown_kind_cannot_be_built_and_never_passes():
    with pytest.raises(UnknownChallenge) as refused:
        build("horoscope", subject_of(CALLS[0]), [], random.Random(1), ())
    assert refused.value.code == "challenge_unknown"
    assert not grade(Paper("horoscope", ()), []).passed


def test_confirm_asks_nothing_and_passes():
    paper = build("confirm", subject_of(CALLS[0]), [], random.Random(1), ())
    assert paper.questions == ()
    assert grade(paper, []).passed
    assert not grade(paper, ["something"]).passed


def test_a_quiz_that_lost_its_questions_does_not_pass():
    assert not grade(Paper("quiz", ()), []).passed


def test_a_paper_comes_back_from_the_database_as_it_was():
    for sample in CALLS:
        paper = build("quiz", subject_of(sample), [], random.Random(1), ())
        assert Paper.from_json(json.loads(json.dumps(paper.as_json()))) == paper


def test_the_same_chance_makes_the_same_paper():
    others = [sample.action for sample in CALLS]
    one, two = (build("quiz", subject_of(CALLS[0]), others, random.Random(5), ()) for _ in range(2))
    assert one == two


@settings(max_examples=150, deadline=None)
@given(
    ACTIONS,
    st.lists(ACTIONS, max_size=3),
    st.integers(0, 9),
    st.sampled_from(["", "/args/0", "/kwargs"]),
    TEXT,
)
def test_any_call_at_all_makes_a_fair_paper(action, others, seed, at, environment):
    masked = frozenset({at}) if at and seed % 2 else frozenset()
    subject = Subject(action, (Evidence("rule", "text", at),), environment, "agent", Level.HIGH, masked)
    one = build("quiz", subject, others, random.Random(seed), ())
    two = build("quiz", subject, others, random.Random(seed + 1), (one,))
    for paper in (one, two):
        assert len({question.subject for question in paper.questions}) == 3
        assert all("answer" not in shown for shown in paper.shown())
        assert grade(paper, [question.answer for question in paper.questions]).passed
        for question in paper.questions:
            assert question.prompt
            assert question.answer
            if question.kind == "choice":
                assert len({look(option) for option in question.options}) == 6
                assert question.options.count(question.answer) == 1
        assert Paper.from_json(json.loads(json.dumps(paper.as_json()))) == paper
