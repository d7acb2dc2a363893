"""From an empty team to the first decision."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.core.roles import Role
from riskgate.services import agents, approvals, queries, teams
from riskgate.services.shapes import Member, QueueFilter
from riskgate.storage.models import ApiKey
from tests.people import PASSWORD, World, utcnow
from tests.web.pages import assert_passes_the_content_policy, client_of, signed_in, text_of


@pytest.fixture
def alone(db: None) -> Member:
    """Alice, in a team in which nothing has happened."""
    team_id = teams.create(name="Payments", now=utcnow())
    user_id = teams.add_member(
        team_id=team_id,
        email="alice@example.com",
        name="Alice",
        password=PASSWORD,
        role=Role.ADMIN,
        now=utcnow(),
    )
    (member,) = teams.memberships(user_id=user_id)
    return member


def of(member: Member) -> Client:
    return client_of(member.user_id)


def words(client: Client) -> str:
    response = client.get(reverse("start"))
    assert response.status_code == 200
    assert_passes_the_content_policy(response)
    return text_of(response.content.decode())


def test_alice_goes_all_the_way(alone: Member, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://gate.example.org"
    client = of(alone)
    assert "0 of 4 done" in words(client)

    response = client.post(
        reverse("start_register"), {"name": "support-copilot", "environment": "production"}
    )
    assert response.status_code == 302
    assert "1 of 4 done" in words(client)
    (agent,) = agents.listing(member=alone)
    assert (agent.name, agent.environment, agent.has_key) == ("support-copilot", "production", False)

    response = client.post(reverse("start_key", args=[agent.id]), follow=True)
    key = re.search(r"rg_[\w-]{40,}", response.content.decode())
    assert key is not None
    assert_passes_the_content_policy(response)
    assert "no-store" in response.headers["Cache-Control"]
    shown = text_of(response.content.decode())
    assert "curl https://gate.example.org/api/v1/actions" in shown
    assert f"Authorization: Bearer {key[0]}" in shown
    principal = agents.authenticate(token=key[0])
    assert principal is not None
    assert principal.agent_id == agent.id
    assert "2 of 4 done" in words(client)
    assert key[0] not in words(client), "a key is shown once"

    response = client.post(reverse("start_test", args=[agent.id]))
    (call,) = queries.queue(
        member=alone, filter=QueueFilter(), cursor=None, now=utcnow()
    ).rows  # fmt: skip
    assert response.headers["Location"] == reverse("review", args=[call.id])
    assert call.level is Level.HIGH
    assert "3 of 4 done" in words(client)

    approvals.deny(member=alone, call_id=call.id)
    assert "4 of 4 done" in words(client)


def test_the_test_action_says_that_it_is_one(world: World) -> None:
    signed_in(world, "alice").post(reverse("start_test", args=[world.agent.agent_id]))
    (call,) = queries.calls(principal=world.agent, now=utcnow()).calls
    assert call.status is Status.PENDING
    assert "A test that Alice Lindqvist sent" in call.reason
    assert call.metadata == {"test": True}


@pytest.mark.parametrize("reader", ["bob", "dave", "erin"])
def test_others_see_what_an_admin_would_do_and_cannot_do_it(world: World, reader: str) -> None:
    client = signed_in(world, reader)
    shown = words(client)
    assert "An admin of the team registers agents" in shown
    assert "Bearer $RISKGATE_API_KEY" in shown
    for name, arguments in (("start_register", []), ("start_key", [world.agent.agent_id])):
        assert reverse(name, args=arguments) not in client.get(reverse("start")).content.decode()
    posts = (
        client.post(reverse("start_register"), {"name": "mine", "environment": "production"}),
        client.post(reverse("start_key", args=[world.agent.agent_id])),
        client.post(reverse("start_test", args=[world.agent.agent_id])),
    )
    assert [response.status_code for response in posts] == [403, 403, 403]
    assert len(agents.listing(member=world.alice)) == 1


def test_eve_cannot_touch_the_agent_of_another_team(world: World) -> None:
    client = signed_in(world, "eve")
    for name in ("start_key", "start_test"):
        assert client.post(reverse(name, args=[world.agent.agent_id])).status_code == 404
    assert "support-copilot" not in words(client)


def test_a_name_that_is_taken_is_said(world: World) -> None:
    fields = {"name": "support-copilot", "environment": "staging"}
    response = signed_in(world, "alice").post(reverse("start_register"), fields)
    assert response.status_code == 409
    assert "already has an agent named support-copilot" in text_of(response.content.decode())


def test_an_agent_without_a_name_is_refused_with_words(world: World) -> None:
    response = signed_in(world, "alice").post(reverse("start_register"), {"name": "", "environment": "x"})
    assert response.status_code == 422
    assert "This field is required." in text_of(response.content.decode())


@pytest.mark.parametrize("name", ["start_key", "start_test"])
def test_opening_the_address_of_a_button_changes_nothing(world: World, name: str) -> None:
    response = signed_in(world, "alice").get(reverse(name, args=[world.agent.agent_id]))
    assert response.status_code == 405
    assert "Nothing was changed by opening it." in text_of(response.content.decode())


def test_a_post_without_its_token_is_refused_with_a_page(world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    client.login(email="alice@example.com", password=PASSWORD)
    response = client.post(reverse("start_key", args=[world.agent.agent_id]))
    assert response.status_code == 403
    assert "Nothing was changed" in text_of(response.content.decode())
    assert_passes_the_content_policy(response)


def test_the_curl_line_of_the_page_works_as_it_stands(world: World) -> None:
    made = signed_in(world, "alice").post(reverse("start_key", args=[world.agent.agent_id]), follow=True)
    shown = text_of(made.content.decode())
    body = re.search(r"-d '(\{.*?\})'", shown)
    key = re.search(r"Bearer (rg_[\w-]+)", shown)
    assert body is not None
    assert key is not None
    response = Client().post(
        "/api/v1/actions",
        body[1],
        content_type="application/json",
        headers={"authorization": f"Bearer {key[1]}"},
    )
    assert response.status_code == 202, response.content
    assert response.json()["level"] == "HIGH"


def test_a_key_is_made_only_for_somebody_who_signed_in_lately(world: World) -> None:
    path = reverse("start_key", args=[world.agent.agent_id])
    before = ApiKey.objects.count()
    stale = signed_in(world, "alice", seconds_ago=301).post(path)
    assert stale.url.startswith(reverse("account_reauthenticate"))
    assert ApiKey.objects.count() == before
    made = signed_in(world, "alice", seconds_ago=200).post(path)
    assert made.url == reverse("start") + "#key"
    assert ApiKey.objects.count() == before + 1


def test_loading_the_page_with_the_new_key_again_makes_no_other(world: World) -> None:
    client = signed_in(world, "alice")
    shown = client.post(reverse("start_key", args=[world.agent.agent_id]), follow=True)
    before = ApiKey.objects.count()
    assert "The new key of support-copilot" in text_of(shown.content.decode())
    assert "The new key of" not in words(client)
    assert ApiKey.objects.count() == before


def test_of_many_agents_the_first_stand_here_and_the_rest_a_page_away(world: World) -> None:
    for number in range(20):
        agents.register(member=world.alice, name=f"bot-{number:02}", environment="dev", now=utcnow())
    page = signed_in(world, "alice").get(reverse("start")).content.decode()
    assert "bot-19" in page
    assert "support-copilot" not in page
    assert f'href="{reverse("agents")}">All agents' in page
