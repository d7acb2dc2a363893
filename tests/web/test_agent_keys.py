"""Keys on the page of their agent: made and shown once, rotated, revoked."""

from base64 import b64decode, b64encode

import pytest
from django.contrib.sessions.models import Session as BrowserSession
from django.urls import reverse

from riskgate.services import agents
from riskgate.storage.models import ApiKey
from riskgate.web import shown_once
from tests.people import World, utcnow
from tests.web.agent_pages import key_of, one, page, token_in, words_of
from tests.web.pages import signed_in


def test_a_new_key_is_shown_once_and_nothing_of_it_stands_in_an_address(world: World) -> None:
    client = signed_in(world, "alice")
    response = client.post(reverse("agent_key", args=[world.agent.agent_id]))
    assert response.url == one(world) + "#key"
    before = ApiKey.objects.count()
    shown = page(client, one(world))
    token = token_in(shown)
    assert token is not None
    assert agents.authenticate(token=token) is not None
    again = page(client, one(world))
    assert token_in(again) is None
    assert f"{token[:10]}…" in words_of(again)
    assert ApiKey.objects.count() == before


def test_between_making_and_showing_nobody_can_read_the_key(world: World) -> None:
    client = signed_in(world, "alice")
    client.post(reverse("agent_key", args=[world.agent.agent_id]))
    stored = str([session.get_decoded() for session in BrowserSession.objects.all()])
    kept, cookie = client.session[shown_once.SESSION]["half"], client.cookies[shown_once.COOKIE]
    assert kept in stored
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"
    token = token_in(page(client, one(world)))
    assert token is not None
    assert token not in stored
    for half in (kept, cookie.value):
        # Not the key in other letters either.
        assert not any(token[i : i + 4].encode() in b64decode(half) for i in range(len(token) - 3))
    assert shown_once.SESSION not in client.session


@pytest.mark.parametrize(
    "spoilt", ["no cookie", "another cookie", "too late", "another length", "the half of another"]
)
def test_a_key_that_cannot_be_shown_any_more_is_not_shown_wrong(world: World, spoilt: str) -> None:
    client = signed_in(world, "alice")
    client.post(reverse("agent_key", args=[world.agent.agent_id]))
    if spoilt == "no cookie":
        del client.cookies[shown_once.COOKIE]
    elif spoilt == "too late":
        session = client.session
        session[shown_once.SESSION] |= {"until": 0}
        session.save()
    else:
        other = b64encode(bytes(len(world.api_key))).decode()
        cookies = {"another cookie": "%%%", "another length": "QUJD", "the half of another": other}
        client.cookies[shown_once.COOKIE] = cookies[spoilt]
    assert "The new key" not in words_of(page(client, one(world)))
    assert "The new key" not in words_of(page(client, one(world)))


def test_asking_for_the_head_of_the_page_does_not_use_the_key_up(world: World) -> None:
    client = signed_in(world, "alice")
    client.post(reverse("agent_key", args=[world.agent.agent_id]))
    assert client.head(one(world)).status_code == 200
    assert token_in(page(client, one(world))) is not None


def test_the_key_of_one_agent_does_not_stand_at_another(world: World) -> None:
    other = agents.register(member=world.alice, name="second-bot", environment="dev", now=utcnow())
    client = signed_in(world, "alice")
    client.post(reverse("agent_key", args=[world.agent.agent_id]))
    assert token_in(page(client, reverse("agent", args=[other]))) is None
    assert token_in(page(client, one(world))) is not None


@pytest.mark.parametrize("route", ["agent_key", "agent_key_rotate"])
def test_a_key_is_made_only_for_somebody_who_signed_in_lately(world: World, route: str) -> None:
    arguments = [world.agent.agent_id] + ([key_of(world).id] if route == "agent_key_rotate" else [])
    path, before = reverse(route, args=arguments), ApiKey.objects.count()
    stale = signed_in(world, "alice", seconds_ago=301).post(path)
    assert stale.url.startswith(reverse("account_reauthenticate"))
    assert ApiKey.objects.count() == before
    signed_in(world, "alice", seconds_ago=200).post(path)
    assert ApiKey.objects.count() == before + 1


def test_revoking_and_pausing_wait_for_no_password(world: World) -> None:
    client = signed_in(world, "alice", seconds_ago=9_000)
    client.post(reverse("agent_pause", args=[world.agent.agent_id]))
    client.post(reverse("agent_key_revoke", args=[world.agent.agent_id, key_of(world).id]))
    assert agents.authenticate(token=world.api_key) is None
    assert "Paused" in words_of(page(client, one(world)))


def test_alice_rotates_a_key_and_then_revokes_the_old_one(world: World) -> None:
    client, old = signed_in(world, "alice"), key_of(world)
    response = client.post(reverse("agent_key_rotate", args=[world.agent.agent_id, old.id]), follow=True)
    token = token_in(response)
    assert token is not None
    words = words_of(response.content.decode())
    assert f"{old.prefix}… works until you revoke it: {token[:10]}… replaced it just now" in words
    assert agents.authenticate(token=world.api_key) is not None
    response = client.post(reverse("agent_key_revoke", args=[world.agent.agent_id, old.id]), follow=True)
    assert f"{old.prefix}… revoked just now" in words_of(response.content.decode())
    assert agents.authenticate(token=world.api_key) is None
    assert agents.authenticate(token=token) is not None
    said = words_of(client.get("/history").content.decode())
    assert f"It begins with {token[:10]} and replaces {old.prefix}, which works until it is revoked." in said
    assert "You revoked an API key of support-copilot" in said


def test_what_cannot_be_done_now_is_said_on_the_agents_page(world: World) -> None:
    client, key = signed_in(world, "alice"), key_of(world)
    path = reverse("agent_key_rotate", args=[world.agent.agent_id, key.id])
    client.post(path)
    response = client.post(path)
    assert response.status_code == 409
    words = words_of(response.content.decode())
    assert "has its successor already. Revoke one of the two first." in words
    assert "support-copilot in production" in words
