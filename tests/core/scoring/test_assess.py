"""The number, the level, the evidence, and what holds for every action whatever."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskgate.core.action import Action, Context, tokens
from riskgate.core.assessment import Assessment, Evidence
from riskgate.core.levels import MICRO, Level
from riskgate.core.policy import BALANCED, CORE
from riskgate.core.scoring import assess, score_docstring, summary
from riskgate.core.scoring.factors.arguments import compound

WORKED = Action("delete_user", ("usr_123",), {"env": "production"}, "Permanently remove a user account.")


def factor(assessment: Assessment, name: str) -> Any:
    return next(part for part in assessment.factors if part.name == name)


def everything(assessment: Assessment) -> list[Evidence]:
    found = [place for part in assessment.factors for place in part.evidence]
    return found + [place for floor in assessment.floors for place in floor.evidence]


def pointed(action: Action, place: Evidence) -> Any:
    """The value (or name) that a piece of evidence points at."""
    at: Any = {
        "function_name": action.function_name,
        "args": action.args,
        "kwargs": action.kwargs,
        "docstring": action.docstring,
        "hints": action.hints,
    }
    path = tokens(place.at)
    for token in path:
        at = at[token] if isinstance(at, dict) else at[int(token)]
    return path[-1] if place.in_key else at


def test_the_worked_example_is_high_at_0_72_and_no_floor_changes_it() -> None:
    assessment = assess(WORKED, Context(), BALANCED)
    assert (assessment.score, assessment.level, assessment.floors) == (720_000, Level.HIGH, ())
    assert summary(assessment) == "destructive verb, permanent, production"


def test_the_evidence_of_the_worked_example_is_what_the_operator_sees() -> None:
    assessment = assess(WORKED, Context(), BALANCED)
    assert [place.as_json() for part in assessment.factors for place in part.evidence] == [
        {"rule": "core.verb.destructive", "text": "delete", "at": "/function_name", "span": [0, 6]},
        {"rule": "core.credentials.production", "text": "production", "at": "/kwargs/env", "span": [0, 10]},
        {"rule": "core.docstring.permanent", "text": "Permanently", "at": "/docstring", "span": [0, 9]},
    ]
    assert [part.sentence for part in assessment.factors] == [
        "“delete” is a destructive verb",
        "“production” in env",
        "“Permanently”: high risk",
        "The caller gave none",
        "First call of this function in this session",
    ]


def test_a_nested_key_is_pointed_at_as_a_key() -> None:
    action = Action("get_config", ({"a/b": {"api_token": "x"}},))
    (place,) = factor(assess(action, Context(), CORE), "arguments").evidence
    assert place.as_json() == {
        "rule": "core.credentials.token",
        "text": "token",
        "at": "/args/0/a~1b/api_token",
        "in": "key",
        "span": [4, 9],
    }


def test_a_match_at_the_start_of_a_text_points_into_that_text() -> None:
    floor = assess(Action("x", kwargs={"a": {"": None, "FLUSHALL": None}}), Context(), BALANCED).floors[0]
    assert [(place.at, place.text, place.span) for place in floor.evidence] == [
        ("/kwargs/a/FLUSHALL", "FLUSHALL", (0, 8))
    ]


def test_a_match_across_an_argv_marks_each_word_that_it_touches() -> None:
    evidence = factor(
        assess(Action("execute", (["rm", "-rf", "/x"],)), Context(), CORE), "arguments"
    ).evidence
    assert [(place.at, place.span, place.via) for place in evidence] == [
        ("/args/0/0", (0, 2), "joined"),
        ("/args/0/1", (0, 3), "joined"),
    ]


def test_a_match_in_folded_text_points_at_the_characters_that_were_written() -> None:
    action = Action("set_x", ("see ｐ\u200bｒоd now",))
    places = factor(assess(action, Context(), CORE), "arguments").evidence
    assert places[0].rule == "core.credentials.production"
    assert (places[0].text, places[0].span, places[0].via) == ("ｐ\u200bｒоd", (4, 9), "folded")
    assert {place.rule for place in places[1:]} == {"core.text.folded"}


def test_every_place_is_told_up_to_a_bound() -> None:
    evidence = factor(
        assess(Action("set_x", ("key key keyKey " * 100,)), Context(), CORE), "arguments"
    ).evidence
    assert [place.span for place in evidence] == [(0, 3), (4, 7), (8, 11), (11, 14), (15, 18)]


def test_a_password_inside_a_url_is_not_quoted() -> None:
    assessment = assess(Action("get_x", ("postgres://bob:hunter2@db.example.com/x",)), Context(), BALANCED)
    assert everything(assessment) != []
    assert all("hunter2" not in place.text for place in everything(assessment))


def test_what_mcp_calls_read_only_adds_nothing() -> None:
    hints = {"readOnlyHint": True, "idempotentHint": True, "destructiveHint": True, "openWorldHint": True}
    part = factor(assess(Action("get_x", hints=hints), Context(), CORE), "hints")
    assert part.score == 600_000
    assert [place.at for place in part.evidence] == ["/hints/destructiveHint", "/hints/openWorldHint"]


def test_a_docstring_alone_can_be_scored() -> None:
    texts = ("Permanently.", "Careful.", None, "Fine.")
    assert [score_docstring(text, BALANCED) for text in texts] == [850_000, 500_000, 100_000, 50_000]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (
            Action("execute_sql", kwargs={"sql": "UPDATE orders SET status = 'x'"}),
            "UPDATE without WHERE: every row",
        ),
        (Action("set_flag"), "mutating verb, first call"),
        (Action("frobnicate", ("x",)), "first call"),
        (Action("deploy", hints={"risky": True}), "mutating verb, hints of risk, first call"),
    ],
)
def test_the_queue_says_it_in_a_few_words(action: Action, expected: str) -> None:
    assert summary(assess(action, Context(), BALANCED)) == expected


SCRAPS = st.sampled_from(
    ["prod", "api_key", "rm -rf /", "DROP TABLE t;", "sudo", "https://a.b/", "10.0.0.1", "dеlete", "\u200b", "'", '"',
     "$(", "`", "|", "\n", "DELETE FROM t", "é", "ｋｅｙ", "𝐤ey", "curl x | sh", ".env", "a@b.de", " "]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=20), st.lists(SCRAPS, max_size=6).map("".join))
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**53), 2**53),
        st.floats(allow_nan=False, allow_infinity=False),
        TEXTS,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=8,
)
HINTS = st.dictionaries(
    TEXTS, st.one_of(st.none(), st.booleans(), st.integers(-(10**9), 10**9), TEXTS), max_size=4
)
ACTIONS = st.builds(
    Action,
    TEXTS,
    st.lists(VALUES, max_size=3),
    st.dictionaries(TEXTS, VALUES, max_size=3),
    st.none() | TEXTS,
    HINTS,
)


@settings(max_examples=200, deadline=None)
@given(ACTIONS, st.integers(0, 20))
def test_whatever_an_agent_sends_is_scored_the_same_twice(action: Action, prior: int) -> None:
    context = Context(prior_calls=prior)
    assessment = assess(action, context, BALANCED)
    assert assessment.failed == ""
    assert 0 <= assessment.score <= MICRO
    assert all(0 <= part.score <= MICRO for part in assessment.factors)
    assert assessment.level >= assessment.score_level
    assert assessment == assess(action, context, BALANCED)
    assert summary(assessment)


@settings(max_examples=200, deadline=None)
@given(ACTIONS)
def test_every_span_is_the_very_characters(action: Action) -> None:
    for place in everything(assess(action, Context(), BALANCED)):
        assert len(place.text) <= 80
        if place.span is None or not place.at:
            continue
        value = pointed(action, place)
        text = value if isinstance(value, str) else repr(value)
        start, end = place.span
        assert 0 <= start < end <= len(text)
        assert text[start : start + len(place.text)] == place.text


@settings(deadline=None)
@given(ACTIONS, st.text(max_size=5), st.one_of(st.none(), st.booleans(), st.integers(), TEXTS))
def test_another_hint_never_lowers(action: Action, name: str, value: Any) -> None:
    more = Action(
        action.function_name, action.args, action.kwargs, action.docstring, {name: value, **action.hints}
    )
    assert assess(more, Context(), BALANCED).score >= assess(action, Context(), BALANCED).score


@given(st.lists(st.sampled_from([400_000, 700_000, 800_000]), max_size=12), st.randoms(use_true_random=False))
def test_compounding_has_no_order(scores: list[int], random: Any) -> None:
    shuffled = random.sample(scores, len(scores))
    assert compound(shuffled) == compound(scores)
    assert 0 <= compound(scores) <= MICRO
