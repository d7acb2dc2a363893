"""Teach-back: bob says what a call does, from lists and in his own words."""

import json
import random
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskgate.core.action import Action
from riskgate.core.assessment import Evidence
from riskgate.core.challenges import Paper, Subject, build, effects, grade, outcomes, teach_back
from riskgate.core.challenges.text import look
from riskgate.core.levels import Level
from riskgate.core.scoring.packs import PACKS

from .calls import CALLS, call, subject_of
from .taught import SUBJECTS
from .test_challenges import ACTIONS, TEXT

NAMESPACE = SUBJECTS["namespace"]
OWN_WORDS = (
    "It wipes the payments namespace on prod-eu-1 with everything that runs in it, and there is no way back."
)


def paper_of(subject, seed=1, asked=(), **more):
    return build(
        "teach_back", subject, [sample.action for sample in CALLS], random.Random(seed), asked, **more
    )


def answers_to(paper, prose=OWN_WORDS):
    return [prose if question.kind == "prose" else question.answer for question in paper.questions]


def test_bob_picks_the_effect_and_whether_it_can_be_undone_and_then_writes():
    effect, undo, prose = paper_of(NAMESPACE).questions
    assert (effect.prompt, effect.kind, effect.face) == ("What does it do?", "choice", "text")
    assert effect.answer == "Deletes a namespace and all in it"
    assert len(set(effect.options)) == 6
    assert (undo.prompt, undo.options, undo.answer) == ("Can it be undone?", ("No", "In part", "Yes"), "No")
    assert (prose.prompt, prose.kind, prose.options, prose.answer) == ("In your own words", "prose", (), "")


def test_bob_passes_with_the_right_choices_and_words_of_his_own():
    paper = paper_of(NAMESPACE)
    verdict = grade(paper, answers_to(paper))
    assert (verdict.passed, verdict.right, verdict.of, verdict.why) == (True, 3, 3, "")


def test_one_wrong_choice_fails_and_is_not_named():
    paper = paper_of(NAMESPACE)
    for wrong in (["No", "No", OWN_WORDS], [paper.questions[0].answer, "Yes", OWN_WORDS]):
        verdict = grade(paper, wrong)
        assert not verdict.passed
        assert verdict.why == "Not all answers were right."


def test_lazy_words_fail_whatever_the_choices_were():
    paper = paper_of(NAMESPACE)
    verdict = grade(paper, answers_to(paper, "looks good to me"))
    assert (verdict.passed, verdict.right) == (False, 2)
    assert verdict.why == "Use at least 15 words; these are 4."


@pytest.mark.parametrize(
    "change", [lambda a: [], lambda a: a[:2], lambda a: [*a, "No"], lambda a: [None] * 3]
)
def test_missing_extra_and_foreign_answers_fail(change):
    paper = paper_of(NAMESPACE)
    verdict = grade(paper, change(answers_to(paper)))
    assert not verdict.passed
    assert verdict.why


def test_what_grading_knows_is_kept_and_never_shown():
    paper = paper_of(NAMESPACE, type_target=True)
    again = Paper.from_json(json.loads(json.dumps(paper.as_json())))
    assert again == paper
    assert grade(again, answers_to(again)).passed
    shown = json.dumps(paper.shown())
    assert "facts" not in shown
    assert paper.facts["runs"] not in shown
    assert "answer" not in shown


def test_a_paper_from_before_there_were_facts_is_read_and_does_not_pass():
    old = paper_of(NAMESPACE).as_json()
    del old["facts"]
    paper = Paper.from_json(old)
    assert paper.facts == {}
    assert not grade(paper, answers_to(paper)).passed


def test_a_paper_is_judged_by_the_validator_that_it_names(monkeypatch):
    monkeypatch.setitem(teach_back.VALIDATORS, "strict", lambda text, facts: "Ask your lead.")
    paper = paper_of(NAMESPACE)
    other = replace(paper, facts={**paper.facts, "validator": "strict"})
    assert grade(paper, answers_to(paper)).passed
    assert grade(other, answers_to(other)).why == "Ask your lead."
    gone = replace(paper, facts={**paper.facts, "validator": "gone"})
    assert not grade(gone, answers_to(gone)).passed


def test_a_second_paper_offers_the_same_effects_in_another_order():
    one = paper_of(NAMESPACE, 1)
    two = paper_of(NAMESPACE, 2, (one,))
    assert set(one.questions[0].options) == set(two.questions[0].options)
    assert one.questions[0].options != two.questions[0].options


def test_a_dry_run_is_not_said_to_delete():
    for sample in (
        call("delete_user", "usr_1", dry_run=True),
        call("run_shell", command="rm -rf /srv", dryRun=True),
    ):
        subject = subject_of(sample)
        ruled = replace(subject, evidence=(Evidence("guardrails.delete.wide", "…", "/kwargs/command"),))
        subjects = {question.subject for question in paper_of(ruled).questions}
        assert not {"effect", "undo"} & subjects
    live = paper_of(subject_of(call("delete_user", "usr_1", dry_run=False)))
    assert [question.subject for question in live.questions] == ["effect", "undo", "prose"]


