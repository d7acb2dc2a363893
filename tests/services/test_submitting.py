"""What the server adds to a submission: numbers, memory, time limits, and one answer for one key."""

import hashlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction

from riskgate.core.digest import action_digest
from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.services import approvals, gate, history, idempotency, intake, queries, sessions
from riskgate.services.shapes import Idempotency, Submission
from riskgate.storage.models import AuditEvent, Call, FunctionCount
from tests.people import CRITICAL, HIGH, LOW, MEDIUM, World, make_world, reread, submit, utcnow


def key(text: str, body: bytes = b"{}") -> Idempotency:
    return Idempotency("/api/v1/actions", text, hashlib.sha256(body).digest())


def test_novelty_falls_within_a_session_and_starts_again_in_the_next(world: World) -> None:
    novelty = [submit(world, LOW).factors[4].score for _ in range(3)]
    assert novelty == [900_000, 811_111, 722_222]
    assert submit(world, LOW, session="run-2").factors[4].score == 900_000


def test_a_submission_without_a_session_gets_one_of_its_own(world: World) -> None:
    first, second = submit(world, LOW, session=None), submit(world, LOW, session=None)
    assert first.session_id != second.session_id


def test_a_closed_session_takes_nothing_more(world: World) -> None:
    call = submit(world, LOW)
    sessions.close(principal=world.agent, session_id=call.session_id, now=utcnow())
    with pytest.raises(intake.SessionClosed):
        submit(world, LOW)
    assert FunctionCount.objects.get().calls == 1, "what is refused does not count"


@pytest.mark.django_db(transaction=True)
def test_a_session_that_is_made_and_closed_at_this_very_moment_takes_nothing() -> None:
    world = make_world()

    def late() -> None:
        try:
            submit(world, LOW, session="run-9")
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            made = sessions.create(principal=world.agent, name="run-9", idempotency=None, now=utcnow())
            sessions.close(principal=world.agent, session_id=made.id, now=utcnow())
            told = pool.submit(late)
            wait_for(waits_for_me)
        with pytest.raises(intake.SessionClosed):
            told.result(timeout=30)
    assert not Call.objects.exists()


def wait_for(true: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def waits_for_me() -> bool:
    """Whether somebody waits for a lock of this connection."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return cursor.fetchone() != (0,)


def test_a_refused_call_cannot_be_walked_down_by_repeating_it(world: World) -> None:
    fields = {"function_name": "get_config", "args": [{"api_key": "x"}], "docstring": "Reads it."}
    first = submit(world, fields)
    assert (first.score, first.level) == (305_000, Level.MEDIUM)
    approvals.deny(member=world.bob, call_id=first.id)
    second = submit(world, fields)
    assert (second.score, second.level) == (296_111, Level.MEDIUM)
    assert [floor.rule for floor in second.floors] == ["ratchet"]
    assert second.status is Status.PENDING


def test_what_an_agent_said_of_a_function_cannot_be_unsaid(world: World) -> None:
    said = submit(world, {"function_name": "set_flag", "args": ["production"], "docstring": "Irreversible."})
    silent = submit(world, {"function_name": "set_flag", "args": ["production"]}, session="run-2")
    assert said.level is Level.HIGH or said.level is Level.MEDIUM
    assert silent.level == said.level
    if silent.score_level < said.level:
        assert silent.floors


def test_the_agent_may_shorten_the_time_to_decide_and_never_lengthen_it(world: World) -> None:
    short, long = submit(world, HIGH, decide_within=60), submit(world, HIGH, decide_within=999_999)
    assert short.decide_by == short.created_at + timedelta(seconds=60)
    assert long.decide_by == long.created_at + timedelta(hours=1)


def test_one_key_and_body_is_one_call_answered_as_it_stands_now(world: World) -> None:
    submission = Submission(**HIGH)

    def send(body: bytes = b"{}"):  # type: ignore[no-untyped-def]
        return gate.submit(
            principal=world.agent, submission=submission, idempotency=key("k", body), now=utcnow()
        )

    first = send()
    approvals.deny(member=world.bob, call_id=first.call.id)
    again = send()
    assert (again.call.id, again.replayed, again.call.status) == (first.call.id, True, Status.DENIED)
    assert Call.objects.count() == 1
    with pytest.raises(idempotency.IdempotencyMismatch):
        send(b"other")


def test_supersedes_must_name_an_action_of_this_agent(world: World) -> None:
    foreign = gate.submit(
        principal=world.other_agent, submission=Submission(**HIGH), idempotency=None, now=utcnow()
    ).call
    with pytest.raises(gate.SupersedesUnknown):
        submit(world, HIGH, supersedes=foreign.id)


def test_the_digest_covers_what_acts_and_can_be_computed_again(world: World) -> None:
    call = submit(world, HIGH)
    again = action_digest(
        team=str(call.team_id),
        agent=str(call.agent_id),
        environment=call.environment,
        function_name=call.action.function_name,
        args=call.action.args,
        kwargs=call.action.kwargs,
        nonce=call.nonce,
    )
    assert again == call.action_digest


def test_arguments_come_back_exactly_as_they_came(world: World) -> None:
    args = [1e308, 0.1, -0.0, 2**53 - 1, 1.0, "\u202e", {"ключ": [None, True]}]
    call = submit(world, {"function_name": "set_numbers", "args": args})
    stored = reread(world, call).action.args
    assert stored == args
    assert [type(value) for value in stored] == [type(value) for value in args]


def test_secrets_by_name_are_masked_in_everything_that_is_kept_for_reading(world: World) -> None:
    call = submit(world, {**HIGH, "kwargs": {"password": "hunter2-hunter2", "env": "production"}})
    assert call.masked == {"/kwargs/password"}
    for event in AuditEvent.objects.filter(call_id=call.id):
        assert "hunter2" not in event.signature + str(event.data)
    page = history.page(member=world.dave, cursor=None, now=utcnow())
    assert not any("hunter2" in event.signature for event in page.events)


def test_agents_list_their_own_calls_by_page_and_by_filter(world: World) -> None:
    calls = [submit(world, fields) for fields in (LOW, MEDIUM, HIGH, CRITICAL)]

    def listed(**filters):  # type: ignore[no-untyped-def]
        return [call.id for call in queries.calls(principal=world.agent, now=utcnow(), **filters).calls]

    assert listed() == [call.id for call in reversed(calls)]
    assert listed(level=Level.HIGH) == [calls[2].id]
    assert listed(status=Status.APPROVED) == [calls[0].id]
    assert listed(session="run-1", function_name="delete_user") == [calls[2].id]
    first = queries.calls(principal=world.agent, now=utcnow(), limit=3)
    assert first.next_cursor is not None
    rest = queries.calls(principal=world.agent, now=utcnow(), limit=3, cursor=first.next_cursor)
    assert [call.id for call in (*first.calls, *rest.calls)] == [call.id for call in reversed(calls)]
    assert rest.next_cursor is None
    assert queries.calls(principal=world.other_agent, now=utcnow()).calls == ()
