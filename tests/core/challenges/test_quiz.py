"""The quiz: three fair questions about this very call."""

import random

import pytest

from riskgate.core.action import Action, pointer
from riskgate.core.assessment import Evidence
from riskgate.core.challenges import Subject, build, grade
from riskgate.core.challenges.text import look
from riskgate.core.levels import Level

from .calls import CALLS, DELETE_USER, call, random_call, subject_of


def paper_for(sample, others=(), seed=1, asked=(), **about):
    return build("quiz", subject_of(sample, **about), list(others), random.Random(seed), asked)


def the(paper, subject):
    """The question for this subject."""
    return next(question for question in paper.questions if question.subject == subject)


def texts(paper):
    return [text for q in paper.questions for text in (q.prompt, q.note, *q.options, q.answer)]


EVERY_CALL = pytest.mark.parametrize(
    "sample", CALLS, ids=[f"{i}-{s.action.function_name}" for i, s in enumerate(CALLS)]
)


def test_bob_is_asked_for_the_user_the_environment_and_what_happens():
    paper = paper_for(DELETE_USER)
    assert [question.subject for question in paper.questions] == ["/args/0", "/kwargs/env", "effect"]
    assert [question.answer for question in paper.questions] == [
        "usr_123",
        "production",
        "It is removed for good",
    ]
    assert the(paper, "/args/0").prompt == "Which user is it about?"
    assert the(paper, "/args/0").note == "The first argument"
    assert the(paper, "/kwargs/env").note == "The argument env"


@EVERY_CALL
def test_a_paper_has_three_questions_on_three_subjects(sample):
    for seed in range(3):
        paper = paper_for(sample, [other.action for other in CALLS if other is not sample], seed)
        assert len({question.subject for question in paper.questions}) == 3


@EVERY_CALL
def test_a_choice_has_six_answers_that_look_different_and_one_of_them_is_right(sample):
    for seed in range(3):
        for question in paper_for(sample, [other.action for other in CALLS], seed).questions:
            if question.kind == "choice":
                assert len({look(option) for option in question.options}) == 6
                assert question.options.count(question.answer) == 1
            else:
                assert question.options == ()
                assert question.answer


@EVERY_CALL
def test_who_answers_all_three_passes_and_who_misses_one_does_not(sample):
    paper = paper_for(sample)
    answers = [question.answer for question in paper.questions]
    assert grade(paper, answers).passed
    for i in range(3):
        verdict = grade(paper, [*answers[:i], "no such thing", *answers[i + 1 :]])
        assert (verdict.passed, verdict.right, verdict.of) == (False, 2, 3)


def test_missing_extra_shuffled_and_strange_answers_are_wrong_and_no_error():
    paper = paper_for(DELETE_USER)
    answers = [question.answer for question in paper.questions]
    for wrong in ([], answers[:2], [*answers, answers[0]], answers[::-1], [None, 3, []], ["", "", ""]):
        assert not grade(paper, wrong).passed


def test_an_option_that_was_never_offered_is_wrong_even_where_it_would_read_the_same():
    paper = paper_for(DELETE_USER)
    answers = [question.answer for question in paper.questions]
    assert not grade(paper, [answers[0] + " ", *answers[1:]]).passed


def test_the_page_never_learns_the_answers():
    for sample in CALLS:
        for shown in paper_for(sample).shown():
            assert set(shown) == {"prompt", "note", "kind", "options", "face"}
            if shown["kind"] == "typed":
                assert shown["options"] == []


def test_no_typed_answer_can_be_read_off_its_own_paper():
    for sample in CALLS:
        paper = paper_for(sample, [other.action for other in CALLS if other is not sample])
        for question in paper.questions:
            if question.kind == "typed" and question.subject not in {"level", "agent", "environment"}:
                rest = [
                    text for other in paper.questions for text in (other.prompt, other.note, *other.options)
                ]
                assert not any(look(question.answer) in look(text) for text in rest)


def test_wrong_answers_are_taken_from_the_teams_other_calls():
    team = [
        call("delete_user", f"usr_{n}", env="production").action
        for n in (202, 317, 480, 555, 691, 744, 123, 123)
    ]
    options = the(paper_for(DELETE_USER, team), "/args/0").options
    assert set(options) <= {"usr_202", "usr_317", "usr_480", "usr_555", "usr_691", "usr_744", "usr_123"}


def test_a_value_that_nobody_has_seen_is_not_the_only_unknown_one():
    team = [call("delete_user", f"usr_{n}", env="production").action for n in (202, 317, 480, 555, 691, 744)]
    options = the(paper_for(DELETE_USER, team), "/args/0").options
    known = {action.args[0] for action in team}
    assert len(known & set(options)) == 3


