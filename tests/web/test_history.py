"""History tells everybody in the team what happened, and nobody else."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from riskgate.services import approvals, housekeeping
from riskgate.storage.models import Call
from riskgate.web.views.history import heading
from tests.people import (
    CRITICAL,
    HIGH,
    LOW,
    World,
    answer,
    approve,
    right_answers,
    start,
    submit,
    utcnow,
    wait_out,
)
from tests.web.pages import signed_in, text_of


def history(client: Client, **query: str) -> str:
    response = client.get(reverse("history"), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("reader", ["bob", "dave", "erin", "alice"])
def test_every_role_reads_what_was_asked_and_decided(world: World, reader: str) -> None:
    call = submit(world, HIGH)
    approvals.deny(member=world.carol, call_id=call.id, reason="Wrong tenant.")
    words = text_of(history(signed_in(world, reader)))
    assert 'Carol Weber denied delete_user("usr_123", env="production") after' in words
    assert "“Wrong tenant.”" in words
    assert "support-copilot submitted delete_user" in words
    assert "scored 0.720 with policy 1" in words


def test_carol_reads_that_she_did_it_herself(world: World) -> None:
    approvals.deny(member=world.carol, call_id=submit(world, HIGH).id)
    assert "You denied delete_user" in text_of(history(signed_in(world, "carol")))


def test_eve_of_the_other_team_reads_nothing_of_it(world: World) -> None:
    submit(world, HIGH)
    words = text_of(history(signed_in(world, "eve")))
    assert "delete_user" not in words
    assert "support-copilot" not in words
    assert "dock-bot" in words


def test_a_stranger_is_asked_to_sign_in(client: Client, db: None) -> None:
    response = client.get(reverse("history"))
    assert response.status_code == 302
    assert response.headers["Location"].startswith(reverse("account_login"))


def test_a_line_leads_to_the_review_of_its_call(world: World) -> None:
    call = submit(world, HIGH)
    assert f'href="{reverse("review", args=[call.id])}"' in history(signed_in(world, "erin"))


def test_what_needs_nobody_is_one_line(world: World) -> None:
    submit(world, LOW)
    page = history(signed_in(world, "dave"))
    assert text_of(page).count("get_users()") == 1
    assert "approved at once" in text_of(page)


def test_the_quiz_and_the_approval_are_one_line(world: World) -> None:
    approve(world.bob, submit(world, HIGH))
    words = text_of(history(signed_in(world, "dave")))
    assert "Bob Okafor approved delete_user" in words
    assert "Quiz passed at the first attempt." in words


def test_what_bob_does_at_a_pending_call_is_his_alone_to_read(world: World) -> None:
    call = submit(world, HIGH)
    start(world.bob, call)
    for other in ("carol", "dave", "alice", "erin"):
        words = text_of(history(signed_in(world, other)))
        assert "Bob Okafor" not in words.partition("added")[0]
    assert "You started the quiz for delete_user" in text_of(history(signed_in(world, "bob")))
    approvals.deny(member=world.carol, call_id=call.id)
    assert "Bob Okafor started the quiz" in text_of(history(signed_in(world, "dave")))


def test_what_an_agent_wrote_stays_text(world: World) -> None:
    submit(world, {**HIGH, "args": ["<script>alert(1)</script>"]})
    page = history(signed_in(world, "bob"))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_letters_that_turn_the_reading_direction_are_spelled_out(world: World) -> None:
    submit(world, {**HIGH, "args": ["usr_\u202e321"]})
    page = history(signed_in(world, "bob"))
    assert "\u202e" not in page
    assert "U+202E" in page


def test_older_pages_tell_the_rest_once(world: World) -> None:
    for number in range(30):
        submit(world, {**LOW, "args": [number]}, session=f"run-{number}")
    client, seen, cursor = signed_in(world, "dave"), [], ""
    for _ in range(9):
        page = history(client, before=cursor) if cursor else history(client)
        seen += re.findall(r"submitted get_users\((\d+)\)", text_of(page))
        older = re.search(r'\?before=([^"]+)"', page)
        if older is None:
            break
        cursor = older[1].replace("%3D", "=")
    assert seen == [str(number) for number in reversed(range(30))]
    assert "Nothing happened before this." in text_of(page)


def test_a_broken_cursor_is_said_and_breaks_nothing(world: World) -> None:
    response = signed_in(world, "bob").get(reverse("history"), {"before": "nonsense"})
    assert 400 <= response.status_code < 500
    assert "<h1>" in response.content.decode()


def test_the_page_takes_few_queries_however_long_it_is(
    world: World, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for number in range(20):
        submit(world, {**HIGH, "args": [number]}, session=f"run-{number}")
    client = signed_in(world, "bob")
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        history(client)


def test_a_critical_call_stays_blind_until_it_is_decided(world: World) -> None:
    call = submit(world, CRITICAL)
    approvals.open(member=world.bob, call_id=call.id, now=datetime.now(UTC))
    assert "Bob Okafor opened" not in text_of(history(signed_in(world, "carol")))


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 11, 20), "Today, Friday 20 November"),
        (date(2026, 11, 19), "Yesterday, Thursday 19 November"),
        (date(2026, 11, 2), "Monday 2 November"),
        (date(2025, 12, 31), "Wednesday 31 December 2025"),
    ],
)
def test_days_are_named_as_people_name_them(day: date, words: str) -> None:
    assert heading(day, date(2026, 11, 20)) == words


def test_the_failed_quiz_is_told_once_it_is_decided(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    answers = ["nothing of the kind", *right_answers(attempt)[1:]]
    assert not answer(world.bob, call, attempt, answers).passed
    approvals.deny(member=world.bob, call_id=call.id)
    words = text_of(history(signed_in(world, "dave")))
    assert "Bob Okafor failed the quiz for delete_user" in words
    assert "It was the first attempt." in words


def test_the_clock_is_told_for_what_nobody_decided_and_what_nobody_claimed(world: World) -> None:
    undecided, unclaimed = submit(world, HIGH), submit(world, {**HIGH, "args": ["usr_9"]})
    approve(world.bob, unclaimed)
    past = utcnow() - timedelta(seconds=1)
    Call.objects.filter(id=undecided.id).update(decide_by=past)
    Call.objects.filter(id=unclaimed.id).update(use_by=past)
    assert housekeeping.expire(now=utcnow()) == 2
    words = text_of(history(signed_in(world, "dave")))
    assert 'Nobody decided delete_user("usr_123", env="production") in' in words
    assert 'support-copilot did not claim delete_user("usr_9", env="production") in time' in words
