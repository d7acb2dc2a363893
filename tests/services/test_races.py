"""Two at the same moment, with real threads on real rows. Every story ends the same whoever is faster."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection, connections, transaction

from riskgate.core.errors import RiskgateError
from riskgate.services import approvals, gate, housekeeping, transitions
from riskgate.services.shapes import CallView, Idempotency, Submission
from riskgate.storage.models import AuditEvent, Call, FunctionCount, Grant, Session, Vote
from tests.people import (
    HIGH,
    LOW,
    World,
    answer,
    approve,
    claim,
    make_world,
    right_answers,
    start,
    submit,
    utcnow,
    wait_out,
)

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 12
WRITERS = 8


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_world()


def together(*functions: Callable[[], Any]) -> list[Any]:
    """Runs all at the same moment, each on a connection of its own; a refusal is an answer too."""
    barrier = Barrier(len(functions))

    def run(function: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=10)
            return function()
        except RiskgateError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(functions)) as pool:
        return list(pool.map(run, functions))


@contextmanager
def somebody_holds(call: CallView) -> Iterator[Callable[[], None]]:
    """The row is locked by another transaction until the block ends; gives a function that starts a thread."""
    threads: list[Thread] = []

    def start_thread(function: Callable[[], Any]) -> None:
        def run() -> None:
            try:
                function()
            finally:
                connections.close_all()

        threads.append(Thread(target=run))
        threads[-1].start()

    with transaction.atomic():
        Call.objects.select_for_update().get(id=call.id)
        yield start_thread  # type: ignore[misc]
        for _ in range(200):
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
                if cursor.fetchone()[0] >= len(threads):
                    break
    for thread in threads:
        thread.join()


def test_of_many_claims_one_wins(world: World) -> None:
    for _ in range(ROUNDS):
        call = submit(world, LOW, session=None)
        results = together(*[lambda call=call: claim(world, call)] * WRITERS)  # type: ignore[misc]
        assert Counter(isinstance(result, transitions.WrongState) for result in results) == {
            True: WRITERS - 1,
            False: 1,
        }
        assert Grant.objects.filter(call_id=call.id).count() == 1
        assert AuditEvent.objects.filter(call_id=call.id, kind="action.claimed").count() == 1


def test_many_posts_under_one_key_are_one_call(world: World) -> None:
    for turn in range(ROUNDS):
        key = Idempotency("/api/v1/actions", f"key-{turn}", hashlib.sha256(b"{}").digest())
        results = together(
            *[
                lambda key=key: gate.submit(  # type: ignore[misc]
                    principal=world.agent, submission=Submission(**HIGH), idempotency=key, now=utcnow()
                )
            ]
            * WRITERS
        )
        assert len({result.call.id for result in results}) == 1
        assert sum(not result.replayed for result in results) == 1
    assert Call.objects.count() == ROUNDS


def test_many_writers_of_one_session_take_as_many_numbers(world: World) -> None:
    for turn in range(ROUNDS):
        calls = together(*[lambda turn=turn: submit(world, LOW, session=f"run-{turn}")] * WRITERS)  # type: ignore[misc]
        assert sorted(call.prior_calls for call in calls) == list(range(WRITERS))
    assert Session.objects.count() == ROUNDS
    assert set(FunctionCount.objects.values_list("calls", flat=True)) == {WRITERS}


def test_two_operators_who_pass_at_once_approve_once(world: World) -> None:
    for _ in range(ROUNDS):
        call = submit(world, HIGH, session=None)
        tries = []
        for person in (world.bob, world.carol):
            attempt = start(person, call)
            wait_out(attempt)
            tries.append((person, attempt, right_answers(attempt)))
        results = together(
            *[lambda p=p, a=a, r=r, call=call: answer(p, call, a, r) for p, a, r in tries]  # type: ignore[misc]
        )
        assert sum(isinstance(result, transitions.WrongState) for result in results) == 1
        assert Call.objects.get(id=call.id).status == "approved"
        assert Vote.objects.filter(call_id=call.id).count() == 1
        assert AuditEvent.objects.filter(call_id=call.id, kind="action.approved").count() == 1


def test_approve_against_deny_leaves_one_decision(world: World) -> None:
    for _ in range(ROUNDS):
        call = submit(world, HIGH, session=None)
        attempt = start(world.bob, call)
        wait_out(attempt)
        right = right_answers(attempt)
        together(
            lambda call=call, attempt=attempt, right=right: answer(world.bob, call, attempt, right),  # type: ignore[misc]
            lambda call=call: approvals.deny(member=world.carol, call_id=call.id),  # type: ignore[misc]
        )
        status = Call.objects.get(id=call.id).status
        decided = AuditEvent.objects.filter(call_id=call.id, kind__in=("action.approved", "action.denied"))
        assert [event.kind for event in decided] == [f"action.{status}"]


def test_claim_against_revoke_leaves_one_of_the_two(world: World) -> None:
    for _ in range(ROUNDS):
        call = submit(world, HIGH, session=None)
        approve(world.bob, call)
        together(
            lambda call=call: claim(world, call),  # type: ignore[misc]
            lambda call=call: approvals.revoke(member=world.carol, call_id=call.id),  # type: ignore[misc]
        )
        status = Call.objects.get(id=call.id).status
        assert (status, Grant.objects.filter(call_id=call.id).exists()) in (
            ("executing", True),
            ("revoked", False),
        )


def test_an_approval_that_waited_for_the_row_past_decide_by_is_refused(world: World) -> None:
    call = submit(world, HIGH)
    attempt = start(world.bob, call)
    wait_out(attempt)
    right = right_answers(attempt)
    results: list[Any] = []

    def late() -> None:
        try:
            results.append(answer(world.bob, call, attempt, right))
        except RiskgateError as error:
            results.append(error)

    with somebody_holds(call) as start_thread:
        start_thread(late)  # type: ignore[call-arg]
        # The clock passes decide-by while bob's transaction, begun in time, still waits for the row.
        Call.objects.filter(id=call.id).update(decide_by=utcnow() - timedelta(milliseconds=1))
    assert [type(result) for result in results] == [transitions.Expired]
    assert Call.objects.get(id=call.id).status == "expired"


def test_the_sweeper_leaves_a_row_that_somebody_holds_for_the_next_round(world: World) -> None:
    call = submit(world, HIGH)
    Call.objects.filter(id=call.id).update(decide_by=utcnow() - timedelta(seconds=1))
    with transaction.atomic():
        Call.objects.select_for_update().get(id=call.id)
        assert together(lambda: housekeeping.expire(now=utcnow())) == [0]
    assert together(lambda: housekeeping.expire(now=utcnow())) == [1]
