"""The panel beside a review: what it says to whom, and that nothing an agent writes turns it around."""

import re

import pytest
from django.urls import reverse

from riskgate.services.shapes import CallView
from riskgate.web.templatetags.written import TURNS, quoting, runs
from tests.people import (
    CRITICAL,
    HIGH,
    World,
    answer,
    approve,
    start,
    submit,
    wait_out,
    wrong_answers,
)
from tests.web.pages import signed_in, text_of


def review(world: World, who: str, call: CallView) -> str:
    return signed_in(world, who).get(reverse("review", args=[call.id])).content.decode()


def fail(world: World, who: str, call: CallView) -> None:
    attempt = start(world.members[who], call)
    wait_out(attempt)
    wrong = [
        f"It changes something {'and so on ' * 8}" if question["kind"] == "prose" else wrong
        for question, wrong in zip(attempt.questions, wrong_answers(attempt), strict=True)
    ]
    assert not answer(world.members[who], call, attempt, wrong).passed


def test_bob_reads_that_his_approval_counts_and_not_that_he_failed_before(world: World) -> None:
    call = submit(world, CRITICAL)
    fail(world, "bob", call)
    words = text_of(review(world, "bob", call))
    assert "It is recorded. 1 attempt left." in words
    assert "the questions will be new" not in words
    approve(world.bob, call)
    words = text_of(review(world, "bob", call))
    assert "Your approval is counted. It needs one more person." in words
    assert "It is recorded." not in words


def test_who_is_out_of_attempts_is_told_once(world: World) -> None:
    call = submit(world, HIGH)
    fail(world, "bob", call)
    fail(world, "bob", call)
    words = text_of(review(world, "bob", call))
    assert "You have used your 2 attempts" in words
    assert "It is recorded." not in words


def test_who_voted_is_not_told_that_somebody_else_decided(world: World) -> None:
    call = submit(world, CRITICAL)
    approve(world.bob, call)
    approve(world.carol, call)
    assert "Somebody else decided this" not in review(world, "bob", call)
    assert "Somebody else decided this" in review(world, "alice", call)


def test_what_nobody_can_approve_says_so_first(world: World) -> None:
    call = submit(world, HIGH)
    for who in ("alice", "grace", "bob", "carol") * 2:
        fail(world, who, call)
    page = review(world, "bob", call)
    panel = text_of(page[page.index('id="decision"') :])
    assert "Nobody in the team can approve this" in panel
    assert panel.index("Nobody in the team") < panel.index("Deny")
    assert "somebody else may approve it" not in panel
    queue = signed_in(world, "bob").get(reverse("queue")).content.decode()
    assert "nobody can approve" in text_of(queue)


def test_starting_a_seat_leads_to_its_questions_and_a_quiz_to_its_page(world: World) -> None:
    bob = signed_in(world, "bob")
    for fields, end in ((CRITICAL, "/challenge#seat-heading"), (HIGH, "/challenge")):
        call = submit(world, fields)
        begun = bob.post(reverse("challenge", args=[call.id]), {"digest": call.action_digest})
        assert begun.url.endswith(end)
        page = bob.get(reverse("challenge", args=[call.id])).content.decode()
        assert page.count("data-challenge-heading") == 1
    assert 'id="seat-heading"' not in page


def test_the_argument_of_the_target_stands_as_code_and_its_place_once(world: World) -> None:
    call = submit(world, CRITICAL)
    bob = signed_in(world, "bob")
    bob.post(reverse("challenge", args=[call.id]), {"digest": call.action_digest})
    page = bob.get(reverse("challenge", args=[call.id])).content.decode()
    assert "Type the target, as <code>sql</code> names it" in page
    assert "`" not in text_of(page[page.index('id="seat-form"') :])
    assert 'aria-label="Type the target, as sql names it"' in page
    assert "The name in the argument" not in page
    assert 'data-words="15"' in page


def test_an_explanation_that_is_too_short_costs_no_attempt_and_is_kept(world: World) -> None:
    call = submit(world, CRITICAL)
    bob = signed_in(world, "bob")
    bob.post(reverse("challenge", args=[call.id]), {"digest": call.action_digest})
    attempt = start(world.bob, call)
    wait_out(attempt)
    given = {
        f"q{i}": question["options"][0] if question["options"] else "it drops a table"
        for i, question in enumerate(attempt.questions)
    }
    sent = bob.post(
        reverse("challenge_answer", args=[call.id]),
        {"attempt": str(attempt.id), "digest": attempt.action_digest, **given},
    )
    assert sent.status_code == 422
    page = sent.content.decode()
    assert "at least 15 words; these are 4" in text_of(page)
    assert ">it drops a table</textarea>" in page
    assert "Attempt 1 of 2" in text_of(page)


NOTE, ALL = "ملاحظة", "حذف كل شيء الآن"


@pytest.mark.parametrize("page", ["review", "queue", "history"])
def test_a_name_and_its_value_keep_their_places_where_both_run_from_right_to_left(
    world: World, page: str
) -> None:
    call = submit(world, {"function_name": "delete_rows", "kwargs": {NOTE: ALL, "n": 5}})
    bob = signed_in(world, "bob")
    shown = bob.get(reverse(page, args=[call.id] if page == "review" else [])).content.decode()
    for word in (NOTE, ALL):
        apart = rf'<span class="(?:turned|name)">[^<]*(?:<span class="turned">)?[^<"=]*{word}[^<"]*</span>'
        assert re.search(apart, shown), word
    assert f'{NOTE}="{ALL}"' not in shown


def test_text_is_cut_only_around_what_runs_from_right_to_left() -> None:
    assert runs('f(a="b")') == [('f(a="b")', False)]
    assert [part for part, turned in runs(f'f({NOTE}="{ALL}", 5)') if turned] == [f"f({NOTE}", ALL]
    long = f'"{ALL}"' * 500
    parts = runs(long)
    assert "".join(part for part, _ in parts) == long
    assert len(parts) == 2 * TURNS + 1


def test_only_what_stands_between_backticks_is_code() -> None:
    assert quoting("as `sql` names it") == [("as ", False), ("sql", True), (" names it", False)]
    assert quoting("plain") == [("plain", False)]
