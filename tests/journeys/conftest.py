import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browsing import chromium
from tests.cli.test_up import Up
from tests.journeys.house import House


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    up = Up(tmp_path_factory.mktemp("journey") / "var", "--demo")
    try:
        up.start()
        yield House(up, json.loads((up.data / "demo.json").read_text()))
    finally:
        up.end()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def visitor(house: House, browser: Browser) -> Iterator[Callable[[str], Page]]:
    """Lets a person of the demo come in, each with a browser of their own; nothing on any page may complain."""
    said: list[str] = []
    contexts = []

    def come_in(name: str) -> Page:
        contexts.append(browser.new_context(viewport={"width": 1440, "height": 900}))
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        house.sign_in(page, name)
        return page

    yield come_in
    for context in contexts:
        context.close()
    assert said == [], "the browser complained"
