"""A real browser in a seat: the lease, its renewal while somebody types, and that no word is lost."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from riskgate.services import challenges
from riskgate.services.shapes import CallView
from riskgate.storage.models import ChallengeAttempt
from tests.people import CRITICAL, World, make_world, start, submit, utcnow
from tests.web.pages import client_of
from tests.web.test_pages_in_a_browser import browser, served

__all__ = ["browser", "served"]

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_world()


@pytest.fixture
def call(world: World) -> CallView:
    return submit(world, CRITICAL)


@pytest.fixture
def bobs(browser: Browser, served: str, world: World, call: CallView) -> Iterator[Page]:
    """bob's window, its clock in the test's hands."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    morsels = client_of(world.bob.user_id).cookies.items()
    context.add_cookies([{"name": name, "value": morsel.value, "url": served} for name, morsel in morsels])
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.clock.install()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert said == []


def left() -> timedelta:
    lease = ChallengeAttempt.objects.get(left_at=None, user__name="Bob Okafor").lease_until
    assert lease is not None
    return lease - utcnow()


def shorten(seconds: float) -> None:
    ChallengeAttempt.objects.filter(user__name="Bob Okafor").update(
        lease_until=utcnow() + timedelta(seconds=seconds)
    )


def answering(bobs: Page, served: str, world: World, call: CallView, seconds: float = 30) -> None:
    """bob has the questions before him, and the lease will not last."""
    start(world.bob, call)
    shorten(seconds)
    bobs.goto(f"{served}/review/{call.id}/challenge")


def test_typing_holds_the_seat_and_silence_does_not(
    bobs: Page, served: str, world: World, call: CallView
) -> None:
    answering(bobs, served, world, call, 100)
    words = bobs.locator("[data-lease-words]")
    expect(words).to_have_text(re.compile(r"Held for you, 1 min \d+ s"))
    bobs.clock.run_for(61_000)
    expect(bobs.locator(".lease-late")).to_be_visible()
    expect(bobs.locator("[data-lease-said]")).to_have_text(re.compile("about to free"))
    assert left() < timedelta(seconds=101), "nobody typed"
    with bobs.expect_response("**/renew") as renewed:
        bobs.get_by_role("textbox").first.fill("It drops the table")
        bobs.clock.run_for(2_000)
    assert renewed.value.status == 200
    expect(words).to_have_text(re.compile(r"Held for you, (5 min 0|4 min 5\d) s"))
    assert left() > timedelta(minutes=4)


def test_the_button_holds_the_seat_without_leaving_the_page(
    bobs: Page, served: str, world: World, call: CallView
) -> None:
    answering(bobs, served, world, call)
    bobs.get_by_role("textbox").first.fill("It drops the table")
    bobs.get_by_role("button", name="Keep my seat").click()
    expect(bobs.locator("[data-lease-words]")).to_have_text(
        re.compile(r"Held for you, (5 min 0|4 min 5\d) s")
    )
    expect(bobs.get_by_role("textbox").first).to_have_value("It drops the table")


def test_a_seat_that_ended_can_be_taken_again_and_the_words_are_there(
    bobs: Page, served: str, world: World, call: CallView
) -> None:
    answering(bobs, served, world, call, 5)
    bobs.get_by_role("textbox").first.fill("It drops the table")
    bobs.clock.run_for(6_000)
    expect(bobs.locator("[data-lease-words]")).to_have_text(re.compile("nobody has taken it"))
    bobs.get_by_role("button", name="Take it again").click()
    expect(bobs.locator("[data-lease-words]")).to_have_text(re.compile("Held for you"))
    expect(bobs.get_by_role("textbox").first).to_have_value("It drops the table")


def test_a_seat_that_carol_took_says_so_and_the_words_stay(
    bobs: Page, served: str, world: World, call: CallView
) -> None:
    answering(bobs, served, world, call, 5)
    bobs.get_by_role("textbox").first.fill("It drops the table")
    bobs.clock.run_for(6_000)
    shorten(-1)
    start(world.carol, call)
    # What the stream would say; these pages are served without it.
    change = {"call": str(call.id), "status": "pending", "revision": 2}
    bobs.evaluate(
        "change => document.body.dispatchEvent(new CustomEvent('riskgate:call', {detail: change}))", change
    )
    expect(bobs.locator("[data-lease-words]")).to_have_text(re.compile("somebody else took it"))
    expect(bobs.locator(".seat").first).to_contain_text("taken")
    expect(bobs.get_by_role("button", name="Approve in seat 1")).to_be_disabled()
    expect(bobs.get_by_role("textbox").first).to_have_value("It drops the table")


def test_a_draft_outlives_the_page_and_not_the_sign_out(
    bobs: Page, served: str, world: World, call: CallView
) -> None:
    answering(bobs, served, world, call, 200)
    bobs.get_by_role("textbox").first.fill("It drops the table")
    challenges.leave(member=world.bob, call_id=call.id, now=utcnow())
    bobs.goto(f"{served}/history")
    start(world.bob, call)
    bobs.goto(f"{served}/review/{call.id}/challenge")
    expect(bobs.get_by_role("textbox").first).to_have_value("It drops the table")
    bobs.goto(f"{served}/account")
    assert bobs.evaluate("Object.keys(sessionStorage).filter(name => name.startsWith('draft')).length") == 1
    bobs.locator("main form[action$='/logout/'] button").click()
    bobs.wait_for_load_state()
    assert bobs.evaluate("sessionStorage.length") == 0