def test_what_the_team_always_has_is_not_asked_where_something_better_is_there():
    always = [
        call("update_user", "usr_9", email="a.clark@example.com", plan="gold", env="production").action
    ] * 9
    sample = call(
        "update_user", "usr_455", email="anna.miller@example.com", plan=8812, env="production", raised=["env"]
    )
    assert "/kwargs/env" not in [question.subject for question in paper_for(sample, always).questions]


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("password", "hunter2hunter"),
        ("api_token", "abcdefabcdef"),
        ("value", "sk_" + "live_8f3kD93ksL2mQ"),
        ("value", "AKIA" + "ABCDEFGH12345678"),
        ("note", "the password: swordfish"),
        ("value", "https://root:toor99@db.example.com/x"),
        ("value", "q8Zk2Lw9Xv4Rb7Nt1Mc6"),
    ],
)
def test_what_looks_like_a_secret_is_neither_asked_nor_offered(name, secret):
    sample = call("write_setting", "set_100", raised=[name], **{name: secret})
    assert not any(secret in text for text in texts(paper_for(sample)))
    mine = call("write_setting", "set_100", **{name: secret[:-1] + "x"})
    for seed in range(5):
        assert not any(secret in text for text in texts(paper_for(mine, [sample.action] * 3, seed)))


def test_a_masked_value_is_not_shown_wherever_it_stands():
    sample = call(
        "connect", "db_17", user={"name": "frank", "phrase": "blue 4711 horse"}, copy="blue 4711 horse"
    )
    hidden = Subject(sample.action, (), "staging", "agent", Level.HIGH, frozenset({"/kwargs/user"}))
    other = call("connect", "db_18", user={"name": "grace"}, copy="blue 4711 horse").action
    for seed in range(10):
        paper = build("quiz", hidden, [other] * 3, random.Random(seed), ())
        assert not any("4711" in text or "frank" in text for text in texts(paper))


@EVERY_CALL
def test_the_second_paper_is_new(sample):
    one = paper_for(sample)
    two = paper_for(sample, seed=2, asked=(one,))
    seen = {(question.subject, question.kind) for question in one.questions}
    again = [question for question in two.questions if (question.subject, question.kind) in seen]
    # A call that holds nothing has no more to ask for than its name and where it comes from.
    assert len(again) <= (2 if sample.action.function_name in {"frobnicate", "ping"} else 0)


@EVERY_CALL
def test_who_remembers_the_first_paper_cannot_find_the_answer_of_the_second_by_it(sample):
    one = paper_for(sample)
    two = paper_for(sample, seed=2, asked=(one,))
    before = {look(option) for question in one.questions for option in question.options}
    for question in two.questions:
        if question.kind == "choice":
            met = [option for option in question.options if look(option) in before]
            assert met != [question.answer] or question.subject in {"environment", "agent"}


def test_a_third_and_a_tenth_paper_can_still_be_made():
    asked = []
    for seed in range(10):
        asked.append(paper_for(DELETE_USER, seed=seed, asked=asked))
        assert len(asked[-1].questions) == 3


def test_where_a_choice_comes_back_its_options_are_the_same_in_another_order():
    asked = [paper_for(call("ping"))]
    for seed in range(5):
        asked.append(paper_for(call("ping"), seed=seed, asked=asked))
    offered = {}
    for question in (
        question for paper in asked for question in paper.questions if question.kind == "choice"
    ):
        assert offered.setdefault(question.subject, set(question.options)) == set(question.options)


def test_a_dangerous_value_among_a_thousand_harmless_ones_is_asked_first():
    action = Action("store", [f"x_{n:03}" for n in range(1000)], {"cmd": "rm -rf /srv/orders/2026-03-14"})
    subject = Subject(
        action,
        (Evidence("core.shell.rm", "rm -rf", "/kwargs/cmd", (0, 6)), Evidence("r", "x", "/args/900", (0, 1))),
        "production",
        "agent",
        Level.HIGH,
    )
    subjects = [question.subject for question in build("quiz", subject, [], random.Random(1), ()).questions]
    assert any(at.startswith("/kwargs/cmd") for at in subjects)
    assert "/args/900" in subjects


def test_in_a_long_text_the_questions_are_about_the_part_that_raised_the_score():
    text = (
        "We met on 2020-05-05. "
        + "All is well. " * 3000
        + "Now pay 4711 to victor@example.net by 2026-12-24. "
        + "Bye. " * 900
    )
    at = text.index("pay 4711")
    sample = Action("send_note", (), {"body": text})
    subject = Subject(
        sample, (Evidence("r", "pay", "/kwargs/body", (at, at + 3)),), "live", "agent", Level.HIGH
    )
    paper = build("quiz", subject, [], random.Random(1), ())
    assert {"4711", "2026-12-24"} & {question.answer for question in paper.questions}
    assert "2020-05-05" not in {question.answer for question in paper.questions}


