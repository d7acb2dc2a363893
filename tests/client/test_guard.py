"""A guarded function runs when people say so, with what they saw, and never otherwise."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from riskgate.client import Client, Verifier, guarded
from riskgate.client.errors import GrantInvalid, NotApproved
from riskgate.client.verify import Grant
from riskgate.services import approvals
from riskgate.storage.models import Call
from riskgate.storage.models import Grant as GrantRow
from tests import people
from tests.people import World

Ran = list[tuple[Any, ...]]


def soon(decide: Callable[[people.CallView], object], world: World) -> threading.Thread:
    """A person at another desk: decides the first pending action that appears."""

    def sit() -> None:
        try:
            for _ in range(200):
                call = Call.objects.filter(status="pending").first()
                if call is not None:
                    decide(people.reread(world, call))  # type: ignore[arg-type]
                    return
                time.sleep(0.05)
        finally:
            connection.close()

    thread = threading.Thread(target=sit)
    thread.start()
    return thread


def eraser(client: Client, ran: Ran, **settings: Any) -> Callable[..., Any]:
    @guarded(client, **settings)
    def delete_user(user_id: str, env: str) -> dict[str, int]:
        """Permanently remove a user account."""
        ran.append((user_id, env))
        return {"records": 41}

    return delete_user


def test_it_runs_when_bob_has_passed_the_quiz(world: World, client: Client) -> None:
    ran: Ran = []
    bob = soon(lambda call: people.approve(world.bob, call), world)
    try:
        assert eraser(client, ran, reason="asked to be forgotten", session="run-1")(
            "usr_123", env="production"
        ) == {"records": 41}
    finally:
        bob.join()
    call = Call.objects.get()
    assert ran == [("usr_123", "production")]
    assert (call.status, call.output) == ("succeeded", {"records": 41})
    assert (call.function_name, call.args, call.kwargs) == ("delete_user", ["usr_123"], {"env": "production"})
    assert (call.docstring, call.reason) == ("Permanently remove a user account.", "asked to be forgotten")
    assert call.session.name == "run-1"


def test_it_does_not_run_when_carol_denies(world: World, client: Client) -> None:
    ran: Ran = []
    carol = soon(
        lambda call: approvals.deny(member=world.carol, call_id=call.id, reason="Not on a Friday."), world
    )
    try:
        with pytest.raises(NotApproved, match=r"Not on a Friday\.") as refused:
            eraser(client, ran)("usr_123", env="production")
    finally:
        carol.join()
    assert refused.value.status == "denied"
    assert refused.value.suggestion
    assert ran == []


def test_it_does_not_run_when_nobody_decides_and_nothing_is_left_behind(client: Client) -> None:
    ran: Ran = []
    with pytest.raises(NotApproved):
        eraser(client, ran, wait_for=0.2)("usr_123", env="production")
    assert ran == []
    assert Call.objects.get().status == "cancelled"


def test_what_nobody_has_to_see_runs_at_once(client: Client) -> None:
    @guarded(client)
    def get_users() -> list[str]:
        """Lists the users."""
        return ["usr_1"]

    assert get_users() == ["usr_1"]
    assert Call.objects.get().status == "succeeded"


def test_a_function_that_fails_is_reported_and_fails(client: Client) -> None:
    @guarded(client)
    def get_users() -> None:
        raise KeyError("usr_9")

    with pytest.raises(KeyError, match="usr_9"):
        get_users()
    call = Call.objects.get()
    assert (call.status, call.error) == ("failed", "KeyError: 'usr_9'")


@pytest.mark.parametrize("value", [{1, 2}, {1: "one"}, b"bytes", float("inf"), object(), [{"x": {3: 4}}]])
def test_arguments_that_a_person_would_not_see_as_they_are_do_not_even_ask(
    client: Client, value: Any
) -> None:
    @guarded(client)
    def get_users(query: Any) -> None:
        raise AssertionError("it ran")

    with pytest.raises(TypeError):
        get_users(value)
    assert Call.objects.count() == 0


def test_a_tuple_runs_as_a_tuple_and_is_shown_as_a_list(client: Client) -> None:
    @guarded(client)
    def get_users(pair: tuple[int, int]) -> str:
        return type(pair).__name__

    assert get_users((1, 2)) == "tuple"
    assert Call.objects.get().args == [[1, 2]]


def test_an_answer_that_is_no_json_stays_here(client: Client) -> None:
    @guarded(client)
    def get_users() -> set[str]:
        return {"usr_1"}

    assert get_users() == {"usr_1"}
    call = Call.objects.get()
    assert (call.status, call.output) == ("succeeded", None)


def test_arguments_that_change_between_the_approval_and_the_run_do_not_run(
    world: World, client: Client
) -> None:
    ran: Ran = []
    targets = ["usr_123"]

    @guarded(client)
    def delete_users(user_ids: list[str]) -> None:
        """Permanently remove user accounts in production."""
        ran.append(tuple(user_ids))

    def approve_and_slip_one_in(call: people.CallView) -> None:
        targets.append("usr_124")
        people.approve(world.bob, call)

    bob = soon(approve_and_slip_one_in, world)
    try:
        with pytest.raises(GrantInvalid, match="digests differ"):
            delete_users(targets)
    finally:
        bob.join()
    assert ran == []
    assert Call.objects.get().status == "failed"


def test_a_grant_that_somebody_used_does_not_run_again(client: Client) -> None:
    ran: Ran = []

    class Forgetful(Verifier):
        """Somebody else with the same token was here a moment earlier."""

        def check(self, token: str, *args: Any, **kwargs: Any) -> Grant:
            super().check(token, *args, **kwargs)
            return super().check(token, *args, **kwargs)

    @guarded(client, verifier=Forgetful(client.public_keys))
    def get_users() -> None:
        ran.append(())

    with pytest.raises(GrantInvalid, match="has been used"):
        get_users()
    assert ran == []
    assert GrantRow.objects.count() == 1
