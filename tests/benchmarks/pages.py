"""The two pages that people work in, with much to do: time, queries and bytes, as `up` serves them."""

import gzip
import http.client
import re
import statistics
import time
from collections.abc import Iterator
from urllib.parse import urljoin

from tests.benchmarks import actions
from tests.benchmarks.house import House, the_house
from tests.benchmarks.table import Row

PENDING = 500
KB = 1000


def rows(quick: bool) -> Iterator[Row]:
    house = the_house()
    from riskgate.storage.models import Call
    from tests.people import CRITICAL, HIGH, submit
    from tests.web.pages import signed_in

    world = house.world
    pending = 20 if quick else PENDING
    submit(world, CRITICAL, session="benchmark")
    submit(world, HIGH, session="benchmark")
    for number in range(pending - 2):
        submit(world, actions.medium("benchmark", number))
    call = Call.objects.filter(team_id=world.bob.team_id, function_name=HIGH["function_name"]).latest("id")
    browser = signed_in(world, "bob")
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())
    for name, path in (
        (f"queue, {pending} pending", "/"),
        (f"queue, {pending} pending, second page", _second_page(house, cookies)),
        ("review", f"/review/{call.id}"),
    ):
        taken = sorted(_milliseconds(house, path, cookies) for _ in range(5 if quick else 60))
        yield Row(f"{name}: server time, median", statistics.median(taken), "ms", at_most=40)
        yield Row(f"{name}: server time, p95", taken[len(taken) * 95 // 100], "ms", at_most=40)
        yield Row(f"{name}: queries", _queries(browser, path), "", at_most=15)
        yield Row(
            f"{name}: first view, everything in it", _first_view(house, path, cookies) / KB, "kB", at_most=150
        )


def _get(house: House, path: str, cookies: str) -> tuple[bytes, bytes, str]:
    """The bytes that came over the wire, what they mean, and their type."""
    connection = http.client.HTTPConnection("127.0.0.1", house.port)
    headers = {"Host": "localhost", "Cookie": cookies, "Accept-Encoding": "gzip", "Accept": "text/html, */*"}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    came = answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
    packed = answer.headers.get("Content-Encoding") == "gzip"
    return came, gzip.decompress(came) if packed else came, answer.headers["Content-Type"]


def _milliseconds(house: House, path: str, cookies: str) -> float:
    """From the request's first byte to the answer's last, on an idle server. A wink between two readers."""
    time.sleep(0.02)
    began = time.perf_counter()
    _get(house, path, cookies)
    return (time.perf_counter() - began) * 1000


def _queries(browser: object, path: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        answer = browser.get(path, headers={"host": "localhost"})  # type: ignore[attr-defined]
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answered {answer.status_code}")
    return len(captured)


def _second_page(house: House, cookies: str) -> str:
    page = _get(house, "/", cookies)[1].decode()
    found = re.search(r'href="([^"]*[?&;]cursor=[^"]+)"', page)
    return urljoin("/", found[1].replace("&amp;", "&")) if found else "/"


LOADED = re.compile(
    r"""<link[^>]+rel="(?:stylesheet|icon|preload)"[^>]*>|<script[^>]+src="[^"]+"|<img[^>]+src="[^"]+"|<use[^>]+href="[^"#]+"""
)
ADDRESS = re.compile(r'(?:href|src)="([^"#]+)')
IN_STYLE = re.compile(r"url\([\"']?([^)\"'#]+)")


def _first_view(house: House, path: str, cookies: str) -> int:
    """The body bytes of the page and of all that it makes a browser load, as they are sent."""
    came, page, _ = _get(house, path, cookies)
    total, seen = len(came), set()
    wanted = [found[1] for tag in LOADED.findall(page.decode()) if (found := ADDRESS.search(tag))]
    while wanted:
        address = urljoin(path, wanted.pop().replace("&amp;", "&"))
        if address in seen or not address.startswith("/"):
            continue
        seen.add(address)
        came, text, kind = _get(house, address, cookies)
        total += len(came)
        if kind.startswith("text/css"):
            wanted += [urljoin(address, each) for each in IN_STYLE.findall(text.decode())]
    return total
