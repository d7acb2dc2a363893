"""A real browser reads the pages around the queue: nothing serious for axe, no complaint, no sideways scroll."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, Page
from pytest_django import Settings

from riskgate.services import agents, approvals, teams
from tests.browsing import chromium
from tests.people import HIGH, LOW, PASSWORD, World, approve, make_world, submit, utcnow

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOOKS = ((1280, 900, "light"), (390, 844, "dark"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def served(live_server: Any, settings: Settings) -> Iterator[str]:
    settings.PUBLIC_URL = live_server.url
    yield live_server.url
    connection.close_pool()


def complaints(page: Page) -> list[str]:
    """What axe calls serious or critical, and whether the page is wider than its window."""
    violations = Axe().run(page).response["violations"]
    found = [
        f"{each['id']}: {each['nodes'][0]['html']}"
        for each in violations
        if each["impact"] in {"serious", "critical"}
    ]
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        found.append("wider than the window")
    return found


def looked_at(
    browser: Browser, url: str, paths: list[str], client: Client | None = None
) -> dict[str, list[str]]:
    """Every page in both looks, with what is wrong with it."""
    wrong: dict[str, list[str]] = {}
    for width, height, theme in LOOKS:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
        if client is not None:
            context.add_cookies(
                [{"name": name, "value": morsel.value, "url": url} for name, morsel in client.cookies.items()]
            )
        page = context.new_page()
        said: list[str] = []
        page.on(
            "console",
            lambda message, said=said: said.append(message.text) if message.type == "error" else None,
        )
        for path in paths:
            said.clear()
            page.goto(url + path)
            found = complaints(page) + [text for text in said if "404 (Not Found)" not in text]
            if found:
                wrong[f"{path} {width} {theme}"] = found
        context.close()
    return wrong


def test_the_pages_before_the_door(browser: Browser, served: str, transactional_db: None) -> None:
    token = teams.first_admin_link(now=utcnow())
    paths = [
        f"/welcome/{token}",
        "/welcome/nonsense",
        "/accounts/login/",
        "/accounts/password/reset/",
        "/nothing/here",
    ]
    assert looked_at(browser, served, paths) == {}


def test_the_pages_of_a_member(browser: Browser, served: str, transactional_db: None) -> None:
    world: World = make_world()
    approve(world.bob, submit(world, HIGH))
    approvals.deny(
        member=world.bob, call_id=submit(world, {**HIGH, "args": ["usr_\u202e87"]}).id, reason="No."
    )
    run = submit(world, LOW)
    paused = agents.register(member=world.alice, name="r\u202eunner", environment="staging", now=utcnow())
    agents.pause(member=world.alice, agent_id=paused, now=utcnow())
    client = Client()
    client.force_login(get_user_model().objects.get(pk=world.alice.user_id))
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    paths = [
        "/history",
        "/agents",
        f"/agents/{world.agent.agent_id}",
        f"/agents/{paused}",
        f"/sessions/{run.session_id}",
        "/start",
        "/account",
        "/accounts/2fa/",
        "/accounts/2fa/totp/activate/",
        "/accounts/2fa/webauthn/add/",
        "/accounts/password/change/",
        "/nothing/here",
    ]
    assert looked_at(browser, served, paths, client) == {}


def test_alice_adds_a_passkey_and_signs_in_with_it_alone(
    browser: Browser, served: str, transactional_db: None
) -> None:
    make_world()
    context = browser.new_context()
    page = context.new_page()
    devices = context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
               "isUserVerified": True, "automaticPresenceSimulation": True}  # fmt: skip
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.goto(served + "/accounts/login/?next=/account")
    page.get_by_label("E-mail address").fill("alice@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(served + "/account")

    page.goto(served + "/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Add it").click()
    page.get_by_role("heading", name="Recovery codes").wait_for()

    page.goto(served + "/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.goto(served + "/accounts/login/?next=/account")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(served + "/account")
    assert page.get_by_role("main").get_by_text("alice@example.com").is_visible()
    context.close()
