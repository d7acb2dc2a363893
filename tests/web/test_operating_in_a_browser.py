"""A real browser on the queue, the reviews and the challenges: what axe says, and what the keys and the ring do."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from riskgate.services import approvals
from tests.people import CRITICAL, HIGH, MEDIUM, World, approve, make_world, reread, start, submit
from tests.web.pages import signed_in
from tests.web.test_pages_in_a_browser import browser, complaints, looked_at, served
from tests.web.test_review import HOSTILE, SECRET

__all__ = ["browser", "served"]

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_world()


def client_of(world: World, who: str) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.get(pk=world.members[who].user_id))
    return client


@pytest.fixture
def bobs(browser: Browser, served: str, world: World) -> Iterator[Page]:
    """bob's window, wide enough for both panes."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    morsels = client_of(world, "bob").cookies.items()
    context.add_cookies([{"name": name, "value": morsel.value, "url": served} for name, morsel in morsels])
    page = context.new_page()
    page.set_default_timeout(10_000)
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert said == []


def test_axe_finds_nothing_serious_where_people_decide(browser: Browser, served: str, world: World) -> None:
    medium, high, critical, hostile, secret, denied, approved = (
        submit(world, fields) for fields in (MEDIUM, HIGH, CRITICAL, HOSTILE, SECRET, MEDIUM, MEDIUM)
    )
    approvals.deny(member=world.carol, call_id=denied.id, reason="No.")
    approve(world.carol, approved)
    for call in (medium, high, critical):
        start(world.bob, call)
    paths = ["/", "/?scope=all", f"/?selected={high.id}", "/?level=CRITICAL&scope=mine"]
    paths += [reverse("review", args=[call.id]) for call in (hostile, secret, denied, approved)]
    paths += [reverse("challenge", args=[call.id]) for call in (medium, high, critical)]
    paths += [reverse("review_raw", args=[hostile.id])]
    assert looked_at(browser, served, paths, client_of(world, "bob")) == {}


def test_axe_finds_nothing_serious_in_an_empty_queue(browser: Browser, served: str, world: World) -> None:
    assert looked_at(browser, served, ["/", "/?scope=mine"], client_of(world, "eve")) == {}


def test_j_and_k_read_through_the_queue(bobs: Page, served: str, world: World) -> None:
    medium, high, critical = submit(world, MEDIUM), submit(world, HIGH), submit(world, CRITICAL)
    bobs.goto(served)

    def reading(call: Any) -> None:
        expect(bobs.locator(f'#review[data-call="{call.id}"]')).to_be_visible()
        expect(bobs.locator(".row-selected")).to_have_attribute("data-call", str(call.id))

    reading(critical)
    bobs.keyboard.press("j")
    reading(high)
    bobs.keyboard.press("j")
    reading(medium)
    bobs.keyboard.press("k")
    reading(high)
    assert f"selected={high.id}" in bobs.url
    bobs.keyboard.press("Enter")
    bobs.wait_for_url(f"**/review/{high.id}")
    expect(bobs.locator("[data-place]")).to_have_text("2 of 3")
    bobs.keyboard.press("j")
    bobs.wait_for_url(f"**/review/{medium.id}")
    bobs.keyboard.press("Escape")
    bobs.wait_for_url(served + "/")
    bobs.keyboard.press("g")
    bobs.keyboard.press("h")
    bobs.wait_for_url("**/history")


def test_d_denies_the_selected_action_and_the_row_goes(bobs: Page, served: str, world: World) -> None:
    high = submit(world, HIGH)
    submit(world, MEDIUM)
    bobs.goto(served)
    expect(bobs.locator(".row")).to_have_count(2)
    bobs.keyboard.press("d")
    expect(bobs.locator("#decision")).to_contain_text("You denied this.")
    expect(bobs.locator(".row")).to_have_count(1)
    expect(bobs).to_have_title("(1) Queue · riskgate")
    assert reread(world, high).status == "denied"


def test_b_asks_for_a_reason_and_writing_it_uses_no_keys(bobs: Page, served: str, world: World) -> None:
    high = submit(world, HIGH)
    bobs.goto(served)
    bobs.keyboard.press("b")
    reason = bobs.get_by_label("What should the agent change?")
    expect(reason).to_be_focused()
    bobs.keyboard.type("d: add the date, jj")
    assert reread(world, high).status == "pending"
    bobs.get_by_role("button", name="Send back", exact=True).click()
    expect(bobs.locator("#decision")).to_contain_text("You sent this back.")
    assert reread(world, high).message == "d: add the date, jj"


def test_a_starts_the_confirmation_and_never_approves_by_itself(
    bobs: Page, served: str, world: World
) -> None:
    call = submit(world, MEDIUM)
    bobs.goto(served)
    bobs.keyboard.press("a")
    button = bobs.get_by_role("button", name="Approve")
    expect(button).to_be_disabled()
    before = button.bounding_box()
    bobs.keyboard.press("a")
    expect(button).to_be_enabled()
    assert button.bounding_box() == before  # nothing jumps
    assert reread(world, call).status == "pending"
    button.click()
    expect(bobs.locator("#decision")).to_contain_text("You approved this.")


