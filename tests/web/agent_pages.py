"""Reading the pages about agents, and everything that they can change."""

import re
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from riskgate.services import queries
from riskgate.services.shapes import KeyView
from tests.people import World, utcnow
from tests.web.pages import assert_passes_the_content_policy, text_of


def page(client: Client, address: str = "/agents") -> str:
    response = client.get(address)
    assert response.status_code == 200
    assert_passes_the_content_policy(response)
    return response.content.decode()


def words_of(shown: str) -> str:
    """The words of a page; what happened within minutes did so just now, however slow the machine is."""
    return re.sub(r"\b\d+ (?:s|min) ago\b", "just now", text_of(shown))


def one(world: World) -> str:
    return reverse("agent", args=[world.agent.agent_id])


def key_of(world: World) -> KeyView:
    return queries.agent(member=world.alice, agent_id=world.agent.agent_id, now=utcnow()).keys[0]


def token_in(response: HttpResponse | str) -> str | None:
    text = response if isinstance(response, str) else response.content.decode()
    found = re.search(r"rg_[\w-]{40,}", text)
    return found[0] if found else None


def posts(world: World) -> dict[str, dict[str, Any]]:
    """Every address that changes something, with what is sent to it."""
    agent, key = [world.agent.agent_id], [world.agent.agent_id, key_of(world).id]
    return {
        reverse("agents_register"): {"name": "mine", "environment": "dev"},
        reverse("agent_pause", args=agent): {},
        reverse("agent_resume", args=agent): {},
        reverse("agent_key", args=agent): {},
        reverse("agent_key_rotate", args=key): {},
        reverse("agent_key_revoke", args=key): {},
    }
