"""One action from the agent's request to the agent's report, through the services."""

import pytest

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.services import approvals, gate, history, transitions
from riskgate.storage.models import AuditEvent, Call, FactorScore, Outbox, Vote
from tests.people import (
    HIGH,
    LOW,
    World,
    answer,
    approve,
    claim,
    report,
    reread,
    start,
    submit,
    utcnow,
    wait_out,
    wrong_answers,
)


def kinds(call_id: object) -> list[str]:
    return list(
        AuditEvent.objects.filter(call_id=call_id).order_by("at", "id").values_list("kind", flat=True)
    )


def test_a_harmless_action_is_approved_at_once_and_can_be_claimed(world: World) -> None:
    call = submit(world, LOW)
    assert (call.level, call.status, call.reason_code) == (
        Level.LOW,
        Status.APPROVED,
        ReasonCode.AUTO_APPROVED,
    )
    assert call.next == "claim"
    assert kinds(call.id) == ["action.submitted", "action.scored", "action.approved"]
    assert not Outbox.objects.exists(), "nobody has to be told"


def test_the_worked_example_waits_for_a_quiz(world: World) -> None:
    call = submit(world, HIGH)
    assert (call.score, call.level, call.status) == (720_000, Level.HIGH, Status.PENDING)
    assert call.requirement.kind == "quiz"
    assert [factor.score for factor in call.factors] == [950_000, 700_000, 850_000, 0, 900_000]
    assert call.decide_by is not None
    assert (call.decide_by - call.created_at).total_seconds() == 3600
    row = Call.objects.get(id=call.id)
    assert [row.function_name_score, row.arguments_score, row.novelty_score] == [950_000, 700_000, 900_000]
    assert FactorScore.objects.filter(call=row).count() == 5
    assert Outbox.objects.get().topic == "action.pending"


def test_bob_fails_the_quiz_once_passes_it_and_the_agent_claims_and_reports(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    failed = answer(world.bob, call, attempt, wrong_answers(attempt))
    assert (failed.passed, failed.attempts_left, failed.status) == (False, 1, Status.PENDING)

    passed = approve(world.bob, call)
    assert (passed.passed, passed.right, passed.status) == (True, 3, Status.APPROVED)
    assert Vote.objects.get().user_id == world.bob.user_id

    grant = claim(world, call)
    assert grant.token.count(".") == 2
    done = report(world, call, output={"deleted": 1})
    assert (done.status, done.output, done.terminal) == (Status.SUCCEEDED, {"deleted": 1}, True)
    assert kinds(call.id) == [
        "action.submitted",
        "action.scored",
        "action.opened",
        "challenge.issued",
        "challenge.failed",
        "challenge.issued",
        "challenge.passed",
        "vote.cast",
        "action.approved",
        "action.claimed",
        "action.succeeded",
    ]
    seen = history.page(member=world.dave, cursor=None, now=utcnow()).events
    assert seen[0].kind is Event.SUCCEEDED


def test_carol_denies_with_one_call_and_the_agent_reads_why(world: World) -> None:
    call = submit(world, HIGH)
    approvals.deny(member=world.carol, call_id=call.id, reason="Wrong tenant.")
    denied = reread(world, call)
    assert (denied.status, denied.reason_code, denied.decision_message) == (
        Status.DENIED,
        ReasonCode.DENIED,
        "Wrong tenant.",
    )
    with pytest.raises(transitions.WrongState):
        claim(world, call)


def test_sending_back_needs_a_sentence_and_tells_the_agent_to_revise(world: World) -> None:
    call = submit(world, HIGH)
    with pytest.raises(approvals.ReasonNeeded):
        approvals.send_back(member=world.bob, call_id=call.id, reason="  ")
    approvals.send_back(member=world.bob, call_id=call.id, reason="Name the tenant.")
    returned = reread(world, call)
    assert (returned.status, returned.next) == (Status.RETURNED, "revise")
    again = submit(world, HIGH, supersedes=call.id)
    assert again.supersedes == call.id


def test_an_agent_withdraws_what_it_no_longer_needs(world: World) -> None:
    call = submit(world, HIGH)
    assert (
        gate.cancel(principal=world.agent, call_id=call.id, idempotency=None, now=utcnow()).status
        == "cancelled"
    )
