"""Admins register agents, give them keys, rotate and revoke these, and pause; everybody reads the numbers."""

import base64
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import psycopg
import pytest
from django.db import connection, transaction

from riskgate.core.levels import Level
from riskgate.services import agents, approvals, cursors, queries, rows, withdrawals
from riskgate.services.shapes import KeyView, Member
from riskgate.storage.models import Agent, ApiKey, AuditEvent
from tests.people import CRITICAL, HIGH, LOW, MEDIUM, World, approve, make_world, submit, utcnow


def keys_of(world: World) -> tuple[KeyView, ...]:
    found = queries.agent(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
    return found.keys


def rotate(world: World, key: KeyView, by: Member | None = None) -> str:
    return agents.rotate_key(
        member=by or world.alice, agent_id=world.agent.agent_id, key_id=key.id, now=utcnow()
    )


def revoke(world: World, key: KeyView, by: Member | None = None) -> None:
    agents.revoke_key(member=by or world.alice, agent_id=world.agent.agent_id, key_id=key.id, now=utcnow())


def works(token: str) -> bool:
    return agents.authenticate(token=token) is not None


# ------------------------------------------------------------------ keys


def test_a_rotated_key_works_until_it_is_revoked(world: World) -> None:
    (old,) = keys_of(world)
    token = rotate(world, old)
    assert works(token)
    assert works(world.api_key)
    newer, old = keys_of(world)
    assert (old.replaced_by, old.replaced_at, newer.replaced_by) == (token[:10], newer.created_at, "")
    revoke(world, old)
    assert not works(world.api_key)
    assert works(token)
    assert [key.revoked_at is None for key in keys_of(world)] == [True, False]


def test_a_rotated_key_keeps_what_the_old_one_was_allowed(world: World) -> None:
    token = agents.make_key(
        member=world.alice, agent_id=world.agent.agent_id, scopes=("audit",), now=utcnow()
    )
    newest = keys_of(world)[0]
    assert newest.prefix == token[:10]
    principal = agents.authenticate(token=rotate(world, newest))
    assert principal is not None
    assert principal.scopes == {"audit"}


def test_a_revoked_key_is_refused_at_the_next_request_and_has_no_successor(world: World) -> None:
    (key,) = keys_of(world)
    revoke(world, key)
    assert not works(world.api_key)
    with pytest.raises(agents.KeyRevoked):
        rotate(world, key)


def test_revoking_again_changes_nothing(world: World) -> None:
    (key,) = keys_of(world)
    revoke(world, key)
    first = keys_of(world)[0].revoked_at
    revoke(world, key)
    assert keys_of(world)[0].revoked_at == first
    assert AuditEvent.objects.filter(kind="key.revoked").count() == 1


def test_a_key_has_one_successor_at_a_time(world: World) -> None:
    (old,) = keys_of(world)
    rotate(world, old)
    with pytest.raises(agents.KeyReplaced):
        rotate(world, old)
    lost = keys_of(world)[0]
    revoke(world, lost)
    assert works(rotate(world, old))


def test_no_agent_has_more_keys_than_people_can_take_in(world: World) -> None:
    for _ in range(agents.KEYS - 1):
        agents.make_key(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
    with pytest.raises(agents.TooManyKeys):
        agents.make_key(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
    with pytest.raises(agents.TooManyKeys):
        rotate(world, keys_of(world)[0])
    revoke(world, keys_of(world)[0])
    assert works(rotate(world, keys_of(world)[0]))


def test_every_key_that_works_is_shown_and_of_the_revoked_ones_the_last(world: World) -> None:
    for _ in range(12):
        agents.make_key(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
        revoke(world, keys_of(world)[0])
    found = queries.agent(member=world.erin, agent_id=world.agent.agent_id, now=utcnow())
    assert found.more_revoked
    assert [key.prefix for key in found.keys if key.revoked_at is None] == [world.api_key[:10]]
    assert len(found.keys) == 11


# ------------------------------------------------------------------ who may, and what is recorded

CHANGES: dict[str, Callable[[World, Member], object]] = {
    "register": lambda w, by: agents.register(member=by, name="x", environment="y", now=utcnow()),
    "make": lambda w, by: agents.make_key(member=by, agent_id=w.agent.agent_id, now=utcnow()),
    "rotate": lambda w, by: rotate(w, keys_of(w)[0], by),
    "revoke": lambda w, by: revoke(w, keys_of(w)[0], by),
    "pause": lambda w, by: agents.pause(member=by, agent_id=w.agent.agent_id, now=utcnow()),
    "resume": lambda w, by: agents.resume(member=by, agent_id=w.agent.agent_id, now=utcnow()),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("who", ["bob", "dave", "erin"])
def test_only_admins_manage_agents(world: World, change: str, who: str) -> None:
    before = AuditEvent.objects.count()
    with pytest.raises(rows.NotAllowed):
        CHANGES[change](world, world.members[who])
    assert AuditEvent.objects.count() == before


@pytest.mark.parametrize("change", [change for change in CHANGES if change != "register"])
def test_an_admin_of_another_team_finds_no_such_agent(world: World, change: str) -> None:
    with pytest.raises(rows.NotFound):
        CHANGES[change](world, world.eve)


def test_a_key_is_found_only_at_its_own_agent(world: World) -> None:
    other = agents.register(member=world.alice, name="second-bot", environment="staging", now=utcnow())
    (key,) = keys_of(world)
    for change in (agents.rotate_key, agents.revoke_key):
        with pytest.raises(rows.NotFound):
            change(member=world.alice, agent_id=other, key_id=key.id, now=utcnow())
    assert works(world.api_key)


@pytest.mark.parametrize(
    ("change", "kind"),
    [("make", "key.made"), ("rotate", "key.made"), ("revoke", "key.revoked"), ("pause", "agent.paused")],
)
def test_a_change_and_its_event_stand_or_fall_together(
    world: World, change: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*events: object) -> None:
        raise OSError("the disk is full")

    def state() -> object:
        keys = list(ApiKey.objects.order_by("id").values_list("id", "revoked_at"))
        return keys, list(Agent.objects.order_by("id").values_list("paused_at", flat=True))

    before = state()
    with monkeypatch.context() as broken:
        broken.setattr(agents.audit, "record", full)
        with pytest.raises(OSError, match="full"):
            CHANGES[change](world, world.alice)
    assert state() == before
    CHANGES[change](world, world.alice)
    assert state() != before
    event = AuditEvent.objects.filter(kind=kind).order_by("-at", "-id")[0]
    assert (event.actor_id, event.team_id, event.agent_name) == (
        world.alice.user_id, world.alice.team_id, "support-copilot",
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_pausing_does_not_wait_for_a_submission_that_is_being_stored() -> None:
    world = make_world()
    settings = connection.get_connection_params()
    with psycopg.connect(dbname=settings["dbname"], host=settings.get("host"), port=settings.get("port"),
                         user=settings.get("user"), password=settings.get("password")) as submitting:  # fmt: skip
        # What every row that refers to the agent takes until it is committed.
        submitting.execute("SELECT 1 FROM storage_agent WHERE id = %s FOR KEY SHARE", [world.agent.agent_id])
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '2s'")
        try:
            agents.pause(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")
    assert Agent.objects.get(id=world.agent.agent_id).paused_at is not None


@pytest.mark.django_db(transaction=True)
def test_a_pause_waits_for_what_is_being_decided_and_nothing_is_decided_after_it() -> None:
    world = make_world()
    call = submit(world, LOW)
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            rows.lock_of_agent(world.agent, call.id)  # as a claim does before it looks whether the agent is paused
            pausing = threads.submit(_pause, world)
            with pytest.raises(TimeoutError):
                pausing.result(timeout=0.5)
        pausing.result(timeout=10)
    assert Agent.objects.get(id=world.agent.agent_id).paused_at is not None


def _pause(world: World) -> None:
    try:
        agents.pause(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
    finally:
        connection.close()


# ------------------------------------------------------------------ numbers


def test_the_numbers_are_those_of_the_last_thirty_days(world: World) -> None:
    for fields in (LOW, LOW, MEDIUM, CRITICAL):
        submit(world, fields)
    approve(world.bob, submit(world, HIGH))
    approvals.deny(member=world.bob, call_id=submit(world, MEDIUM).id)
    approvals.send_back(member=world.bob, call_id=submit(world, HIGH).id, reason="Which?")
    old = submit(world, HIGH)
    (row,) = queries.agents(member=world.erin, cursor=None, now=utcnow()).agents
    assert dict(row.numbers.by_level) == {Level.LOW: 2, Level.MEDIUM: 2, Level.HIGH: 3, Level.CRITICAL: 1}
    assert (row.numbers.approved, row.numbers.denied, row.numbers.returned) == (1, 1, 1)
    assert (row.numbers.volume, row.numbers.decided, row.keys) == (8, 3, 1)

    (later,) = queries.agents(member=world.erin, cursor=None, now=utcnow() + timedelta(days=31)).agents
    assert (later.numbers.volume, later.numbers.decided) == (0, 0)
    assert later.last_call_at == old.created_at


def test_what_a_person_approved_counts_whatever_became_of_it(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    approvals.revoke(member=world.bob, call_id=call.id)
    other = submit(world, MEDIUM)
    approve(world.carol, other)
    withdrawals.withdraw(member=world.alice, call_id=other.id)
    (row,) = queries.agents(member=world.bob, cursor=None, now=utcnow()).agents
    assert (row.numbers.approved, row.numbers.denied) == (2, 0)


def test_each_team_reads_of_its_own_agents(world: World) -> None:
    submit(world, HIGH)
    (row,) = queries.agents(member=world.eve, cursor=None, now=utcnow()).agents
    assert (row.name, row.numbers.volume) == ("dock-bot", 0)
    with pytest.raises(rows.NotFound):
        queries.agent(member=world.eve, agent_id=world.agent.agent_id, now=utcnow())


def test_pages_tell_every_agent_once_by_name(world: World) -> None:
    for number in range(7):
        agents.register(member=world.alice, name=f"bot-{number}", environment="dev", now=utcnow())
    seen: list[str] = []
    cursor = None
    while True:
        page = queries.agents(member=world.bob, cursor=cursor, now=utcnow(), limit=3)
        assert page.total == 8
        seen += [agent.name for agent in page.agents]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == [*(f"bot-{number}" for number in range(7)), "support-copilot"]


@pytest.mark.parametrize("name", ["a\x00b", "\ud800", "x" * 121, None])
def test_a_forged_page_link_is_refused_in_words(world: World, name: object) -> None:
    forged = base64.urlsafe_b64encode(json.dumps([name] if name else []).encode()).decode()
    with pytest.raises(cursors.CursorInvalid):
        queries.agents(member=world.bob, cursor=forged, now=utcnow())


def test_the_list_takes_as_many_queries_for_many_agents_as_for_one(
    world: World, django_assert_num_queries: Callable[..., object]
) -> None:
    submit(world, HIGH)
    with django_assert_num_queries(2):  # type: ignore[attr-defined]
        queries.agents(member=world.bob, cursor=None, now=utcnow())
    for number in range(30):
        agent_id = agents.register(member=world.alice, name=f"bot-{number}", environment="dev", now=utcnow())
        agents.make_key(member=world.alice, agent_id=agent_id, now=utcnow())
    with django_assert_num_queries(2):  # type: ignore[attr-defined]
        queries.agents(member=world.bob, cursor=None, now=utcnow())


def test_the_people_who_can_pause_are_named(world: World) -> None:
    assert queries.managers(member=world.bob) == ("Alice Lindqvist", "Grace Haddad")


def test_one_agent_tells_its_last_runs_and_actions(world: World) -> None:
    for number in range(12):
        submit(world, MEDIUM if number == 11 else LOW, session=f"run-{number}")
    submit(world, HIGH, session="run-11")
    found = queries.agent(member=world.erin, agent_id=world.agent.agent_id, now=utcnow())
    assert [each.name for each in found.sessions] == [f"run-{number}" for number in range(11, 1, -1)]
    assert (found.sessions[0].calls, found.sessions[0].highest) == (2, Level.HIGH)
    assert len(found.calls) == 10
    assert found.calls[0].signature == 'delete_user("usr_123", env="production")'
    assert found.owner_id == world.alice.user_id
