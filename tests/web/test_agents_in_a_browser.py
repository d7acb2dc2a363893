"""An agent's whole life on its page, in a real browser that runs no script."""

import pytest
from playwright.sync_api import Browser, expect

from riskgate.services import agents
from riskgate.storage.models import ApiKey
from tests.people import make_world
from tests.web.pages import client_of
from tests.web.test_pages_in_a_browser import browser, served

__all__ = ["browser", "served"]

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_alice_registers_an_agent_gives_it_keys_and_pauses_it_without_any_script(
    browser: Browser, served: str, transactional_db: None
) -> None:
    world = make_world()
    context = browser.new_context(java_script_enabled=False)
    morsels = client_of(world.alice.user_id).cookies.items()
    context.add_cookies([{"name": name, "value": morsel.value, "url": served} for name, morsel in morsels])
    page = context.new_page()
    page.goto(served + "/")
    page.get_by_role("link", name="Agents").click()
    page.get_by_text("Register another agent").click()
    page.get_by_label("Name").fill("billing-agent")
    page.get_by_role("button", name="Register the agent").click()
    expect(page.get_by_role("heading", name="billing-agent", level=1)).to_be_visible()

    page.get_by_role("button", name="Make a key").click()
    first = page.locator("#key code").inner_text()
    assert agents.authenticate(token=first) is not None
    keys = ApiKey.objects.count()
    page.reload()
    expect(page.locator("#key")).to_have_count(0)
    assert first not in page.content()
    assert ApiKey.objects.count() == keys

    page.get_by_role("button", name="Rotate the key").click()
    second = page.locator("#key code").inner_text()
    old = page.locator(".key", has_text="works until you revoke it")
    expect(old).to_have_count(1)
    expect(old.get_by_role("button", name="Revoke it now")).to_be_hidden()
    old.locator("summary").click()
    old.get_by_role("button", name="Revoke it now").click()
    expect(old).to_have_count(0)
    expect(page.locator(".key", has_text="revoked")).to_have_count(1)
    assert agents.authenticate(token=first) is None
    assert agents.authenticate(token=second) is not None

    page.get_by_role("button", name="Pause billing-agent").click()
    expect(page.get_by_text("every claim is refused")).to_be_visible()
    page.locator(".crumb a").click()
    row = page.locator(".agents-row", has_text="billing-agent")
    expect(row).to_contain_text("Paused")
    row.get_by_role("button", name="Resume billing-agent").click()
    expect(row).to_contain_text("Active")
    context.close()
