"""A session as people read it: in order, in parts, and blind where votes are."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from riskgate.core.levels import Level
from riskgate.core.policy import BALANCED
from riskgate.services import approvals, cursors, housekeeping, policies, queries, rows, sessions
from riskgate.services.shapes import CallView, Member, RunPage
from riskgate.storage.models import Call, Session
from tests.people import CRITICAL, HIGH, LOW, MEDIUM, World, approve, submit, utcnow


def run(world: World, by: Member | None = None, *, name: str = "run-1", **how: object) -> RunPage:
    session_id = Session.objects.get(name=name).id
    return queries.run(
        member=by or world.erin, session_id=session_id, **{"cursor": None, "now": utcnow(), **how}
    )  # type: ignore[arg-type]


def test_a_run_is_told_in_its_order_with_all_levels_counted(world: World) -> None:
    calls = [submit(world, fields) for fields in (LOW, HIGH, LOW, MEDIUM)]
    submit(world, LOW, session="run-2")
    found = run(world)
    assert [line.id for line in found.calls] == [call.id for call in calls]
    assert (found.first, found.total, found.earlier_cursor) == (1, 4, None)
    assert dict(found.by_level) == {Level.LOW: 2, Level.MEDIUM: 1, Level.HIGH: 1, Level.CRITICAL: 0}
    assert (found.agent_name, found.environment, found.owner_name) == (
        "support-copilot", "production", "Alice Lindqvist",
    )  # fmt: skip
    assert found.thresholds == BALANCED.thresholds
    assert found.closed_at is None


def test_a_long_run_is_told_in_parts_from_its_end(world: World) -> None:
    calls = [submit(world, {**LOW, "args": [number]}) for number in range(8)]
    parts: list[tuple[int, list[UUID]]] = []
    cursor = None
    while True:
        found = run(world, cursor=cursor, limit=3)
        assert found.total == 8
        parts.append((found.first, [line.id for line in found.calls]))
        cursor = found.earlier_cursor
        if cursor is None:
            break
    assert [first for first, _ in parts] == [6, 3, 1]
    assert [each for _, part in reversed(parts) for each in part] == [call.id for call in calls]


@pytest.mark.parametrize("cursor", ["nonsense", "W10", "WyIyMDI2IiwgIngiXQ"])
def test_a_forged_page_link_is_refused_in_words(world: World, cursor: str) -> None:
    submit(world, LOW)
    with pytest.raises(cursors.CursorInvalid):
        run(world, cursor=cursor)


def test_in_another_team_there_is_no_such_session(world: World) -> None:
    submit(world, LOW)
    with pytest.raises(rows.NotFound):
        run(world, world.eve)
    with pytest.raises(rows.NotFound):
        queries.run(member=world.bob, session_id=uuid4(), cursor=None, now=utcnow())


def test_a_session_without_calls_is_told_too(world: World) -> None:
    view = sessions.create(principal=world.agent, name="empty", idempotency=None, now=utcnow())
    sessions.close(principal=world.agent, session_id=view.id, now=utcnow())
    found = run(world, name="empty")
    assert (found.calls, found.total, found.first) == ((), 0, 1)
    assert found.closed_at is not None


def test_thresholds_that_moved_in_between_are_not_told(world: World) -> None:
    submit(world, LOW)
    low, high, critical = BALANCED.thresholds
    moved = replace(BALANCED, thresholds=(low, high, critical - 10_000))
    policies.publish(member=world.alice, policy=moved, reason="A little stricter.", now=utcnow())
    submit(world, LOW)
    assert run(world).thresholds == ()
    assert run(world, limit=1).thresholds == moved.thresholds


def of(found: RunPage, call: CallView) -> tuple[str, str]:
    line = next(line for line in found.calls if line.id == call.id)
    return line.approved_by, line.ended_by


def test_who_decided_is_told_once_it_is_decided(world: World) -> None:
    nobody, approved, denied, revoked = (submit(world, each) for each in (LOW, HIGH, HIGH, MEDIUM))
    approve(world.bob, approved)
    approvals.deny(member=world.carol, call_id=denied.id)
    approve(world.carol, revoked)
    approvals.revoke(member=world.bob, call_id=revoked.id)
    found = run(world)
    assert of(found, nobody) == ("", "")
    assert of(found, approved) == ("Bob Okafor", "")
    assert of(found, denied) == ("", "Carol Weber")
    assert of(found, revoked) == ("Carol Weber", "Bob Okafor")


def test_a_vote_at_a_pending_call_has_no_name_even_for_admins(world: World) -> None:
    call = submit(world, CRITICAL)
    approve(world.bob, call)
    for reader in ("alice", "carol", "dave", "bob"):
        found = run(world, world.members[reader])
        assert of(found, call) == ("", "")
        assert found.calls[0].approvals == 1
    approve(world.carol, call)
    assert of(run(world), call) == ("Bob Okafor and Carol Weber", "")


def test_what_the_clock_has_passed_reads_so_before_the_sweep_and_after(world: World) -> None:
    undecided, unclaimed = submit(world, HIGH), submit(world, MEDIUM)
    approve(world.bob, unclaimed)
    now = max(call.decide_by for call in Call.objects.exclude(decide_by=None) if call.decide_by)
    before = run(world, now=now)
    assert [line.status for line in before.calls] == ["expired", "expired"]
    assert [line.reason_code for line in before.calls] == ["expired_undecided", "expired_unclaimed"]
    housekeeping.expire(now=now)
    assert [line.reason_code for line in run(world, now=now).calls] == [
        line.reason_code for line in before.calls
    ]
    assert of(before, undecided) == ("", "")
    assert of(before, unclaimed) == ("Bob Okafor", "")


def test_a_secret_stays_masked(world: World) -> None:
    submit(world, {**HIGH, "kwargs": {"api_token": "tok-9f8e7d6c5b4a"}})
    (line,) = run(world).calls
    assert "tok-9f8e" not in line.signature
    assert "••••" in line.signature


def test_a_run_takes_as_many_queries_however_long_it_is(
    world: World, django_assert_num_queries: Callable[..., object]
) -> None:
    approve(world.bob, submit(world, HIGH))
    critical = submit(world, CRITICAL)
    approve(world.bob, critical)
    approve(world.carol, critical)
    with django_assert_num_queries(7):  # type: ignore[attr-defined]
        run(world)
    for number in range(20):
        approve(world.bob, submit(world, {**HIGH, "args": [number]}))
    with django_assert_num_queries(7):  # type: ignore[attr-defined]
        run(world)
