"""The owner of an agent takes back what it asked, as the agent itself can."""

from datetime import timedelta

import pytest

from riskgate.core.roles import Role
from riskgate.services import approvals, gate, grants, rows, transitions, withdrawals
from riskgate.storage.models import AuditEvent, Call, Membership, Outbox
from tests.people import (
    HIGH,
    LOW,
    World,
    answer,
    approve,
    claim,
    reread,
    right_answers,
    start,
    submit,
    utcnow,
    wait_out,
)


def test_alice_who_owns_the_agent_withdraws_what_waits(world: World) -> None:
    call = submit(world, HIGH)
    withdrawals.withdraw(member=world.alice, call_id=call.id)
    seen = reread(world, call)
    assert (seen.status, seen.reason_code, seen.next) == ("cancelled", "cancelled", "stop")
    event = AuditEvent.objects.get(kind="action.cancelled")
    assert (event.actor_kind, event.actor_name, event.call_id) == ("user", "Alice Lindqvist", call.id)
    assert Outbox.objects.filter(topic="action.cancelled").count() == 1


def test_the_agent_is_told_no_name(world: World) -> None:
    call = submit(world, HIGH)
    withdrawals.withdraw(member=world.alice, call_id=call.id)
    assert reread(world, call).decision_message == "Withdrawn."


@pytest.mark.parametrize("fields", [LOW, HIGH])
def test_what_is_approved_and_not_claimed_can_be_withdrawn_and_no_longer_claimed(
    world: World, fields: dict[str, object]
) -> None:
    call = submit(world, fields)
    if fields is HIGH:
        approve(world.bob, call)
    withdrawals.withdraw(member=world.alice, call_id=call.id)
    with pytest.raises(transitions.WrongState):
        claim(world, call)


def test_after_the_claim_it_is_too_late(world: World) -> None:
    call = submit(world, LOW)
    claim(world, call)
    with pytest.raises(transitions.WrongState, match="only before it is claimed"):
        withdrawals.withdraw(member=world.alice, call_id=call.id)
    assert reread(world, call).status == "executing"


def test_what_is_decided_stays_decided(world: World) -> None:
    call = submit(world, HIGH)
    approvals.deny(member=world.bob, call_id=call.id)
    with pytest.raises(transitions.WrongState):
        withdrawals.withdraw(member=world.alice, call_id=call.id)
    assert reread(world, call).status == "denied"


@pytest.mark.parametrize("who", ["grace", "bob", "dave", "erin"])
def test_nobody_else_withdraws_it_not_even_another_admin(world: World, who: str) -> None:
    call = submit(world, HIGH)
    with pytest.raises(rows.NotAllowed):
        withdrawals.withdraw(member=world.members[who], call_id=call.id)
    assert reread(world, call).status == "pending"


def test_in_another_team_there_is_no_such_action(world: World) -> None:
    with pytest.raises(rows.NotFound):
        withdrawals.withdraw(member=world.eve, call_id=submit(world, HIGH).id)


def test_an_owner_who_only_looks_by_now_still_owns_it(world: World) -> None:
    call = submit(world, HIGH)
    Membership.objects.filter(user_id=world.alice.user_id).update(role=Role.VIEWER)
    withdrawals.withdraw(member=world.alice, call_id=call.id)
    assert reread(world, call).status == "cancelled"


def test_an_owner_who_left_the_team_does_not(world: World) -> None:
    call = submit(world, HIGH)
    Membership.objects.filter(user_id=world.alice.user_id).delete()
    with pytest.raises(rows.NotAllowed):
        withdrawals.withdraw(member=world.alice, call_id=call.id)
    assert reread(world, call).status == "pending"


def test_the_clock_comes_first(world: World) -> None:
    call = submit(world, HIGH)
    Call.objects.filter(id=call.id).update(decide_by=utcnow() - timedelta(seconds=1))
    with pytest.raises(transitions.Expired):
        withdrawals.withdraw(member=world.alice, call_id=call.id)
    assert Call.objects.get(id=call.id).status == "expired"


def test_an_open_challenge_of_it_comes_too_late(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    withdrawals.withdraw(member=world.alice, call_id=call.id)
    with pytest.raises(transitions.WrongState):
        answer(world.bob, call, attempt, right_answers(attempt))
    assert reread(world, call).status == "cancelled"


def test_the_agents_own_way_is_as_it_was(world: World) -> None:
    call = submit(world, HIGH)
    gate.cancel(principal=world.agent, call_id=call.id, idempotency=None, now=utcnow())
    assert AuditEvent.objects.get(kind="action.cancelled").actor_kind == "agent"
    with pytest.raises(transitions.WrongState):
        grants.claim(
            principal=world.agent,
            call_id=call.id,
            action_digest=call.action_digest,
            idempotency=None,
            now=utcnow(),
        )
