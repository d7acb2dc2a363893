"""A CRITICAL action: bob teaches back, grace passes the quiz; carol, dave and erin look on and learn nothing."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from riskgate.client.http import Action
from tests.journeys.house import House, fill_in, press
from tests.people import CRITICAL, IN_OWN_WORDS

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("journeys")]

TABLE = "ledger_entries"
SECRETS = ("Okafor", "Haddad", "bob@", "grace@", IN_OWN_WORDS[:40], "teach-back passed", "Teach-back passed")
"""Who answered, and what came of it."""

Visitor = Callable[[str], Page]


def listen(page: Page) -> None:
    """From now on the page keeps everything that the stream of changes tells it."""
    page.evaluate(
        """() => {
            window.heard = [];
            const source = new EventSource(document.body.dataset.live);
            const keep = (event) => window.heard.push(event.data);
            for (const name of ["queue", "message"]) source.addEventListener(name, keep);
        }"""
    )


def heard(page: Page, action: Action) -> list[dict[str, Any]]:
    changes = [json.loads(data) for data in page.evaluate("window.heard")]
    return [change for change in changes if change["call"] == action.id]


class Onlooker:
    """Somebody of the team who looks wherever there is something to see, in a second tab."""

    def __init__(self, house: House, page: Page, action: Action) -> None:
        self.house, self.page, self.action = house, page, action
        self.tab = page.context.new_page()

    def seen(self) -> dict[str, str]:
        """Every place that shows the action, as it stands in the markup, hidden parts included."""
        places = {
            "the queue": ("/", f'.row[data-call="{self.action.id}"]'),
            "all of the queue": ("/?scope=all", f'.row[data-call="{self.action.id}"]'),
            "the pane": (f"/?selected={self.action.id}", "#review"),
            "the review": (f"/review/{self.action.id}", "main"),
            "the raw call": (f"/review/{self.action.id}/raw", "main"),
            "the challenge": (f"/review/{self.action.id}/challenge", "main"),
            "the session": (f"/sessions/{self.action.body['session']}", "main"),
            "the history": ("/history", f".event:has-text('{TABLE}')"),
        }
        found = {"the open page": self.page.locator("#review").evaluate("element => element.outerHTML")}
        for name, (path, selector) in places.items():
            response = self.tab.goto(self.house.url + path)
            assert response is not None
            assert response.ok, f"{name}: {response.status}"
            parts = self.tab.locator(selector)
            older = self.tab.get_by_role("link", name="Older")
            while not parts.count() and older.count():  # the demo agent has gone on meanwhile
                older.click()
                self.tab.wait_for_load_state()
            assert parts.count(), f"{name} does not show it"
            found[name] = "\n".join(parts.evaluate_all("all => all.map((each) => each.outerHTML)"))
        return found

    def learns_nothing(self) -> None:
        for place, markup in self.seen().items():
            told = [secret for secret in SECRETS if secret in markup]
            assert told == [], f"{place} tells {told}"


def the_agent_learns_nothing(house: House, action: Action, approvals: int) -> None:
    with house.agent() as client:
        waiting = client.get(action.id)
        listed = list(client.list(status="pending"))
    assert (waiting.status, waiting.body["progress"]) == ("pending", {"approvals": approvals, "of": 2})
    told = json.dumps(waiting.body) + str([each.body for each in listed])
    assert not any(secret in told for secret in SECRETS)


def test_two_people_approve_in_two_browsers_and_others_learn_nothing(house: House, visitor: Visitor) -> None:
    action = house.asks(session="journey-ledger", **CRITICAL)
    assert (action.level, action.status) == ("CRITICAL", "pending")
    bobs, graces, carols = visitor("bob"), visitor("grace"), visitor("carol")
    daves, erins = visitor("dave"), visitor("erin")
    for page in (bobs, graces, carols, daves, erins):
        page.goto(f"{house.url}/review/{action.id}")
        expect(page.locator("#decision")).to_contain_text("Two people must approve")
        listen(page)
    onlookers = [Onlooker(house, page, action) for page in (carols, daves, erins)]

    def nobody_learns(approvals: int) -> None:
        for onlooker in onlookers:
            onlooker.learns_nothing()
        the_agent_learns_nothing(house, action, approvals)

    press(bobs, "Start the teach-back")
    fill_in(bobs, house.right_answers(action.id))
    for page in (carols, daves, erins):
        expect(page.locator(".seat").first).to_contain_text("taken")
    nobody_learns(0)

    press(bobs, "Approve in seat 1")
    expect(bobs.locator("#decision")).to_contain_text("1 of 2")
    for page in (carols, daves, erins):
        expect(page.locator(".seat").first).to_contain_text("filled")
    nobody_learns(1)

    press(graces, "Start the quiz")
    expect(carols.locator(".seat").nth(1)).to_contain_text("taken")
    expect(carols.locator("#decision")).to_contain_text("Every open seat is taken")
    nobody_learns(1)
    for page, other in ((graces, "Okafor"), (bobs, "Haddad")):
        assert other not in page.locator("#review").evaluate("element => element.outerHTML")

    for page in (carols, daves, erins):
        changes = heard(page, action)
        assert changes, "the stream tells that something changed"
        assert {frozenset(change) for change in changes} == {frozenset({"call", "status", "revision"})}
        assert {change["status"] for change in changes} == {"pending"}

    fill_in(graces, house.right_answers(action.id))
    press(graces, "Approve in seat 2")
    expect(graces.locator("#decision")).to_contain_text("approved")
    for page in (carols, daves, erins):
        expect(page.locator("#decision")).to_contain_text("Somebody else decided this")
        expect(page.locator("#review")).to_contain_text("Bob Okafor")
        expect(page.locator("#review")).to_contain_text("Grace Haddad")
    with house.agent() as client:
        approved = client.get(action.id)
        assert approved.claimable
        assert "Okafor" not in json.dumps(approved.body), "the agent never learns who decided"
        client.claim(approved)
        client.report(action.id, succeeded=False, error="the table was locked")