def test_whether_it_can_be_undone_is_asked_only_where_that_is_sure():
    asked = {
        sample.action.function_name: [
            q.answer for q in paper_of(subject_of(sample)).questions if q.subject == "undo"
        ]
        for sample in (
            call("delete_user", "usr_1"),
            call("lock_account", "acc_1"),
            call("update_user", "usr_1"),
            call("transfer_funds", to_account="acct_1"),
        )
    }
    assert asked == {"delete_user": ["No"], "lock_account": ["Yes"], "update_user": [], "transfer_funds": []}


@pytest.mark.parametrize("sample", CALLS, ids=lambda sample: sample.action.function_name)
def test_every_call_gets_two_questions_with_an_answer_and_the_prose(sample):
    paper = paper_of(subject_of(sample))
    assert [question.kind == "prose" for question in paper.questions] == [False, False, True]
    assert len({question.subject for question in paper.questions}) == 3
    for question in paper.questions:
        assert question.kind != "choice" or question.options.count(question.answer) == 1


def test_no_wrong_effect_is_true_beside_the_right_one():
    for rule, outcome in outcomes.OUTCOMES.items():
        subject = replace(NAMESPACE, evidence=(Evidence(rule, "…", "/kwargs/command"),))
        others = {other.text for other in outcomes.OUTCOMES.values() if other.topic == outcome.topic}
        for seed in range(5):
            effect = paper_of(subject, seed).questions[0]
            assert effect.answer == outcome.text
            assert set(effect.options) & others == {outcome.text}
            assert len({look(option) for option in effect.options}) == 6


def test_effects_that_several_rules_found_are_never_wrong_answers():
    both = (Evidence("guardrails.k8s.delete-namespace", "…"), Evidence("guardrails.delete.recursive", "…"))
    for seed in range(20):
        effect = paper_of(replace(NAMESPACE, evidence=both), seed).questions[0]
        assert "Deletes files or whole folders" not in effect.options


def test_the_tables_know_every_rule_and_every_effect():
    rules = {rule.id for pack in PACKS for rule in pack.rules}
    assert set(outcomes.OUTCOMES) <= rules
    for outcome in outcomes.OUTCOMES.values():
        assert set(outcome.words) <= set(outcomes.WORDS)
        assert outcome.undo in ("", *outcomes.UNDO)
        assert 28 <= len(outcome.text) <= 38
        assert len(outcomes.FALSE[outcome.topic]) == 2
    known = {*effects.THING, *effects.MONEY, *effects.STATEMENT, *effects.COMMAND}
    assert set(outcomes.WORDS_OF) == known
    assert set(outcomes.CERTAIN) <= known
    assert {name for names in outcomes.WORDS_OF.values() for name in names} <= set(outcomes.WORDS)


def test_a_masked_value_is_neither_asked_nor_kept():
    sample = call(
        "rotate_secret", "db-main", value="correct horse battery staple on a rainy day", masked=["value"]
    )
    paper = paper_of(subject_of(sample), type_target=True)
    bare = paper_of(subject_of(call("rotate_secret", "db-main")), type_target=True)
    assert "horse" not in json.dumps(paper.as_json())
    assert paper.facts["runs"] == bare.facts["runs"]


@settings(max_examples=100, deadline=None)
@given(
    ACTIONS, TEXT, TEXT, st.sampled_from(["/args/0", "/kwargs", "", "/function_name"]), TEXT, st.booleans()
)
def test_any_call_and_any_words_are_graded(action, environment, reason, at, prose, ruled):
    rule = "guardrails.delete.wide" if ruled else "core.verb.destructive"
    masked = frozenset({at}) if at and not ruled else frozenset()
    subject = Subject(
        action, (Evidence(rule, "…", at),), environment, "agent", Level.CRITICAL, masked, reason=reason
    )
    one = build("teach_back", subject, [], random.Random(1), (), type_target=True)
    two = build("teach_back", subject, [], random.Random(2), (one,), type_target=True)
    for paper in (one, two):
        assert Paper.from_json(json.loads(json.dumps(paper.as_json()))) == paper
        assert len(paper.questions) == 4
        verdict = grade(paper, answers_to(paper, prose))
        assert verdict.passed is not bool(verdict.why)


def test_a_huge_call_is_read_in_no_time():
    huge = "delete every " + "word of this and that " * 5000
    action = Action("run_shell", [huge] * 20, {f"k{i}": "rm -rf / " * 40 for i in range(500)}, huge)
    subject = Subject(action, (), "production", "agent", Level.CRITICAL, reason=huge)
    started = time.process_time()
    paper = paper_of(subject, type_target=True)
    grade(paper, answers_to(paper))
    assert time.process_time() - started < 5
    assert len(json.dumps(paper.as_json())) < 400_000


def test_running_a_statement_is_not_what_it_does():
    paper = paper_of(subject_of(call("execute_sql", sql="DELETE FROM invoices WHERE customer_id = 4711")))
    vague = "It executes a statement on invoices for one of our customers, and I had a look at it before I said yes."
    exact = vague.replace("executes a statement on", "deletes rows of")
    assert grade(paper, answers_to(paper, vague)).why == "Name what it does."
    assert grade(paper, answers_to(paper, exact)).passed