def test_the_quiz_waits_for_the_reading_and_for_every_answer(bobs: Page, served: str, world: World) -> None:
    call = submit(world, HIGH)
    bobs.goto(f"{served}/review/{call.id}")
    bobs.keyboard.press("a")
    button = bobs.get_by_role("button", name="Check answers")
    expect(bobs.locator("[data-wait-title]")).to_contain_text("s more")
    for number, question in enumerate(bobs.locator(".question").all()):
        expect(bobs.locator("[data-answered]")).to_contain_text(f"{number} of 3 answered")
        typed = question.locator("input[type=text]")
        typed.fill("x") if typed.count() else question.locator(".answer").first.click()
    expect(button).to_be_disabled()
    expect(button).to_be_enabled(timeout=12_000)
    expect(bobs.locator("[data-wait-title]")).to_have_text("Read long enough")


def test_keys_can_be_turned_off_and_stay_off(bobs: Page, served: str, world: World) -> None:
    high = submit(world, HIGH)
    bobs.goto(served)
    bobs.keyboard.press("?")
    bobs.get_by_label("Use these keys in this browser").uncheck()
    bobs.keyboard.press("Escape")
    bobs.keyboard.press("d")
    bobs.reload()
    bobs.keyboard.press("d")
    expect(bobs.locator("#decision kbd").first).to_be_hidden()
    assert reread(world, high).status == "pending"


def test_what_stayed_in_view_is_marked_as_read(bobs: Page, served: str, world: World) -> None:
    submit(world, HIGH)
    bobs.goto(served)
    expect(bobs.get_by_label("Unread")).to_have_count(1)
    expect(bobs.get_by_label("Unread")).to_have_count(0)


def test_a_chosen_theme_stays(bobs: Page, served: str, world: World) -> None:
    bobs.goto(served)
    ground = "getComputedStyle(document.body.parentElement).backgroundColor"
    light = bobs.evaluate(ground)
    button = bobs.locator("[data-theme-button]")
    button.click()
    assert bobs.evaluate(ground) == light
    button.click()
    assert bobs.evaluate(ground) != light
    bobs.reload()
    assert bobs.evaluate(ground) != light
    expect(button).to_have_accessible_name("Theme: dark. Change to as the system")


def test_a_slash_finds_and_what_is_typed_there_is_no_key(bobs: Page, served: str, world: World) -> None:
    medium, high = submit(world, MEDIUM), submit(world, HIGH)
    bobs.goto(served)
    bobs.keyboard.press("/")
    search = bobs.get_by_role("searchbox", name="Find in the queue")
    expect(search).to_be_focused()
    bobs.keyboard.type("d-7")
    bobs.keyboard.press("Enter")
    expect(bobs.locator(".row")).to_have_count(1)
    expect(bobs.locator(f'#review[data-call="{medium.id}"]')).to_be_visible()
    assert reread(world, high).status == reread(world, medium).status == "pending"


def test_keys_are_turned_off_in_the_account_too(bobs: Page, served: str, world: World) -> None:
    high = submit(world, HIGH)
    bobs.goto(f"{served}/account")
    bobs.get_by_label("Use keyboard shortcuts in this browser").uncheck()
    bobs.goto(served)
    bobs.keyboard.press("d")
    bobs.keyboard.press("/")
    expect(bobs.locator("[data-search]")).not_to_be_focused()
    assert reread(world, high).status == "pending"


def test_who_chose_an_action_tells_it_and_who_only_has_the_queue_open_does_not(
    bobs: Page, served: str, world: World
) -> None:
    submit(world, HIGH)
    medium = submit(world, MEDIUM)
    with bobs.expect_request("**/open") as told:
        bobs.goto(served)
    assert not told.value.post_data
    with bobs.expect_request("**/open") as told:
        bobs.keyboard.press("j")
    assert (told.value.post_data, str(medium.id) in told.value.url) == ("present=yes", True)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_revealed_value_stands_in_view_and_axe_finds_nothing_serious(
    browser: Browser, served: str, world: World, theme: Literal["light", "dark"]
) -> None:
    call = submit(world, SECRET)
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=theme)
    morsels = signed_in(world, "dave").cookies.items()
    context.add_cookies([{"name": name, "value": morsel.value, "url": served} for name, morsel in morsels])
    page = context.new_page()
    page.goto(f"{served}/review/{call.id}")
    page.get_by_role("button", name="Reveal the masked value").click()
    revealed = page.get_by_label("Revealed to you")
    expect(revealed).to_be_in_viewport()
    expect(revealed).to_contain_text(SECRET["kwargs"]["api_token"])
    assert complaints(page) == []
    context.close()
