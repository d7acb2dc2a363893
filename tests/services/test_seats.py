"""Two people, each in a seat of their own, blind to each other."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.core.policy import BALANCED, Requirement, Seat
from riskgate.services import approvals, challenges, housekeeping, policies, queries, rows, transitions
from riskgate.storage.models import AuditEvent, Call, ChallengeAttempt, Membership, Vote
from tests.people import (
    HIGH,
    World,
    answer,
    approve,
    reread,
    right_answers,
    start,
    submit,
    utcnow,
    wait_out,
    wrong_answers,
)

TWO = Requirement("multi_party", (Seat("quiz", 10), Seat("confirm", 3)))


@pytest.fixture
def world(world: World) -> World:
    """HIGH takes two people in this team."""
    policy = replace(BALANCED, requirements={**BALANCED.requirements, Level.HIGH: TWO})
    policies.publish(member=world.alice, policy=policy, reason="Four eyes.", now=utcnow())
    return world


def seats(world: World, name: str, call) -> list[str]:  # type: ignore[no-untyped-def]
    review = queries.review(member=world.members[name], call_id=call.id, now=utcnow())
    return [seat.state for seat in review.seats]


def test_two_people_approve_and_one_alone_does_not(world: World) -> None:
    call = submit(world, HIGH)
    assert approve(world.bob, call).status is Status.PENDING
    assert reread(world, call).approvals == 1
    with pytest.raises(rows.NotAllowed, match="approved this already"):
        start(world.bob, call)
    assert approve(world.carol, call).status is Status.APPROVED
    assert sorted(Vote.objects.values_list("seat", flat=True)) == [1, 2]
    review = queries.review(member=world.dave, call_id=call.id, now=utcnow())
    assert review.decided_by == "Bob Okafor and Carol Weber"


def test_a_seat_is_held_for_five_minutes_and_a_third_person_learns_no_name(world: World) -> None:
    call = submit(world, HIGH)
    first = start(world.bob, call)
    assert first.lease_until is not None
    assert first.seat == 1
    assert seats(world, "bob", call) == ["you", "free"]
    assert seats(world, "carol", call) == ["taken", "free"]
    second = start(world.carol, call)
    assert (second.seat, second.kind) == (2, "confirm")
    with pytest.raises(challenges.SeatsTaken):
        start(world.grace, call)
    wait_out(first)
    answer(world.bob, call, first, right_answers(first))
    assert seats(world, "grace", call) == ["filled", "taken"]
    review = queries.review(member=world.grace, call_id=call.id, now=utcnow())
    assert "Bob" not in repr(review)
    assert "Carol" not in repr(review)


def test_a_lease_that_ended_frees_the_seat_and_the_late_one_starts_again(world: World) -> None:
    call = submit(world, HIGH)
    first = start(world.bob, call)
    ChallengeAttempt.objects.update(lease_until=utcnow() - timedelta(seconds=1))
    taken = start(world.carol, call)
    assert taken.seat == 1
    wait_out(first)
    with pytest.raises(challenges.SeatsTaken):
        answer(world.bob, call, first, right_answers(first))
    again = start(world.bob, call)
    assert again.seat == 2
    assert approvals_left(world, call) == 2, "losing a seat is no failed attempt"


def approvals_left(world: World, call) -> int:  # type: ignore[no-untyped-def]
    return queries.review(member=world.bob, call_id=call.id, now=utcnow()).attempts_left


def test_leaving_frees_the_seat_and_brings_no_kinder_paper(world: World) -> None:
    call = submit(world, HIGH)
    first = start(world.bob, call)
    challenges.leave(member=world.bob, call_id=call.id, now=utcnow())
    assert seats(world, "carol", call) == ["free", "free"]
    again = start(world.bob, call)
    assert again.id != first.id
    assert again.questions == first.questions
    assert again.number == 1, "leaving is no failure"


def test_a_failed_challenge_frees_the_seat(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    answer(world.bob, call, attempt, wrong_answers(attempt))
    assert seats(world, "carol", call) == ["free", "free"]


def test_one_deny_ends_it_voters_included(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    approvals.deny(member=world.bob, call_id=call.id)
    assert reread(world, call).status is Status.DENIED


def test_a_policy_published_later_never_touches_calls_already_submitted(world: World) -> None:
    call = submit(world, HIGH)
    policies.publish(member=world.alice, policy=BALANCED, reason="One is enough.", now=utcnow())
    assert approve(world.bob, call).status is Status.PENDING
    later = submit(world, HIGH, session="run-2")
    assert (later.policy_version, later.requirement.kind) == (3, "quiz")


@pytest.mark.parametrize("name", ["bob", "dave", "erin"])
def test_only_an_admin_publishes(world: World, name: str) -> None:
    with pytest.raises(rows.NotAllowed):
        policies.publish(member=world.members[name], policy=BALANCED, reason="me", now=utcnow())


def lease_of(world: World, name: str, call) -> timedelta:  # type: ignore[no-untyped-def]
    """For how long this person's seat is still held."""
    attempt = queries.review(member=world.members[name], call_id=call.id, now=utcnow()).attempt
    assert attempt is not None
    assert attempt.lease_until is not None
    return attempt.lease_until - utcnow()


