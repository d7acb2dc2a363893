"""A masked value is shown to one person who may see it, once, and the history says so without the value."""

import json
from typing import Any

import pytest
from django.urls import reverse

from riskgate.core.events import Event
from riskgate.core.roles import Role
from riskgate.services import approvals, teams
from riskgate.storage.models import AuditEvent, Outbox
from tests.people import PASSWORD, World, submit, utcnow
from tests.web.pages import assert_passes_the_content_policy, client_of, signed_in, text_of

TOKEN = "sk_live_0123456789abcdef"
AT = "/kwargs/api_token"
ONE: dict[str, Any] = {"function_name": "delete_user", "args": ["usr_1"], "kwargs": {"api_token": TOKEN}}
NESTED: dict[str, Any] = {
    "function_name": "deploy",
    "args": [{"passwords": ["hunter2", "hunter3"]}],
    "kwargs": {"pin": 4711},
}


def reveal(world: World, who: str, call: Any, at: str = AT, seconds_ago: float = 0) -> Any:
    client = signed_in(world, who, seconds_ago=seconds_ago)
    return client.post(reverse("review_reveal", args=[call.id]), {"at": at})


def test_an_auditor_sees_it_on_that_page_alone(world: World) -> None:
    call = submit(world, ONE)
    client = signed_in(world, "dave")
    assert "Reveal the masked value" in client.get(reverse("review", args=[call.id])).content.decode()
    shown = reveal(world, "dave", call)
    assert TOKEN in text_of(shown.content.decode())
    assert "no-store" in shown["Cache-Control"]
    assert_passes_the_content_policy(shown)
    for path in (reverse("review", args=[call.id]), reverse("review_raw", args=[call.id]), "/history", "/"):
        assert TOKEN not in client.get(path).content.decode()


def test_the_history_says_who_and_where_and_never_what(world: World) -> None:
    call = submit(world, ONE)
    reveal(world, "dave", call)
    event = AuditEvent.objects.get(kind=Event.SECRET_REVEALED)
    assert (event.actor_id, event.call_id, event.data) == (world.dave.user_id, call.id, {"at": AT})
    words = text_of(signed_in(world, "bob").get("/history").content.decode())
    assert "Dave Raman revealed a masked value of delete_user" in words
    assert f"It stands at {AT}." in words
    for rows in (AuditEvent, Outbox):
        assert TOKEN not in json.dumps(list(rows.objects.values()), default=str)


@pytest.mark.parametrize("who", ["alice", "bob", "erin"])
def test_who_decides_or_only_looks_is_neither_offered_nor_given_it(world: World, who: str) -> None:
    call = submit(world, ONE)
    assert "Reveal" not in signed_in(world, who).get(reverse("review", args=[call.id])).content.decode()
    refused = reveal(world, who, call)
    assert refused.status_code == 403
    assert TOKEN not in refused.content.decode()
    assert not AuditEvent.objects.filter(kind=Event.SECRET_REVEALED).exists()


def test_an_auditor_of_another_team_finds_nothing(world: World) -> None:
    call = submit(world, ONE)
    frank = teams.add_member(
        team_id=world.eve.team_id,
        email="frank@example.com",
        name="Frank Oduya",
        password=PASSWORD,
        role=Role.AUDITOR,
        now=utcnow(),
    )
    refused = client_of(frank).post(reverse("review_reveal", args=[call.id]), {"at": AT})
    assert refused.status_code == 404
    assert TOKEN not in refused.content.decode()


def test_who_signed_in_more_than_five_minutes_ago_says_first_that_it_is_they(world: World) -> None:
    call = submit(world, ONE)
    stale = reveal(world, "dave", call, seconds_ago=301)
    assert stale.url.startswith(reverse("account_reauthenticate"))
    assert not AuditEvent.objects.filter(kind=Event.SECRET_REVEALED).exists()
    assert TOKEN in reveal(world, "dave", call, seconds_ago=290).content.decode()


def test_looking_reveals_nothing(world: World) -> None:
    call = submit(world, ONE)
    assert (
        signed_in(world, "dave").get(reverse("review_reveal", args=[call.id]), {"at": AT}).status_code == 405
    )


@pytest.mark.parametrize("at", ["", "/kwargs", "/args/0", "/kwargs/other", "nonsense", "/kwargs/api_token/0"])
def test_only_what_is_masked_can_be_revealed(world: World, at: str) -> None:
    assert reveal(world, "dave", submit(world, ONE), at).status_code == 404
    assert not AuditEvent.objects.filter(kind=Event.SECRET_REVEALED).exists()


@pytest.mark.parametrize(
    ("at", "shown"),
    [("/args/0/passwords/1", "hunter3"), ("/kwargs/pin", "4711"), ("/args/0/passwords/0", "hunter2")],
)
def test_each_masked_value_is_revealed_by_itself(world: World, at: str, shown: str) -> None:
    call = submit(world, NESTED)
    words = text_of(reveal(world, "dave", call, at).content.decode())
    assert shown in words
    others = {"hunter2", "hunter3", "4711"} - {shown}
    assert not any(other in words for other in others)


def test_what_was_decided_long_ago_can_still_be_looked_into(world: World) -> None:
    call = submit(world, ONE)
    approvals.deny(member=world.bob, call_id=call.id)
    assert TOKEN in reveal(world, "dave", call).content.decode()
