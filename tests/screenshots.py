"""The README's pictures, from a running demo: `python -m tests.screenshots`. Takes about a minute and a half."""

import json
import re
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browsing import chromium
from tests.cli.test_up import Up

FOLDER = Path(__file__).parent / "screenshots"
FILLING = 75_000
"""Milliseconds in which the demo agent fills the queue."""


def signed_in(browser: Browser, demo: dict, *, width: int, height: int, theme: str) -> Page:  # type: ignore[type-arg]
    page = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme).new_page()  # type: ignore[arg-type]
    page.goto(demo["url"])
    page.get_by_label("E-mail").fill(demo["users"]["bob"]["email"])
    page.get_by_label("Password").fill(demo["users"]["bob"]["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.locator(".row-link").first.wait_for()
    return page


def keep(page: Page, name: str) -> None:
    page.wait_for_timeout(800)
    page.screenshot(path=FOLDER / f"{name}.png")


def first(page: Page, level: str) -> str:
    """The address of the first row of a level."""
    return str(page.locator(".row-link").filter(has_text=level).first.get_attribute("id")).removeprefix("row-")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="riskgate-screenshots-") as folder, chromium() as browser:
        up = Up(Path(folder) / "var", "--demo").start()
        try:
            demo = json.loads((up.data / "demo.json").read_text())
            page = signed_in(browser, demo, width=1440, height=900, theme="light")
            page.wait_for_timeout(FILLING)
            page.goto(f"{demo['url']}/?selected={first(page, 'HIGH')}")
            keep(page, "queue-desktop-light")
            high, critical = first(page, "HIGH"), first(page, "CRITICAL")
            page.goto(f"{demo['url']}/review/{high}")
            page.get_by_role("button", name=re.compile("Start the quiz")).click()
            keep(page, "quiz-desktop-light")
            page.goto(f"{demo['url']}/history")
            keep(page, "history-desktop-light")
            dark = signed_in(browser, demo, width=1440, height=900, theme="dark")
            dark.goto(f"{demo['url']}/review/{critical}")
            keep(dark, "review-critical-dark")
            phone = signed_in(browser, demo, width=390, height=844, theme="light")
            phone.goto(f"{demo['url']}/review/{high}")
            keep(phone, "review-phone-light")
        finally:
            up.end()


if __name__ == "__main__":
    main()
