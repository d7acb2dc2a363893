"""The agents page: everybody looks, admins register and pause."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from riskgate.core.levels import Level
from riskgate.services import agents, approvals, queries
from riskgate.storage.models import AuditEvent
from riskgate.web.level_mix import mix
from riskgate.web.views.agents import share
from tests.people import HIGH, LOW, MEDIUM, PASSWORD, World, approve, submit, utcnow
from tests.web.agent_pages import one, page, posts, words_of
from tests.web.pages import assert_passes_the_content_policy, signed_in

# ------------------------------------------------------------------ looking


def test_the_list_says_who_asks_how_much_and_how_it_is_decided(world: World) -> None:
    for fields in (LOW, LOW, MEDIUM):
        submit(world, fields)
    approve(world.bob, submit(world, HIGH))
    approvals.deny(member=world.bob, call_id=submit(world, HIGH).id)
    approvals.send_back(member=world.bob, call_id=submit(world, HIGH).id, reason="Which?")
    words = words_of(page(signed_in(world, "bob")))
    assert "1 in the team. Actions, levels and decisions are those of the last 30 days." in words
    assert "support-copilot in production, owner Alice Lindqvist State: Active 1 key" in words
    assert "Last action just now Actions 6" in words
    assert "LOW 2 MEDIUM 1 HIGH 3" in words
    assert "33 % approved, 33 % denied of 3; 33 % sent back" in words


@pytest.mark.parametrize("who", ["bob", "dave", "erin"])
def test_others_look_and_read_who_can_pause(world: World, who: str) -> None:
    client = signed_in(world, who)
    for address in ("/agents", one(world)):
        shown = page(client, address)
        for path in posts(world):
            assert path not in shown
        assert "Alice Lindqvist or Grace Haddad can pause" in words_of(shown)


@pytest.mark.parametrize("who", ["bob", "dave", "erin"])
def test_others_change_nothing_and_are_told_why(world: World, who: str) -> None:
    client, before = signed_in(world, who), AuditEvent.objects.count()
    for path, fields in posts(world).items():
        response = client.post(path, fields)
        assert response.status_code == 403, path
        assert "Only an admin of the team registers agents" in words_of(response.content.decode())
    assert AuditEvent.objects.count() == before


def test_somebody_who_may_not_is_not_asked_for_the_password_first(world: World) -> None:
    client = signed_in(world, "bob", seconds_ago=301)
    assert client.post(reverse("agent_key", args=[world.agent.agent_id])).status_code == 403


def test_for_another_team_the_agent_is_not_there(world: World) -> None:
    client, before = signed_in(world, "eve"), AuditEvent.objects.count()
    assert "support-copilot" not in page(client)
    assert client.get(one(world)).status_code == 404
    for path, fields in posts(world).items():
        if path != reverse("agents_register"):
            assert client.post(path, fields).status_code == 404, path
    assert AuditEvent.objects.count() == before
    assert client.get(reverse("agent", args=[uuid4()])).status_code == 404


def test_opening_an_address_changes_nothing(world: World) -> None:
    client, before = signed_in(world, "alice"), AuditEvent.objects.count()
    for path in posts(world):
        assert client.get(path).status_code == 405, path
    assert AuditEvent.objects.count() == before


def test_a_post_without_its_token_changes_nothing(world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    client.login(email="alice@example.com", password=PASSWORD)
    before = AuditEvent.objects.count()
    for path, fields in posts(world).items():
        assert client.post(path, fields).status_code == 403, path
    assert AuditEvent.objects.count() == before


def test_the_rail_leads_here(world: World) -> None:
    shown = page(signed_in(world, "bob"), one(world))
    assert re.search(r'<a href="/agents" aria-current="page" data-key="a">', shown)


def test_fifty_agents_stand_on_a_page_and_pausing_leads_back_to_it(world: World) -> None:
    for number in range(53):
        agents.register(member=world.alice, name=f"bot-{number:02}", environment="dev", now=utcnow())
    client = signed_in(world, "alice")
    first = page(client)
    assert first.count('class="agents-row"') == 50
    assert "54 in the team" in words_of(first)
    after = re.search(r'/agents\?after=([^"]+)"', first)
    assert after is not None
    second = page(client, f"/agents?after={after[1]}")
    assert second.count('class="agents-row"') == 4
    assert f'name="after" value="{after[1]}"' in second
    response = client.post(
        reverse("agent_pause", args=[world.agent.agent_id]), {"from": "list", "after": after[1]}
    )
    assert response.url == f"/agents?after={after[1]}#agent-{world.agent.agent_id}"
    assert "Paused" in page(client, f"/agents?after={after[1]}")


def test_a_damaged_page_link_is_said(world: World) -> None:
    response = signed_in(world, "bob").get("/agents?after=nonsense")
    assert response.status_code == 422
    assert "Go back to the first page." in words_of(response.content.decode())


def test_a_team_without_agents_reads_what_to_do(world: World) -> None:
    agents.Agent.objects.all().delete()
    assert "Register one above; then give it a key." in words_of(page(signed_in(world, "alice")))
    assert "Alice Lindqvist or Grace Haddad can register one here." in words_of(page(signed_in(world, "bob")))


def test_an_idle_agent_reads_as_idle(world: World) -> None:
    words = words_of(page(signed_in(world, "erin"), one(world)))
    assert "no action yet." in words
    assert "It asked for nothing in this time." in words
    assert "No session yet: its first action opens one." in words
    assert "It has not asked for anything yet." in words


def test_one_agent_leads_to_its_runs_and_reviews(world: World) -> None:
    call = submit(world, HIGH, session="run-7")
    shown = page(signed_in(world, "bob"), one(world))
    assert reverse("session", args=[call.session_id]) in shown
    assert reverse("review", args=[call.id]) in shown
    assert "run-7 1 action up to HIGH" in words_of(shown)
    assert 'delete_user("usr_123", env="production") pending waits for a decision Score 0.720' in words_of(
        shown
    )


def test_a_name_that_hides_letters_or_looks_like_markup_is_spelled_out(world: World) -> None:
    for name in ("infra-\u202erunner", "<b>bold</b>", "x" * 120):
        agents.register(member=world.alice, name=name, environment="\u2066dev", now=utcnow())
    client = signed_in(world, "alice")
    found = queries.agents(member=world.alice, cursor=None, now=utcnow())
    for address in ("/agents", "/start", *(reverse("agent", args=[each.id]) for each in found.agents)):
        shown = page(client, address)
        assert not re.search("[\u202e\u2066]", shown), address
        assert "<b>bold" not in shown
    assert "U+202E" in page(client)
    assert "U+2066" in page(client)


def test_the_page_takes_few_queries_however_many_agents_there_are(
    world: World, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        agents.register(member=world.alice, name=f"bot-{number}", environment="dev", now=utcnow())
    client = signed_in(world, "bob")
    for address in ("/agents", one(world), "/start"):
        with django_assert_max_num_queries(15):
            page(client, address)


# ------------------------------------------------------------------ registering and pausing


def test_alice_registers_an_agent_and_comes_to_its_page(world: World) -> None:
    client = signed_in(world, "alice")
    fields = {"name": "billing-agent", "environment": "staging"}
    response = client.post(reverse("agents_register"), fields, follow=True)
    words = words_of(response.content.decode())
    assert "billing-agent in staging, owned by you, registered just now" in words
    assert "It has no key, so it cannot ask for anything." in words
    assert "Make a key" in words
    assert AuditEvent.objects.filter(kind="agent.registered", agent_name="billing-agent").count() == 1


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"name": "support-copilot", "environment": "dev"}, 409, "already has an agent named"),
        ({"name": "", "environment": "dev"}, 422, "This field is required."),
        ({"name": "a\x00b", "environment": "dev"}, 422, "Null characters are not allowed."),
        ({"name": "x" * 121, "environment": "dev"}, 422, "at most 120 characters"),
    ],
)
def test_what_cannot_be_registered_is_said_in_the_form(
    world: World, fields: dict[str, str], status: int, said: str
) -> None:
    response = signed_in(world, "alice").post(reverse("agents_register"), fields)
    assert response.status_code == status
    assert said in words_of(response.content.decode())
    assert_passes_the_content_policy(response)


def test_one_post_pauses_and_the_claim_is_refused_until_another_resumes(world: World) -> None:
    call, client = submit(world, LOW), signed_in(world, "alice")
    response = client.post(reverse("agent_pause", args=[world.agent.agent_id]))
    assert response.url == one(world)
    words = words_of(page(client, one(world)))
    assert "Paused just now" in words
    assert (
        "it may still submit, but nobody can approve what it asks and every claim is refused (423)" in words
    )

    def claimed() -> int:
        return (
            Client()
            .post(
                f"/api/v1/actions/{call.id}/claim",
                {"action_digest": call.action_digest},
                content_type="application/json",
                headers={"authorization": f"Bearer {world.api_key}"},
            )
            .status_code
        )

    assert claimed() == 423
    assert submit(world, HIGH).status == "pending"
    client.post(reverse("agent_resume", args=[world.agent.agent_id]))
    assert claimed() == 200
    assert [event.kind for event in AuditEvent.objects.filter(kind__startswith="agent.").order_by("at")][
        -2:
    ] == ["agent.paused", "agent.resumed"]


# ------------------------------------------------------------------ numbers and bars


@pytest.mark.parametrize(
    ("part", "whole", "words"),
    [(0, 9, "0 %"), (9, 9, "100 %"), (1, 3, "33 %"), (1, 1000, "<1 %"), (999, 1000, ">99 %"), (1, 2, "50 %")],
)
def test_a_share_that_is_not_nothing_is_not_called_nothing(part: int, whole: int, words: str) -> None:
    assert share(part, whole) == words


def test_one_critical_action_in_ten_thousand_is_still_seen_in_the_bar() -> None:
    parts = mix({Level.LOW: 9_999, Level.MEDIUM: 0, Level.HIGH: 0, Level.CRITICAL: 1})
    assert [part.level for part in parts] == ["LOW", "CRITICAL"]
    widths = [float(part.width.rstrip("%")) for part in parts]
    assert widths[1] > 1.5
    assert sum(widths) == pytest.approx(100, abs=0.1)
    assert parts[1].start == parts[0].width


def test_nothing_asked_is_no_bar() -> None:
    assert mix(dict.fromkeys(Level, 0)) == ()
