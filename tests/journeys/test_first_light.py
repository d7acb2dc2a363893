"""One HIGH action, from the agent's request to bob's quiz to the agent's report: `up --demo` and a real browser."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, Page, expect

from riskgate.client.http import Client
from tests.browsing import chromium
from tests.cli.test_up import Up

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("journeys")]


@dataclass
class House:
    """A running `up --demo`, and its demo.json."""

    up: Up
    demo: dict[str, Any]

    @property
    def url(self) -> str:
        return str(self.demo["url"])

    def right_answers(self, call_id: str) -> list[str]:
        """What is right on the paper that is open for this call: the test peeks where a person would read."""
        with psycopg.connect(self._database()) as connection:
            row = connection.execute(
                "SELECT paper FROM storage_challengeattempt WHERE call_id = %s AND answered_at IS NULL", [call_id]
            ).fetchone()
        assert row is not None
        return [question["answer"] for question in json.loads(row[0])["questions"]]

    def _database(self) -> str:
        lines = (self.up.data / "settings.env").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)["DATABASE_URL"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    up = Up(tmp_path_factory.mktemp("journey") / "var", "--demo")
    try:
        up.start()
        yield House(up, json.loads((up.data / "demo.json").read_text()))
    finally:
        up.end()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert said == [], "the browser complained"


def sign_in(page: Page, house: House, name: str) -> None:
    page.goto(house.url)
    page.get_by_label("E-mail").fill(house.demo["users"][name]["email"])
    page.get_by_label("Password").fill(house.demo["users"][name]["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Queue", level=1)).to_be_visible()


def the_agent_asks(house: House, target: str) -> Any:
    """The worked example for another target: HIGH, a quiz."""
    with Client(house.url, house.demo["api_key"]) as client:
        return client.submit(
            "delete_user",
            [target],
            {"env": "production"},
            docstring="Permanently remove a user account.",
            reason="the user asked to be forgotten",
            session=f"journey-{target}",
        )


def fill_in(page: Page, answers: list[str], *, wrong: bool = False) -> None:
    """Answers every question of the paper on the page."""
    for number, answer in enumerate(answers):
        question = page.locator("fieldset.question").nth(number)
        typed = question.locator("input[type=text]")
        if typed.count():
            typed.fill("something else" if wrong else answer)
            continue
        for option in question.locator("input[type=radio]").all():
            if (option.input_value() == answer) != wrong:
                option.check()
                break


def check_answers(page: Page) -> None:
    button = page.get_by_role("button", name="Check answers")
    expect(button).to_be_enabled(timeout=20_000)
    button.click()


def test_bob_sees_it_come_fails_the_quiz_passes_it_and_the_agent_claims_and_reports(
    house: House, page: Page
) -> None:
    sign_in(page, house, "bob")
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
    page.get_by_role("button", name=re.compile("Start the quiz")).click()
    expect(page.get_by_role("heading", name="Three questions about this call")).to_be_visible()
    right = house.right_answers(action.id)
    fill_in(page, right, wrong=True)
    check_answers(page)
    expect(page.locator("body")).to_contain_text("1 attempt left")

    page.get_by_role("button", name=re.compile("Start the quiz")).click()
    expect(page.get_by_role("heading", name="Three questions about this call")).to_be_visible()
    fill_in(page, house.right_answers(action.id))
    check_answers(page)
    expect(page.locator("#decision")).to_contain_text("You approved this")

    with Client(house.url, house.demo["api_key"]) as client:
        approved = client.get(action.id)
        assert (approved.status, approved.next) == ("approved", "claim")
        client.claim(approved)
        client.report(action.id, succeeded=True, output={"deleted": 1})

    page.goto(f"{house.url}/history")
    expect(page.locator("main")).to_contain_text("usr_journey_1")
    expect(page.locator("main")).to_contain_text("claimed")


def test_the_demo_agent_works_on_its_own_and_runs_what_bob_approves(house: House, page: Page) -> None:
    sign_in(page, house, "bob")
    first = page.locator(".row-link").filter(has_text="HIGH").first
    expect(first).to_be_visible(timeout=30_000)
    call_id = str(first.get_attribute("id")).removeprefix("row-")
    page.goto(f"{house.url}/review/{call_id}")
    page.get_by_role("button", name=re.compile("Start the quiz")).click()
    expect(page.locator("fieldset.question").first).to_be_visible()
    fill_in(page, house.right_answers(call_id))
    check_answers(page)
    expect(page.locator("#decision")).to_contain_text("You approved this")
    # The demo agent waits for the decision, claims, runs and reports; the page tells it without a reload.
    expect(page.locator("#review")).to_contain_text(re.compile("it (succeeded|failed)"), timeout=60_000)


def test_bob_denies_with_one_click_and_carol_no_longer_has_a_button(
    house: House, page: Page, browser: Browser
) -> None:
    action = the_agent_asks(house, "usr_journey_2")
    context = browser.new_context()
    carols = context.new_page()
    sign_in(carols, house, "carol")
    carols.goto(f"{house.url}/review/{action.id}")
    expect(carols.get_by_role("button", name=re.compile("^Deny"))).to_be_visible()
    sign_in(page, house, "bob")
    page.goto(f"{house.url}/review/{action.id}")
    page.get_by_role("button", name=re.compile("^Deny")).click()
    expect(page.locator("#decision")).to_contain_text("You denied this")
    expect(carols.locator("#decision")).to_contain_text("Somebody else decided this")
    expect(carols.get_by_role("button", name=re.compile("^Deny"))).to_have_count(0)
    context.close()
    page.goto(f"{house.url}/history")
    expect(page.locator("main")).to_contain_text("denied")
    with Client(house.url, house.demo["api_key"]) as client:
        assert client.get(action.id).status == "denied"


