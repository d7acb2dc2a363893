"""A CRITICAL action: bob teaches back, alice passes the quiz, carol looks on and learns nothing."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.house import House, fill_in, press
from tests.people import CRITICAL

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("journeys")]


def test_two_people_approve_in_two_browsers_and_a_third_learns_nothing(
    house: House, visitor: Callable[[str], Page]
) -> None:
    action = house.asks(session="journey-ledger", **CRITICAL)
    assert (action.level, action.status) == ("CRITICAL", "pending")
    bobs, alices, carols = visitor("bob"), visitor("alice"), visitor("carol")
    for page in (bobs, alices, carols):
        page.goto(f"{house.url}/review/{action.id}")
        expect(page.locator("#decision")).to_contain_text("Two people must approve")

    press(bobs, "Start the teach-back")
    fill_in(bobs, house.right_answers(action.id))
    expect(carols.locator("#decision")).to_contain_text("taken")
    press(bobs, "Approve in seat 1")
    expect(bobs.locator("#decision")).to_contain_text("1 of 2")
    expect(carols.locator("#decision")).to_contain_text("filled")

    press(alices, "Start the quiz")
    fill_in(alices, house.right_answers(action.id))
    expect(carols.locator("#decision")).to_contain_text("taken")
    carols.reload()
    assert "Okafor" not in carols.locator("main").inner_text(), "that k of n are filled is visible, and not by whom"
    with house.agent() as client:
        waiting = client.get(action.id)
        assert (waiting.status, waiting.body["progress"]) == ("pending", {"approvals": 1, "of": 2})
        assert "Okafor" not in str(waiting.body)

    press(alices, "Approve in seat 2")
    expect(alices.locator("#decision")).to_contain_text("approved")
    expect(carols.locator("#decision")).to_contain_text("Somebody else decided this")
    expect(carols.locator("#review")).to_contain_text("Bob Okafor")
    with house.agent() as client:
        approved = client.get(action.id)
        assert approved.claimable
        client.claim(approved)
        client.report(action.id, succeeded=False, error="the table was locked")
