"""Answering in a seat: it is kept as long as somebody goes on, and nothing that they wrote is lost."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from riskgate.services import approvals
from riskgate.services.shapes import AttemptView, CallView
from riskgate.storage.models import Call, ChallengeAttempt, Membership, Vote
from tests.people import CRITICAL, HIGH, IN_OWN_WORDS, World, right_answers, start, submit, utcnow, wait_out
from tests.web.pages import assert_passes_the_content_policy, signed_in, text_of


def end_lease(seconds: float = -1) -> None:
    ChallengeAttempt.objects.filter(lease_until__isnull=False).update(
        lease_until=utcnow() + timedelta(seconds=seconds)
    )


def written(attempt: AttemptView) -> dict[str, Any]:
    """What the form sends, every answer right."""
    fields: dict[str, Any] = {f"q{i}": text for i, text in enumerate(right_answers(attempt))}
    typed = [f"q{i}" for i, question in enumerate(attempt.questions) if question["kind"] != "choice"]
    return fields | {"typed": typed, "attempt": str(attempt.id), "digest": attempt.action_digest}


@pytest.fixture
def call(world: World) -> CallView:
    return submit(world, CRITICAL)


@pytest.fixture
def attempt(world: World, call: CallView) -> AttemptView:
    """bob is answering."""
    return start(world.bob, call)


@pytest.fixture
def bob(world: World) -> Client:
    return signed_in(world, "bob")


def test_the_page_says_how_long_the_seat_is_held_and_keeps_it_without_a_script(
    bob: Client, call: CallView, attempt: AttemptView
) -> None:
    end_lease(20)
    page = bob.get(reverse("challenge", args=[call.id]))
    assert "Held for you until" in text_of(page.content.decode())
    kept = bob.post(reverse("challenge_renew", args=[call.id]), written(attempt))
    assert kept.status_code == 200
    assert_passes_the_content_policy(kept)
    assert IN_OWN_WORDS in text_of(kept.content.decode())
    lease = ChallengeAttempt.objects.get().lease_until
    assert lease is not None
    assert lease > utcnow() + timedelta(minutes=4)


def test_a_script_is_told_for_how_many_seconds(bob: Client, call: CallView, attempt: AttemptView) -> None:
    end_lease(20)
    told = bob.post(reverse("challenge_renew", args=[call.id]), headers={"Accept": "application/json"})
    assert 290 < told.json()["seconds"] <= 300


def test_looking_at_the_questions_holds_nothing(bob: Client, call: CallView, attempt: AttemptView) -> None:
    end_lease(20)
    bob.get(reverse("challenge", args=[call.id]))
    bob.get(reverse("review", args=[call.id]))
    lease = ChallengeAttempt.objects.get().lease_until
    assert lease is not None
    assert lease < utcnow() + timedelta(seconds=21)
    assert bob.get(reverse("challenge_renew", args=[call.id])).status_code == 405


def test_a_seat_whose_time_ended_says_so_and_can_be_taken_again(
    world: World, bob: Client, call: CallView, attempt: AttemptView
) -> None:
    end_lease()
    words = text_of(bob.get(reverse("challenge", args=[call.id])).content.decode())
    assert "Your seat’s time ended, and nobody has taken it." in words
    assert "Take it again" in words
    bob.post(reverse("challenge_renew", args=[call.id]))
    others = signed_in(world, "carol").get(reverse("review", args=[call.id])).content.decode()
    assert "Teach-back: taken" in text_of(others)


def test_a_seat_that_somebody_took_shows_no_questions_any_more(
    world: World, bob: Client, call: CallView, attempt: AttemptView
) -> None:
    end_lease()
    start(world.carol, call)
    gone = bob.get(reverse("challenge", args=[call.id]))
    assert gone.url == reverse("review", args=[call.id])
    told = bob.post(reverse("challenge_renew", args=[call.id]), headers={"Accept": "application/json"})
    assert told.status_code == 409
    assert "somebody else took it" in told.json()["problem"]


def taken_by_carol(world: World, call: CallView) -> None:
    end_lease()
    start(world.carol, call)


def denied_by_carol(world: World, call: CallView) -> None:
    approvals.deny(member=world.carol, call_id=call.id)


def expired(world: World, call: CallView) -> None:
    Call.objects.filter(id=call.id).update(decide_by=utcnow() - timedelta(seconds=1))


def made_a_viewer(world: World, call: CallView) -> None:
    Membership.objects.filter(user_id=world.bob.user_id).update(role="viewer")


def left_in_another_tab(world: World, call: CallView) -> None:
    ChallengeAttempt.objects.update(left_at=utcnow())


@pytest.mark.parametrize(
    "meanwhile", [taken_by_carol, denied_by_carol, expired, made_a_viewer, left_in_another_tab]
)
@pytest.mark.parametrize("route", ["challenge_answer", "challenge_renew"])
def test_what_bob_wrote_stands_on_the_page_that_refuses_it(
    world: World,
    bob: Client,
    call: CallView,
    attempt: AttemptView,
    route: str,
    meanwhile: Callable[[World, CallView], None],
) -> None:
    wait_out(attempt)
    meanwhile(world, call)
    refused = bob.post(reverse(route, args=[call.id]), written(attempt))
    assert refused.status_code in {403, 409, 410}
    assert IN_OWN_WORDS in text_of(refused.content.decode())
    assert not Vote.objects.exists()


def test_what_was_seen_has_changed_and_the_words_stay(
    bob: Client, call: CallView, attempt: AttemptView
) -> None:
    wait_out(attempt)
    refused = bob.post(
        reverse("challenge_answer", args=[call.id]), written(attempt) | {"digest": "sha256:" + "0" * 64}
    )
    assert refused.status_code == 409
    words = text_of(refused.content.decode())
    assert "What you saw has changed" in words
    assert IN_OWN_WORDS in words


def test_words_whose_seat_is_gone_are_kept_while_bob_says_that_it_is_he(
    world: World, call: CallView, attempt: AttemptView
) -> None:
    ChallengeAttempt.objects.update(left_at=utcnow())
    stale = signed_in(world, "bob", seconds_ago=301)
    refused = stale.post(reverse("challenge_answer", args=[call.id]), written(attempt))
    assert refused.status_code == 403
    assert IN_OWN_WORDS in text_of(refused.content.decode())


@pytest.mark.parametrize("route", ["review_send_back", "review_deny"])
def test_a_reason_that_is_too_long_stays_in_its_field(world: World, bob: Client, route: str) -> None:
    high = submit(world, HIGH)
    reason = "Too many words. " * 126
    refused = bob.post(reverse(route, args=[high.id]), {"reason": reason})
    assert refused.status_code == 422
    page = refused.content.decode()
    assert f"required>{reason}</textarea>" in page
    assert '<details class="send-back" open>' in page


def test_a_reason_for_what_is_decided_already_is_not_lost(world: World, bob: Client) -> None:
    high = submit(world, HIGH)
    denied_by_carol(world, high)
    refused = bob.post(reverse("review_send_back", args=[high.id]), {"reason": "Name the date."})
    assert refused.status_code == 409
    assert "Name the date." in text_of(refused.content.decode())
