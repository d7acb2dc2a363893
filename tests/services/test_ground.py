"""History stands and falls with the change, and the first admin comes in once."""

import base64
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection

from riskgate.core.assessment import Assessment
from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.policy import BALANCED
from riskgate.core.roles import SYSTEM
from riskgate.services import audit, cursors, gate, history, policies, queries, teams
from riskgate.services.shapes import QueueFilter
from riskgate.storage.models import AuditEvent
from tests.people import HIGH, LOW, World, submit, utcnow


@pytest.mark.django_db(transaction=True)
def test_an_event_is_not_written_outside_the_transaction_of_its_change() -> None:
    assert not connection.in_atomic_block
    with pytest.raises(audit.OutsideTransaction):
        audit.record(audit.event(Event.TEAM_CREATED, actor=SYSTEM, at=utcnow(), team_id=None))


def test_each_team_reads_its_own_history_page_by_page(world: World) -> None:
    for _ in range(4):
        submit(world, LOW)
    seen, cursor = [], None
    while True:
        page = history.page(member=world.dave, cursor=cursor, now=utcnow(), limit=5)
        seen += page.events
        cursor = page.next_cursor
        if cursor is None:
            break
    theirs = AuditEvent.objects.filter(team_id=world.dave.team_id).order_by("-at", "-id")
    assert [event.id for event in seen] == [event.id for event in theirs]
    others = history.page(member=world.eve, cursor=None, now=utcnow()).events
    assert others
    assert not {event.id for event in others} & {event.id for event in seen}


def test_a_scorer_that_fails_lets_nothing_through(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = gate.assess

    def broken(*args: object) -> Assessment:
        assessment = real(*args)  # type: ignore[arg-type]
        return Assessment(0, Level.LOW, Level.LOW, assessment.factors, (), "it broke")

    monkeypatch.setattr(gate, "assess", broken)
    assert submit(world, LOW).status == "pending"


@pytest.mark.django_db
def test_the_first_admin_comes_in_by_a_link_once() -> None:
    token = teams.first_admin_link(now=utcnow())
    assert token is not None
    newer = teams.first_admin_link(now=utcnow())
    assert newer is not None
    assert not teams.check_first_admin_link(token=token, now=utcnow()), "a newer link replaces it"
    assert not teams.check_first_admin_link(token=newer, now=utcnow() + timedelta(days=2))

    def accept(when):  # type: ignore[no-untyped-def]
        return teams.accept_first_admin(
            token=newer,
            team_name="Ours",
            name="Ana",
            email="Ana@Example.com",
            password="long-enough-77",
            now=when,
        )

    with pytest.raises(teams.LinkInvalid):
        accept(utcnow() + timedelta(days=2))
    user_id = accept(utcnow())
    (member,) = teams.memberships(user_id=user_id)
    assert (member.team_name, member.role, member.email) == ("Ours", "admin", "ana@example.com")
    with pytest.raises(teams.LinkInvalid):
        accept(utcnow())
    assert teams.first_admin_link(now=utcnow()) is None


def test_signing_in_is_an_event_in_each_team(world: World) -> None:
    teams.signed_in(user_id=world.bob.user_id, now=utcnow())
    event = AuditEvent.objects.get(kind="user.signed_in")
    assert (event.actor_id, event.team_id) == (world.bob.user_id, world.bob.team_id)


def test_the_owner_alone_does_not_approve_above_the_limit(world: World) -> None:
    policy = replace(BALANCED, owner_limit=Level.MEDIUM)
    policies.publish(member=world.grace, policy=policy, reason="Stricter.", now=utcnow())
    call = submit(world, HIGH)
    review = queries.review(member=world.alice, call_id=call.id, now=utcnow())
    assert not review.may.approve
    assert "You own this agent" in review.may.reason
    assert queries.review(member=world.bob, call_id=call.id, now=utcnow()).may.approve


@pytest.mark.parametrize(
    "key",
    [
        ["0001-01-01T00:00:00+23:59", "00000000-0000-0000-0000-000000000000"],
        ["9999-12-31T23:59:59-23:59", "00000000-0000-0000-0000-000000000000"],
        ["2026-01-01T00:00:00", "00000000-0000-0000-0000-000000000000"],
        ["2026-01-01T00:00:00+00:00", "x"],
        [1, 2],
        {},
    ],
)
def test_a_forged_page_link_is_refused_in_words(world: World, key: object) -> None:
    forged = base64.urlsafe_b64encode(json.dumps(key).encode()).decode()
    with pytest.raises(cursors.CursorInvalid):
        history.page(member=world.dave, cursor=forged, now=utcnow())
    with pytest.raises(cursors.CursorInvalid):
        queries.calls(principal=world.agent, cursor=forged, now=utcnow())
    levelled = base64.urlsafe_b64encode(json.dumps(["99999999999999999999", *key]).encode()).decode()  # type: ignore[misc]
    with pytest.raises(cursors.CursorInvalid):
        queries.queue(member=world.bob, filter=QueueFilter(), cursor=levelled, now=utcnow())
