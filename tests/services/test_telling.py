"""What is told to whom by e-mail, and that a call which nobody can approve is told to the admins."""

from dataclasses import replace
from typing import Any

import pytest

from riskgate.core.levels import Level
from riskgate.core.policy import BALANCED
from riskgate.services import housekeeping, permissions, policies, queries
from riskgate.services.shapes import CallView, QueueFilter
from riskgate.storage.models import Agent, Call, Membership, Outbox, Team
from tests.people import (
    CRITICAL,
    HIGH,
    MEDIUM,
    World,
    answer,
    approve,
    start,
    submit,
    utcnow,
    wait_out,
    wrong_answers,
)

ADMINS = ["alice@example.com", "grace@example.com"]


@pytest.fixture
def post(settings: Any, mailoutbox: list[Any]) -> list[Any]:
    """What was mailed."""
    settings.EMAIL_CONFIGURED = True
    return mailoutbox


def deliver(post: list[Any]) -> list[tuple[str, str]]:
    """Who gets mail now, and under which subject."""
    post.clear()
    housekeeping.drain_outbox(now=utcnow())
    return sorted((mail.to[0], mail.subject) for mail in post)


def fail(world: World, who: str, call: CallView) -> None:
    attempt = start(world.members[who], call)
    wait_out(attempt)
    wrong = [
        "It changes something in some place, " * 5 if question["kind"] == "prose" else wrong
        for question, wrong in zip(attempt.questions, wrong_answers(attempt), strict=True)
    ]
    assert not answer(world.members[who], call, attempt, wrong).passed


def only(world: World, *names: str) -> None:
    """Nobody else decides in the team."""
    ids = [world.members[name].user_id for name in names]
    Membership.objects.filter(team_id=world.alice.team_id).exclude(user_id__in=ids).update(role="viewer")


def stuck(world: World, call: CallView) -> str:
    page = queries.queue(member=world.erin, filter=QueueFilter(), cursor=None, now=utcnow())
    return next(row.stuck for row in page.rows if row.id == call.id)


def test_a_call_that_too_few_can_approve_is_told_to_the_admins_as_it_comes(
    world: World, post: list[Any]
) -> None:
    only(world, "alice")
    call = submit(world, CRITICAL)
    assert deliver(post) == [
        ("alice@example.com", "[riskgate] CRITICAL: nobody can approve what support-copilot asks for")
    ]
    assert "it needs 2 people, and 1 may" in post[0].body
    assert f"/review/{call.id}" in post[0].body
    assert "ledger" not in post[0].body


def test_it_is_told_when_the_last_person_runs_out_of_attempts_and_only_then(world: World) -> None:
    call = submit(world, HIGH)
    for who in ("alice", "grace", "bob", "carol"):
        assert stuck(world, call) == ""
        fail(world, who, call)
        fail(world, who, call)
        assert Outbox.objects.filter(topic="action.stuck").count() == (who == "carol")
    assert stuck(world, call)


def test_what_was_stuck_before_is_not_told_again(world: World) -> None:
    only(world, "alice", "bob")
    call = submit(world, CRITICAL)
    for _ in range(2):
        fail(world, "bob", call)
    assert Outbox.objects.filter(topic="action.stuck").count() == 1
    for _ in range(2):
        fail(world, "alice", call)
    assert Outbox.objects.filter(topic="action.stuck").count() == 1


def test_the_admins_are_told_and_nobody_else(world: World, post: list[Any]) -> None:
    call = submit(world, HIGH)
    deliver(post)
    for who in ("alice", "grace", "bob", "carol"):
        fail(world, who, call)
        fail(world, who, call)
    subject = "[riskgate] HIGH: nobody can approve what support-copilot asks for"
    assert deliver(post) == [(address, subject) for address in ADMINS]
    assert "it needs one person, and nobody may" in post[0].body
    assert not any(name in post[0].body for name in ("Bob", "Carol", "Alice"))


def test_no_mail_says_who_did_what_at_a_pending_call(world: World, post: list[Any]) -> None:
    call = submit(world, CRITICAL)
    approve(world.bob, call)
    start(world.carol, call)
    deliver(post)
    text = "".join(mail.subject + mail.body for mail in post)
    assert not any(name in text for name in ("Bob", "Okafor", "Carol", "Weber"))
    assert len(post) == 4


def test_somebody_who_voted_is_not_missing(world: World) -> None:
    only(world, "bob", "carol")
    call = submit(world, CRITICAL)
    assert stuck(world, call) == ""
    approve(world.bob, call)
    assert stuck(world, call) == ""
    fail(world, "carol", call)
    fail(world, "carol", call)
    assert "it needs one more person, and nobody may" in stuck(world, call)


def test_an_owner_who_may_not_decide_alone_does_not_count_alone(world: World) -> None:
    only(world, "alice")
    policy = replace(BALANCED, owner_limit=Level.MEDIUM)
    policies.publish(member=world.alice, policy=policy, reason="Not by oneself.", now=utcnow())
    Agent.objects.update(owner_id=world.alice.user_id)
    high, medium = submit(world, HIGH), submit(world, MEDIUM)
    assert "it needs one person, and nobody may" in stuck(world, high)
    assert stuck(world, medium) == ""


def test_more_attempts_by_policy_are_counted_as_such(world: World) -> None:
    only(world, "alice")
    policies.publish(
        member=world.alice, policy=replace(BALANCED, attempts=3), reason="One more.", now=utcnow()
    )
    call = submit(world, HIGH)
    for missed in range(3):
        assert stuck(world, call) == "", missed
        fail(world, "alice", call)
    assert stuck(world, call)


def test_a_pause_is_no_dead_end(world: World) -> None:
    call = submit(world, HIGH)
    Team.objects.filter(id=world.alice.team_id).update(paused_at=utcnow())
    assert stuck(world, call) == ""
    row = Call.objects.select_related("agent", "team").get(id=call.id)
    assert permissions.stuck(row.team_id, [row]) == {}
