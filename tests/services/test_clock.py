"""Time passes: what nobody decides, claims or reports."""

from datetime import datetime, timedelta

import pytest

from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.services import housekeeping, queries, transitions
from riskgate.storage.models import Call, Grant, Outbox
from tests.people import HIGH, LOW, World, approve, claim, report, reread, submit, utcnow


def later(call_id: object, column: str) -> datetime:
    """Moves a time limit into the past."""
    moment = utcnow() - timedelta(seconds=1)
    Call.objects.filter(id=call_id).update(**{column: moment})
    return moment


def test_reading_shows_expired_and_moves_nothing(world: World) -> None:
    call = submit(world, HIGH)
    later(call.id, "decide_by")
    seen = reread(world, call)
    assert (seen.status, seen.reason_code, seen.terminal) == (
        Status.EXPIRED,
        ReasonCode.EXPIRED_UNDECIDED,
        True,
    )
    assert Call.objects.get(id=call.id).status == "pending"
    assert queries.calls(principal=world.agent, now=utcnow(), status=Status.EXPIRED).calls[0].id == call.id
    assert queries.calls(principal=world.agent, now=utcnow(), status=Status.PENDING).calls == ()


def test_the_sweeper_moves_each_kind_of_overdue_row_once(world: World) -> None:
    undecided, unclaimed, unreported = submit(world, HIGH), submit(world, LOW), submit(world, LOW)
    claim(world, unreported)
    fresh = submit(world, HIGH)
    later(undecided.id, "decide_by")
    later(unclaimed.id, "use_by")
    later(unreported.id, "outcome_by")
    assert housekeeping.expire(now=utcnow()) == 3
    assert housekeeping.expire(now=utcnow()) == 0
    assert [reread(world, call).status for call in (undecided, unclaimed, unreported, fresh)] == [
        "expired",
        "expired",
        "unknown",
        "pending",
    ]
    assert reread(world, unclaimed).reason_code is ReasonCode.EXPIRED_UNCLAIMED


def test_an_approval_that_is_too_old_is_not_claimed(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    later(call.id, "use_by")
    with pytest.raises(transitions.Expired):
        claim(world, call)
    assert Call.objects.get(id=call.id).status == "expired"
    assert not Grant.objects.exists()


def test_a_report_after_its_time_does_not_rewrite_unknown(world: World) -> None:
    call = submit(world, LOW)
    claim(world, call)
    later(call.id, "outcome_by")
    with pytest.raises(transitions.WrongState):
        report(world, call, output=None)
    assert Call.objects.get(id=call.id).status == "unknown"
    assert reread(world, call).suggestion.startswith("Do not run it again")


def test_a_delivery_that_fails_is_tried_again_later_and_at_last_given_up(world: World) -> None:
    submit(world, HIGH)

    def refuse(row: Outbox) -> None:
        raise ConnectionRefusedError("no mail server")

    now = utcnow()
    assert housekeeping.drain_outbox(now=now, deliver=refuse) == 0
    row = Outbox.objects.get()
    assert (row.attempts, row.last_error) == (1, "no mail server")
    assert row.due_at == now + timedelta(seconds=15)
    assert housekeeping.drain_outbox(now=now) == 0, "not before it is due"
    for _ in range(housekeeping.RETRIES):
        now += timedelta(days=30)
        housekeeping.drain_outbox(now=now, deliver=refuse)
    assert Outbox.objects.get().failed_at is not None


def test_operators_are_mailed_a_link_and_no_argument(world: World, settings, mailoutbox) -> None:  # type: ignore[no-untyped-def]
    settings.EMAIL_CONFIGURED = True
    call = submit(world, HIGH)
    assert housekeeping.drain_outbox(now=utcnow()) == 1
    assert sorted(mail.to[0] for mail in mailoutbox) == [
        f"{name}@example.com" for name in ("alice", "bob", "carol", "grace")
    ]
    assert f"/review/{call.id}" in mailoutbox[0].body
    assert "usr_123" not in mailoutbox[0].body + mailoutbox[0].subject
    assert housekeeping.drain_outbox(now=utcnow()) == 0


def test_ready_when_database_and_migrations_are_right(world: World) -> None:
    assert housekeeping.ready() == []
