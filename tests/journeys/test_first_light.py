"""One HIGH action, from the agent's request to bob's quiz to the agent's report: `up --demo` and a real browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from riskgate.client.http import Action
from tests.journeys.house import House, fill_in, press

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("journeys")]

Visitor = Callable[[str], Page]


def the_agent_asks(house: House, target: str) -> Action:
    """The worked example for another target: HIGH, a quiz."""
    return house.asks(
        "delete_user",
        target,
        kwargs={"env": "production"},
        docstring="Permanently remove a user account.",
        reason="the user asked to be forgotten",
        session=f"journey-{target}",
    )


def test_bob_sees_it_come_fails_the_quiz_passes_it_and_the_agent_claims_and_reports(
    house: House, visitor: Visitor
) -> None:
    page = visitor("bob")
    action = the_agent_asks(house, "usr_journey_1")
    assert (action.level, action.status, action.score) == ("HIGH", "pending", 0.72)

    row = page.locator(f'[data-call="{action.id}"] a').first
    expect(row).to_be_visible()  # it came by itself: nothing was reloaded
    row.click()
    review = page.locator("#review")
    expect(review).to_contain_text("usr_journey_1")
    expect(review).to_contain_text("0.720")
    expect(review.locator("mark").filter(has_text="production").first).to_be_visible()

    page.goto(f"{house.url}/review/{action.id}")
    press(page, "Start the quiz")
    expect(page.get_by_role("heading", name="Three questions about this call")).to_be_visible()
    fill_in(page, house.right_answers(action.id), wrong=True)
    press(page, "Check answers")
    expect(page.locator("body")).to_contain_text("1 attempt left")

    press(page, "Start the quiz")
    expect(page.get_by_role("heading", name="Three questions about this call")).to_be_visible()
    fill_in(page, house.right_answers(action.id))
    press(page, "Check answers")
    expect(page.locator("#decision")).to_contain_text("You approved this")

    with house.agent() as client:
        approved = client.get(action.id)
        assert (approved.status, approved.next) == ("approved", "claim")
        client.claim(approved)
        client.report(action.id, succeeded=True, output={"deleted": 1})
    expect(page.locator("#review")).to_contain_text("it succeeded")

    page.goto(f"{house.url}/history")
    expect(page.locator("main")).to_contain_text("usr_journey_1")
    expect(page.locator("main")).to_contain_text("claimed")


def test_the_demo_agent_works_on_its_own_and_runs_what_bob_approves(house: House, visitor: Visitor) -> None:
    page = visitor("bob")
    first = page.locator(".row-link").filter(has_text="HIGH").first
    expect(first).to_be_visible(timeout=30_000)
    call_id = str(first.get_attribute("id")).removeprefix("row-")
    page.goto(f"{house.url}/review/{call_id}")
    press(page, "Start the quiz")
    expect(page.locator(".question").first).to_be_visible()
    fill_in(page, house.right_answers(call_id))
    press(page, "Check answers")
    expect(page.locator("#decision")).to_contain_text("You approved this")
    # The demo agent waits for the decision, claims, runs and reports; the page tells it without a reload.
    expect(page.locator("#review")).to_contain_text(re.compile("it (succeeded|failed)"), timeout=60_000)


def test_bob_denies_with_one_click_and_carol_no_longer_has_a_button(house: House, visitor: Visitor) -> None:
    action = the_agent_asks(house, "usr_journey_2")
    bobs, carols = visitor("bob"), visitor("carol")
    carols.goto(f"{house.url}/review/{action.id}")
    expect(carols.get_by_role("button", name=re.compile("^Deny d"))).to_be_visible()
    bobs.goto(f"{house.url}/review/{action.id}")
    press(bobs, "^Deny d")
    expect(bobs.locator("#decision")).to_contain_text("You denied this")
    expect(carols.locator("#decision")).to_contain_text("Somebody else decided this")
    expect(carols.get_by_role("button", name=re.compile("^Deny d"))).to_have_count(0)
    bobs.goto(f"{house.url}/history")
    expect(bobs.locator("main")).to_contain_text("denied")
    with house.agent() as client:
        assert client.get(action.id).status == "denied"