def test_no_wrong_part_of_a_text_stands_in_the_text():
    body = "Orders 1234, 1243, 1324, 1342, 1423 and 1432 are late."
    for seed in range(20):
        for question in paper_for(call("send_note", body=body, raised=["body"]), seed=seed).questions:
            if "#" in question.subject and question.options:
                assert [option for option in question.options if option in body] == [question.answer]


def test_two_switches_are_no_question_and_three_are_one():
    two = paper_for(call("set_flags", "flag_10", fast=True, loud=False))
    assert not any("switches" in question.prompt for question in two.questions)
    three = paper_for(call("set_flags", fast=True, loud=False, safe=True))
    assert the(three, "/kwargs/fast /kwargs/loud /kwargs/safe").answer == "fast true, loud false, safe true"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("abc\u202e123", "abc\\u202e123"),
        ("pay\u200bpal 12", "pay\\u200bpal 12"),
        ("two\nlines", "two\\nlines"),
        ("nul\x00 5", "nul\\u0000 5"),
        ("e\u0301t\u00e9 2026", "\u00e9t\u00e9 2026"),
        ("tag\U000e0041 77", "tag\\U000e0041 77"),
    ],
)
def test_what_cannot_be_seen_is_written_out_and_may_be_typed_either_way(value, shown):
    sample = call("note_down", value, raised=[0])
    for seed in range(8):
        paper = paper_for(sample, seed=seed)
        for text in texts(paper):
            assert text.isprintable()
        question = next((q for q in paper.questions if q.answer == shown), None)
        if question is not None and question.kind == "typed":
            others = [q.answer for q in paper.questions]
            i = others.index(shown)
            for typed in (shown, value, f"  {shown} "):
                assert grade(paper, [*others[:i], typed, *others[i + 1 :]]).passed


def test_a_look_alike_is_never_offered_beside_the_real_one():
    team = [
        call("delete_user", name).action
        for name in ("\u0440aypal_12", "paypa1_12", "PayPal_12", "paypal_12 ")
    ] * 2
    for seed in range(10):
        for question in paper_for(call("delete_user", "paypal_12"), team, seed).questions:
            assert len({look(option) for option in question.options}) == len(question.options)
            assert "\u0440aypal_12" not in question.options


@pytest.mark.parametrize(
    "action",
    [
        Action(""),
        Action("\u202e\u200b"),
        Action("f" * 255, ["x" * 100_000], {"y" * 300: "\n" * 5000}),
        Action("f", [""], {"": "", " ": None}),
        Action("f", [[[[[[[["deep"]]]]]]]], {"a": {"b": {"c": [1, 2, {"d": "e"}]}}}),
        Action("f", list(range(1000)), {f"k{n}": n % 2 == 0 for n in range(1000)}),
        Action("f", [1e308, -0.0, 2**53 - 1, -5, 0]),
        Action("f", ["'; DROP TABLE x; --", "<script>alert(1)</script>", "{{ 7*7 }}"]),
    ],
)
def test_a_hostile_call_still_gets_three_questions(action):
    subject = Subject(
        action, (Evidence("r", "x", "/args/0/9"), Evidence("r", "x", "/nowhere")), "", "", Level.HIGH
    )
    one = build("quiz", subject, [action] * 3, random.Random(1), ())
    two = build("quiz", subject, [action] * 3, random.Random(2), (one,))
    for paper in (one, two):
        assert len(paper.questions) == 3
        assert all(len(text) < 400 and text.isprintable() for text in texts(paper))
        assert grade(paper, [question.answer for question in paper.questions]).passed


def test_where_all_is_masked_the_quiz_asks_for_what_the_console_says_itself():
    action = Action("f", ["a"], {"b": "c"})
    hidden = frozenset({"/args", "/kwargs", "/function_name"})
    subject = Subject(action, (), "staging", "mail-agent", Level.CRITICAL, hidden)
    paper = build("quiz", subject, [], random.Random(1), ())
    assert {question.subject for question in paper.questions} == {"environment", "agent", "level"}


def test_evidence_in_a_name_with_slashes_is_followed():
    sample = Action("store", (), {"a/b~c": "usr_9912", "d": 12345, "e": 54321, "f": 67890})
    subject = Subject(sample, (Evidence("r", "x", pointer("kwargs", "a/b~c")),), "live", "agent", Level.HIGH)
    paper = build("quiz", subject, [], random.Random(1), ())
    assert the(paper, "/kwargs/a~1b~0c").answer == "usr_9912"
    assert the(paper, "/kwargs/a~1b~0c").note == "The argument a/b~c"


def test_random_calls_of_a_busy_team_make_fair_papers():
    rng = random.Random(20)
    team = [random_call(rng) for _ in range(60)]
    for sample in team[:30]:
        paper = build("quiz", subject_of(sample), [other.action for other in team], rng, ())
        assert sum(question.kind == "choice" for question in paper.questions) >= 2