def shorten(attempt, seconds: float) -> None:  # type: ignore[no-untyped-def]
    """So much is left of the lease; below nought it has ended."""
    ChallengeAttempt.objects.filter(id=attempt.id).update(lease_until=utcnow() + timedelta(seconds=seconds))


def test_who_is_still_answering_keeps_the_seat(world: World) -> None:
    call = submit(world, HIGH)
    shorten(start(world.bob, call), 20)
    challenges.renew(member=world.bob, call_id=call.id, now=utcnow())
    assert lease_of(world, "bob", call) > timedelta(minutes=4)
    assert not AuditEvent.objects.filter(kind__contains="renew").exists()


def test_a_seat_is_never_held_longer_than_the_call_can_be_decided(world: World) -> None:
    call = submit(world, HIGH, decide_within=90)
    start(world.bob, call)
    assert lease_of(world, "bob", call) <= timedelta(seconds=90)
    challenges.renew(member=world.bob, call_id=call.id, now=utcnow())
    assert lease_of(world, "bob", call) <= timedelta(seconds=90)


def test_a_lease_that_ended_is_taken_up_again_where_nobody_took_the_seat(world: World) -> None:
    call = submit(world, HIGH)
    shorten(start(world.bob, call), -1)
    assert seats(world, "carol", call) == ["free", "free"]
    challenges.renew(member=world.bob, call_id=call.id, now=utcnow())
    assert seats(world, "carol", call) == ["taken", "free"]


def test_a_lease_does_not_rise_again_over_somebody_elses_seat(world: World) -> None:
    call = submit(world, HIGH)
    shorten(start(world.bob, call), -1)
    start(world.carol, call)
    with pytest.raises(challenges.SeatsTaken, match="somebody else took it"):
        challenges.renew(member=world.bob, call_id=call.id, now=utcnow())
    assert seats(world, "carol", call) == ["you", "free"]
    assert seats(world, "bob", call) == ["taken", "free"]
    review = queries.review(member=world.bob, call_id=call.id, now=utcnow())
    assert review.attempt is None, "his questions belong to a seat that is not his any more"


def test_a_seat_that_was_filled_meanwhile_is_not_renewed(world: World) -> None:
    call = submit(world, HIGH)
    shorten(start(world.bob, call), -1)
    approve(world.carol, call)
    with pytest.raises(challenges.SeatsTaken):
        challenges.renew(member=world.bob, call_id=call.id, now=utcnow())


def test_nobody_renews_anothers_seat_or_one_that_was_left(world: World) -> None:
    call = submit(world, HIGH)
    shorten(start(world.bob, call), 20)
    with pytest.raises(challenges.AttemptClosed):
        challenges.renew(member=world.carol, call_id=call.id, now=utcnow())
    assert lease_of(world, "bob", call) < timedelta(seconds=21)
    challenges.leave(member=world.bob, call_id=call.id, now=utcnow())
    with pytest.raises(challenges.AttemptClosed):
        challenges.renew(member=world.bob, call_id=call.id, now=utcnow())


def test_who_may_no_longer_decide_does_not_keep_a_seat(world: World) -> None:
    call = submit(world, HIGH)
    start(world.bob, call)
    Membership.objects.filter(user_id=world.bob.user_id).update(role="viewer")
    with pytest.raises(rows.NotAllowed):
        challenges.renew(member=world.bob, call_id=call.id, now=utcnow())


def test_nothing_is_renewed_after_the_decision_or_its_time(world: World) -> None:
    denied, expired = submit(world, HIGH), submit(world, HIGH)
    for call in (denied, expired):
        start(world.bob, call)
    approvals.deny(member=world.carol, call_id=denied.id)
    with pytest.raises(transitions.WrongState):
        challenges.renew(member=world.bob, call_id=denied.id, now=utcnow())
    Call.objects.filter(id=expired.id).update(decide_by=utcnow() - timedelta(seconds=1))
    with pytest.raises(transitions.Expired):
        challenges.renew(member=world.bob, call_id=expired.id, now=utcnow())


def test_that_a_lease_ended_is_told_once_and_the_late_answer_still_counts(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    assert housekeeping.free_seats(now=utcnow()) == 0
    shorten(attempt, -1)
    with CaptureQueriesContext(connection) as done:
        assert housekeeping.free_seats(now=utcnow()) == 1
    assert sum("pg_notify" in query["sql"] for query in done) == 1
    assert housekeeping.free_seats(now=utcnow()) == 0
    assert seats(world, "carol", call) == ["free", "free"]
    wait_out(attempt)
    assert answer(world.bob, call, attempt, right_answers(attempt)).passed


def test_the_vote_of_somebody_who_may_no_longer_decide_does_not_count(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    Membership.objects.filter(user_id=world.bob.user_id).update(role="viewer")
    assert approve(world.carol, call).status is Status.PENDING
    assert reread(world, call).approvals == 1
    review = queries.review(member=world.grace, call_id=call.id, now=utcnow())
    assert "may no longer decide here" in review.stuck
