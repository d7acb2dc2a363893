"""Approving, as a browser without JavaScript does it: forms and pages alone."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from riskgate.services import approvals, queries
from riskgate.services.shapes import AttemptView, CallView
from riskgate.storage.models import ChallengeAttempt, Vote
from tests import people
from tests.people import (
    CRITICAL,
    HIGH,
    IN_OWN_WORDS,
    MEDIUM,
    World,
    reread,
    right_answers,
    submit,
    utcnow,
    wait_out,
    wrong_answers,
)
from tests.web.pages import assert_passes_the_content_policy, signed_in, text_of


def begin(client: Client, call: CallView) -> Any:
    return client.post(reverse("challenge", args=[call.id]), {"digest": call.action_digest}, follow=True)


def attempt_of(world: World, who: str, call: CallView) -> AttemptView:
    found = queries.review(member=world.members[who], call_id=call.id, now=utcnow()).attempt
    assert found is not None
    return found


def hidden_fields(page: str) -> dict[str, str]:
    """What the form of the challenge sends by itself."""
    form = re.search(r'action="[^"]*/answer"(.*?)</form>', page, re.DOTALL)
    assert form is not None
    return dict(re.findall(r'<input type="hidden" name="(attempt|digest)" value="([^"]*)"', form[1]))


def send(client: Client, call: CallView, page: str, answers: list[str]) -> Any:
    fields = hidden_fields(page) | {f"q{i}": answer for i, answer in enumerate(answers)}
    return client.post(reverse("challenge_answer", args=[call.id]), fields, follow=True)


def test_bob_approves_a_high_action_by_its_quiz(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    page = begin(bob, call).content.decode()
    assert "Three questions about this call" in page
    assert "not before" in text_of(page)
    attempt = attempt_of(world, "bob", call)
    wait_out(attempt)
    after = send(bob, call, page, right_answers(attempt))
    assert after.redirect_chain == [(reverse("review", args=[call.id]), 302)]
    assert "You approved this. The agent has 15 min to claim it." in text_of(after.content.decode())
    assert reread(world, call).status == "approved"


def test_the_answers_never_reach_the_page(world: World) -> None:
    call = submit(world, HIGH)
    page = begin(signed_in(world, "bob"), call).content.decode()
    attempt = attempt_of(world, "bob", call)
    for question, answer in zip(attempt.questions, right_answers(attempt), strict=True):
        options = [html.escape(str(option)) for option in question["options"]]
        shown = re.findall(rf'value="({"|".join(map(re.escape, options))})"([^>]*)>', page)
        assert len(shown) == len(options)
        assert len({rest for _, rest in shown}) == 1, answer


def test_too_early_is_refused_and_the_answers_are_kept(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    page = begin(bob, call).content.decode()
    answers = right_answers(attempt_of(world, "bob", call))
    response = send(bob, call, page, answers)
    assert response.status_code == 409
    kept = response.content.decode()
    assert re.search(r"Read for \d+ s more; your answers are kept", text_of(kept))
    assert re.findall(r'value="([^"]*)" checked', kept) == [html.escape(answer) for answer in answers]
    assert reread(world, call).status == "pending"


def test_a_failed_quiz_tells_what_is_left_and_not_what_was_right(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    first = begin(bob, call).content.decode()
    attempt = attempt_of(world, "bob", call)
    wait_out(attempt)
    answers = [right_answers(attempt)[0], *wrong_answers(attempt)[1:]]
    words = text_of(send(bob, call, first, answers).content.decode())
    assert "Not all answers were right. It is recorded. 1 attempt left; the questions will be new." in words
    assert "1 of 3" not in words

    second = begin(bob, call).content.decode()
    assert "Attempt 2 of 2" in text_of(second)
    again = attempt_of(world, "bob", call)
    wait_out(again)
    words = text_of(send(bob, call, second, wrong_answers(again)).content.decode())
    assert "You have used your 2 attempts" in words
    assert "You can still deny it" in words
    assert "Start the quiz" not in words
    assert bob.post(reverse("review_deny", args=[call.id])).status_code == 302
    assert reread(world, call).status == "denied"


def test_going_there_again_shows_the_same_questions(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    first = begin(bob, call).content.decode()
    assert hidden_fields(begin(bob, call).content.decode()) == hidden_fields(first)
    here = bob.get(reverse("challenge", args=[call.id])).content.decode()
    assert hidden_fields(here) == hidden_fields(first)
    assert "Go on" in text_of(bob.get(reverse("review", args=[call.id])).content.decode())


def test_nobody_starts_a_challenge_by_going_to_its_address(world: World) -> None:
    call = submit(world, HIGH)
    response = signed_in(world, "bob").get(reverse("challenge", args=[call.id]))
    assert response["Location"] == reverse("review", args=[call.id])


def test_a_medium_action_takes_one_confirmation_in_its_own_line(world: World) -> None:
    call = submit(world, MEDIUM)
    bob = signed_in(world, "bob")
    assert "Read, then approve" in text_of(bob.get(reverse("review", args=[call.id])).content.decode())
    page = begin(bob, call).content.decode()
    assert 'class="confirm"' in page
    early = send(bob, call, page, [])
    assert early.status_code == 409
    assert "Read for" in text_of(early.content.decode())
    wait_out(attempt_of(world, "bob", call))
    assert "You approved this." in text_of(send(bob, call, page, []).content.decode())


def test_approving_binds_to_what_was_shown(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    response = bob.post(reverse("challenge", args=[call.id]), {"digest": "sha256:" + "0" * 64})
    assert response.status_code == 409
    assert "What you saw has changed" in text_of(response.content.decode())


@pytest.mark.parametrize("attempt", ["", "nonsense", "00000000-0000-0000-0000-000000000000"])
def test_an_answer_to_no_challenge_approves_nothing(world: World, attempt: str) -> None:
    call = submit(world, HIGH)
    response = signed_in(world, "bob").post(
        reverse("challenge_answer", args=[call.id]), {"attempt": attempt, "digest": call.action_digest}
    )
    assert response.status_code in {404, 409}
    assert reread(world, call).status == "pending"


def test_an_attempt_is_answered_by_its_own_person_alone(world: World) -> None:
    call = submit(world, HIGH)
    page = begin(signed_in(world, "bob"), call).content.decode()
    attempt = attempt_of(world, "bob", call)
    wait_out(attempt)
    assert send(signed_in(world, "carol"), call, page, right_answers(attempt)).status_code == 409
    assert reread(world, call).status == "pending"


def test_what_somebody_else_decided_meanwhile_is_said(world: World) -> None:
    call = submit(world, HIGH)
    bob = signed_in(world, "bob")
    page = begin(bob, call).content.decode()
    attempt = attempt_of(world, "bob", call)
    wait_out(attempt)
    approvals.deny(member=world.carol, call_id=call.id)
    response = send(bob, call, page, right_answers(attempt))
    assert response.status_code == 409
    assert "Somebody else decided this. Carol Weber denied this." in text_of(response.content.decode())


def test_a_seat_of_a_critical_action_is_taken_answered_beside_the_review_and_left(world: World) -> None:
    call = submit(world, CRITICAL)
    bob, carol = signed_in(world, "bob"), signed_in(world, "carol")
    page = begin(bob, call).content.decode()
    words = text_of(page)
    assert "Teach-back: youHeld for you" in words
    assert "What it would do" in words
    assert "Approve in seat 1" in words
    others = text_of(carol.get(reverse("review", args=[call.id])).content.decode())
    assert "Teach-back: taken" in others
    assert "Bob" not in others
    bob.post(reverse("challenge_leave", args=[call.id]))
    others = text_of(carol.get(reverse("review", args=[call.id])).content.decode())
    assert "Teach-back: free" in others


def test_the_challenge_pages_need_nothing_that_the_content_policy_forbids(world: World) -> None:
    bob = signed_in(world, "bob")
    for fields in (MEDIUM, HIGH, CRITICAL):
        assert_passes_the_content_policy(begin(bob, submit(world, fields)))


def test_a_critical_seat_is_taken_only_by_somebody_who_signed_in_lately(world: World) -> None:
    call = submit(world, CRITICAL)
    start = reverse("challenge", args=(call.id,))
    stale = signed_in(world, "bob", seconds_ago=301).post(start, {"digest": call.action_digest})
    assert stale.url.startswith(reverse("account_reauthenticate"))
    assert not ChallengeAttempt.objects.exists()
    signed_in(world, "bob", seconds_ago=200).post(start, {"digest": call.action_digest})
    assert ChallengeAttempt.objects.get().kind == "teach_back"


def test_a_critical_answer_after_five_minutes_keeps_what_was_written_and_asks_who_is_there(
    world: World,
) -> None:
    call = submit(world, CRITICAL)
    attempt = people.start(world.bob, call)
    wait_out(attempt)
    fields = {f"q{i}": text for i, text in enumerate(right_answers(attempt))}
    fields |= {"attempt": str(attempt.id), "digest": call.action_digest}
    path = reverse("challenge_answer", args=(call.id,))
    refused = signed_in(world, "bob", seconds_ago=301).post(path, fields)
    assert refused.status_code == 403
    assert "Your answers are kept" in text_of(refused.content.decode())
    assert IN_OWN_WORDS in text_of(refused.content.decode())
    assert not Vote.objects.exists()
    signed_in(world, "bob", seconds_ago=10).post(path, fields)
    assert Vote.objects.count() == 1
