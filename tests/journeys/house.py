"""A running `up --demo`, and what people do in its pages."""

import json
import re
from dataclasses import dataclass
from typing import Any

import psycopg
from playwright.sync_api import Page, expect

from riskgate.client.http import Action, Client
from tests.cli.test_up import Up
from tests.people import IN_OWN_WORDS


@dataclass
class House:
    """A running `up --demo`, and its demo.json."""

    up: Up
    demo: dict[str, Any]

    @property
    def url(self) -> str:
        return str(self.demo["url"])

    def agent(self) -> Client:
        return Client(self.url, self.demo["api_key"])

    def asks(self, function_name: str, *args: Any, **fields: Any) -> Action:
        """The agent submits an action."""
        with self.agent() as client:
            return client.submit(function_name, list(args), **fields)

    def right_answers(self, call_id: str) -> list[str]:
        """What is right on the paper that was served last and is open: the test peeks where a person would read."""
        with psycopg.connect(self._database()) as connection:
            row = connection.execute(
                "SELECT paper FROM storage_challengeattempt "
                "WHERE call_id = %s AND answered_at IS NULL AND left_at IS NULL ORDER BY served_at DESC LIMIT 1",
                [call_id],
            ).fetchone()
        assert row is not None
        questions = json.loads(row[0])["questions"]
        return [IN_OWN_WORDS if each["kind"] == "prose" else each["answer"] for each in questions]

    def _database(self) -> str:
        lines = (self.up.data / "settings.env").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)["DATABASE_URL"]

    def sign_in(self, page: Page, name: str) -> None:
        page.goto(self.url)
        page.get_by_label("E-mail").fill(self.demo["users"][name]["email"])
        page.get_by_label("Password").fill(self.demo["users"][name]["password"])
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("heading", name="Queue", level=1)).to_be_visible()


def fill_in(page: Page, answers: list[str], *, wrong: bool = False) -> None:
    """Answers every question of the paper on the page."""
    expect(page.locator(".question")).to_have_count(len(answers))
    for number, answer in enumerate(answers):
        question = page.locator(".question").nth(number)
        typed = question.locator("input[type=text], textarea")
        if typed.count():
            typed.fill("something else" if wrong else answer)
            continue
        chosen = question.locator("select")
        if chosen.count():
            chosen.select_option(answer)
            continue
        for option in question.locator("input[type=radio]").all():
            if (option.input_value() == answer) != wrong:
                option.check()
                break


def press(page: Page, name: str, *, within: int = 40) -> None:
    """Presses a button as soon as the least review time lets it."""
    button = page.get_by_role("button", name=re.compile(name))
    expect(button).to_be_enabled(timeout=within * 1000)
    button.click()
