"""Who may decide, what counts as an approval, and everything that must not."""

from datetime import timedelta

import pytest

from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.services import agents, approvals, challenges, history, queries, rows, transitions
from riskgate.services.shapes import QueueFilter
from riskgate.storage.models import Agent, AuditEvent, Call, ChallengeAttempt, Membership, Team, User, Vote
from tests.people import (
    CRITICAL,
    HIGH,
    IN_OWN_WORDS,
    MEDIUM,
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


@pytest.mark.parametrize("name", ["dave", "erin"])
def test_an_auditor_and_a_viewer_look_and_do_not_decide(world: World, name: str) -> None:
    call = submit(world, HIGH)
    person = world.members[name]
    review = queries.review(member=person, call_id=call.id, now=utcnow())
    assert (review.may.deny, review.may.approve) == (False, False)
    assert "operators and admins decide" in review.may.reason
    with pytest.raises(rows.NotAllowed):
        start(person, call)
    with pytest.raises(rows.NotAllowed):
        approvals.deny(member=person, call_id=call.id)
    with pytest.raises(rows.NotAllowed):
        approvals.send_back(member=person, call_id=call.id, reason="no")
    assert reread(world, call).status is Status.PENDING


def test_eve_of_another_team_does_not_even_learn_that_it_exists(world: World) -> None:
    call = submit(world, HIGH)
    with pytest.raises(rows.NotFound):
        queries.review(member=world.eve, call_id=call.id, now=utcnow())
    with pytest.raises(rows.NotFound):
        approvals.open(member=world.eve, call_id=call.id, now=utcnow())
    with pytest.raises(rows.NotFound):
        start(world.eve, call)
    with pytest.raises(rows.NotFound):
        approvals.deny(member=world.eve, call_id=call.id)
    with pytest.raises(rows.NotFound):
        agents.make_key(member=world.eve, agent_id=world.agent.agent_id, now=utcnow())
    assert queries.queue(member=world.eve, filter=QueueFilter(), cursor=None, now=utcnow()).rows == ()
    assert not AuditEvent.objects.filter(call_id=call.id, actor_id=world.eve.user_id).exists()


def test_a_demoted_operator_cannot_finish_the_quiz_that_is_open(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    Membership.objects.filter(user_id=world.bob.user_id).update(role="viewer")
    with pytest.raises(rows.NotAllowed):
        answer(world.bob, call, attempt, right_answers(attempt))
    assert not Vote.objects.exists()


def test_a_deactivated_account_decides_nothing(world: World) -> None:
    call = submit(world, HIGH)
    User.objects.filter(id=world.bob.user_id).update(is_active=False)
    with pytest.raises(rows.NotAllowed):
        approvals.deny(member=world.bob, call_id=call.id)


def test_answers_before_the_review_time_are_refused_and_cost_nothing(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    with pytest.raises(approvals.TooEarly) as early:
        answer(world.bob, call, attempt, right_answers(attempt))
    assert 9 <= early.value.details["seconds"] <= 10
    assert ChallengeAttempt.objects.get().answered_at is None
    wait_out(attempt)
    assert answer(world.bob, call, attempt, right_answers(attempt)).passed


def test_asking_again_before_answering_gives_the_same_paper(world: World) -> None:
    call = submit(world, HIGH)
    assert start(world.bob, call) == start(world.bob, call)


def test_after_two_failures_bob_is_out_and_can_still_deny(world: World) -> None:
    call = submit(world, HIGH)
    papers = []
    for _ in range(2):
        attempt = start(world.bob, call)
        papers.append(attempt.questions)
        wait_out(attempt)
        result = answer(world.bob, call, attempt, wrong_answers(attempt))
    assert result.attempts_left == 0
    assert papers[0] != papers[1], "the questions are new"
    with pytest.raises(rows.NotAllowed, match="used your 2 attempts"):
        start(world.bob, call)
    assert approve(world.carol, call).passed, "somebody else may"
    other = submit(world, HIGH)
    for _ in range(2):
        attempt = start(world.bob, other)
        wait_out(attempt)
        answer(world.bob, other, attempt, wrong_answers(attempt))
    approvals.deny(member=world.bob, call_id=other.id)
    assert reread(world, other).status is Status.DENIED


def test_a_paper_is_answered_once_and_by_its_own_person(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    with pytest.raises(challenges.AttemptClosed):
        answer(world.carol, call, attempt, right_answers(attempt))
    answer(world.bob, call, attempt, wrong_answers(attempt))
    with pytest.raises(challenges.AttemptClosed):
        answer(world.bob, call, attempt, right_answers(attempt))
    assert reread(world, call).status is Status.PENDING


def test_a_paper_of_one_action_does_not_approve_another(world: World) -> None:
    harmless, dangerous = submit(world, MEDIUM), submit(world, HIGH)
    attempt = start(world.bob, harmless)
    wait_out(attempt)
    with pytest.raises(challenges.AttemptClosed):
        answer(world.bob, dangerous, attempt, [])
    assert reread(world, dangerous).status is Status.PENDING


def test_approving_binds_to_what_was_shown(world: World) -> None:
    call = submit(world, HIGH)
    with pytest.raises(challenges.Changed):
        challenges.issue(member=world.bob, call_id=call.id, action_digest="sha256:" + "0" * 64, now=utcnow())
    attempt = start(world.bob, call)
    wait_out(attempt)
    with pytest.raises(challenges.Changed):
        approvals.answer(
            member=world.bob,
            call_id=call.id,
            attempt_id=attempt.id,
            action_digest="sha256:" + "0" * 64,
            answers=right_answers(attempt),
        )
    assert reread(world, call).status is Status.PENDING


def test_nothing_is_approved_while_the_agent_or_the_team_is_paused(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    Agent.objects.update(paused_at=utcnow())
    with pytest.raises(rows.NotAllowed, match="paused"):
        answer(world.bob, call, attempt, right_answers(attempt))
    Agent.objects.update(paused_at=None)
    Team.objects.update(paused_at=utcnow())
    with pytest.raises(rows.NotAllowed, match="paused"):
        answer(world.bob, call, attempt, right_answers(attempt))
    approvals.deny(member=world.bob, call_id=call.id)


def test_a_critical_action_takes_a_teach_back_of_one_person_and_a_quiz_of_another(world: World) -> None:
    call = submit(world, CRITICAL)
    assert (call.level, call.requirement.kind) == (Level.CRITICAL, "multi_party")
    first = start(world.bob, call)
    assert (first.kind, [question["kind"] for question in first.questions][-1]) == ("teach_back", "typed")
    wait_out(first)
    assert answer(world.bob, call, first, right_answers(first)).status is Status.PENDING
    with pytest.raises(rows.NotAllowed, match="approved this already"):
        start(world.bob, call)
    second = start(world.alice, call)
    assert second.kind == "quiz"
    wait_out(second)
    assert answer(world.alice, call, second, right_answers(second)).status is Status.APPROVED


def test_a_teach_back_that_is_too_short_is_sent_back_to_its_writer_and_costs_nothing(world: World) -> None:
    call = submit(world, CRITICAL)
    attempt = start(world.bob, call)
    wait_out(attempt)
    for text in ("nobody reads it any more", ""):
        with pytest.raises(approvals.Incomplete):
            answer(
                world.bob, call, attempt, [text if a == IN_OWN_WORDS else a for a in right_answers(attempt)]
            )
    with pytest.raises(approvals.Incomplete, match="Answer every question"):
        answer(world.bob, call, attempt, right_answers(attempt)[:-1])
    assert ChallengeAttempt.objects.get().answered_at is None
    assert answer(world.bob, call, attempt, right_answers(attempt)).passed


def test_a_lazy_teach_back_fails_and_says_what_to_do_without_the_answer(world: World) -> None:
    call = submit(world, CRITICAL)
    attempt = start(world.bob, call)
    wait_out(attempt)
    lazy = "I have looked at this carefully and in my opinion it is completely fine, so please go on"
    result = answer(
        world.bob, call, attempt, [lazy if a == IN_OWN_WORDS else a for a in right_answers(attempt)]
    )
    assert not result.passed
    assert result.why
    assert "ledger_entries" not in result.why


def test_the_words_of_the_agents_reason_are_not_ones_own(world: World) -> None:
    reason = (
        "it deletes the table ledger_entries and all its rows for ever because nobody needs them any more"
    )
    call = submit(world, {**CRITICAL, "reason": reason})
    attempt = start(world.bob, call)
    wait_out(attempt)
    copied = [reason if a == IN_OWN_WORDS else a for a in right_answers(attempt)]
    assert not answer(world.bob, call, attempt, copied).passed


def test_an_answer_after_decide_by_expires_the_call_instead_of_approving_it(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    Call.objects.filter(id=call.id).update(decide_by=utcnow() - timedelta(seconds=1))
    with pytest.raises(transitions.Expired):
        answer(world.bob, call, attempt, right_answers(attempt))
    row = Call.objects.get(id=call.id)
    assert (row.status, row.reason_code) == ("expired", "expired_undecided"), "the refusal keeps the expiry"
    assert not Vote.objects.exists()


def test_what_others_do_at_a_pending_call_is_visible_to_nobody_else(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    answer(world.bob, call, attempt, wrong_answers(attempt))

    def kinds(member):  # type: ignore[no-untyped-def]
        timeline = queries.review(member=member, call_id=call.id, now=utcnow()).timeline
        listed = history.page(member=member, cursor=None, now=utcnow()).events
        return {event.kind.value for event in (*timeline, *listed) if event.call_id == call.id}

    assert kinds(world.carol) == kinds(world.dave) == {"action.submitted", "action.scored"}
    assert {"action.opened", "challenge.issued", "challenge.failed"} <= kinds(world.bob)
    approvals.deny(member=world.carol, call_id=call.id)
    assert "challenge.failed" in kinds(world.dave), "once it is decided, the history is whole"


def test_the_queue_says_when_somebody_else_is_reviewing_and_not_who(world: World) -> None:
    call = submit(world, HIGH)
    start(world.bob, call)
    page = queries.queue(member=world.carol, filter=QueueFilter(), cursor=None, now=utcnow())
    assert page.rows[0].reviewing_until
    assert page.rows[0].unread
    own = queries.queue(member=world.bob, filter=QueueFilter(), cursor=None, now=utcnow())
    assert not own.rows[0].reviewing_until
    assert not own.rows[0].unread


def test_a_call_that_nobody_can_approve_any_more_says_so(world: World) -> None:
    call = submit(world, HIGH)
    for person in (world.alice, world.grace, world.bob, world.carol):
        for _ in range(2):
            attempt = start(person, call)
            wait_out(attempt)
            answer(person, call, attempt, wrong_answers(attempt))
    page = queries.queue(member=world.dave, filter=QueueFilter(), cursor=None, now=utcnow())
    assert page.rows[0].stuck.startswith("Nobody in the team can approve this")


def test_an_approval_is_taken_back_before_it_is_claimed(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    with pytest.raises(rows.NotAllowed):
        approvals.revoke(member=world.erin, call_id=call.id)
    approvals.revoke(member=world.carol, call_id=call.id, reason="Not today.")
    assert reread(world, call).status is Status.REVOKED
