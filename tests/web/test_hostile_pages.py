"""Pages about the worst that an agent can send: they stay small, and nothing in them hides what is around it."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from riskgate.services import approvals
from riskgate.services.shapes import CallView
from tests.people import HIGH, World, reread, start, submit
from tests.web.pages import signed_in, text_of

LARGEST = 300_000
"""Bytes of a page, whatever it is about."""

R = "\u202e"
Z = "\u200b"

WORST: dict[str, dict[str, Any]] = {
    "zeros": {"kwargs": {"sql": "DROP TABLE a", "z": [0] * 120_000}},
    "one override": {"kwargs": {"sql": "DROP TABLE a", "z": R * 80_000}},
    "two overrides": {"kwargs": {"sql": "DROP TABLE a", "z": (R + Z) * 40_000}},
    "quotes": {"kwargs": {"sql": "DROP TABLE a" + "'\"" * 100_000}},
    "many statements": {"args": ["DROP TABLE a; " * 17_000]},
    "many commands": {"args": [["rm -rf /" + Z + R] * 12_000]},
    "many long texts": {"args": [[(R + Z) * 120] * 299], "kwargs": {"sql": "DROP TABLE a"}},
    "many names": {"kwargs": {R * 60 + str(i): {Z * 60: "DROP TABLE a"} for i in range(400)}},
    "words": {
        "docstring": '"' * 60_000,
        "reason": (R + Z) * 20_000,
        "hints": {f"h{i}": "<" * 200 for i in range(300)},
    },
    "metadata": {"metadata": {f"m{i}": ["&" * 100, {Z: R * 9}] for i in range(600)}},
    "deep": {"args": [[[[[0] * 20] * 20] * 20] * 7], "kwargs": {"sql": "DROP TABLE a"}},
}


def page(client: Client, route: str, call: CallView) -> str:
    response = client.get(reverse(route, args=[call.id]))
    assert response.status_code == 200
    return response.content.decode()


def size(text: str) -> int:
    return len(text.encode())


@pytest.mark.parametrize("kind", WORST)
def test_the_review_and_the_queue_of_the_largest_call_are_small(world: World, kind: str) -> None:
    call = submit(world, {**HIGH, "function_name": "execute_sql", **WORST[kind]})
    bob = signed_in(world, "bob")
    shown = page(bob, "review", call)
    assert size(shown) < LARGEST
    assert shown.count('<div class="tree-row') <= 301
    queue = bob.get("/").content.decode()
    assert f'id="review" data-call="{call.id}"' in queue
    assert size(queue) < LARGEST
    for address in (reverse("session", args=[call.session_id]), reverse("agent", args=[call.agent_id])):
        assert size(bob.get(address).content.decode()) < LARGEST


@pytest.mark.parametrize("kind", ["zeros", "two overrides", "words"])
def test_so_is_its_challenge(world: World, kind: str) -> None:
    fields = {key: value for key, value in WORST[kind].items() if key != "kwargs"}
    kwargs = {"env": "production", **{k: v for k, v in WORST[kind].get("kwargs", {}).items() if k != "sql"}}
    call = submit(world, {**HIGH, **fields, "kwargs": kwargs})
    start(world.bob, call)
    assert size(page(signed_in(world, "bob"), "challenge", call)) < LARGEST


def test_a_long_list_is_counted_and_its_statement_stands_above_it(world: World) -> None:
    call = submit(world, {"function_name": "execute_sql", **WORST["zeros"]})
    words = text_of(page(signed_in(world, "bob"), "review", call))
    assert 'sql "DROP TABLE a"' in words
    assert "119,702 more values: see the raw call" in words


def test_the_raw_call_has_all_of_it(world: World) -> None:
    call = submit(world, {**HIGH, **WORST["zeros"], "metadata": {"ticket": "OPS-7"}})
    raw = page(signed_in(world, "bob"), "review_raw", call)
    assert len(re.findall(r"^ +0,?$", raw, flags=re.MULTILINE)) == 120_000
    words = text_of(raw)
    assert '"metadata": { "ticket": "OPS-7" }' in words
    assert '"reason": "the user asked to be forgotten"' in words
    assert '"session": "run-1"' in words


def test_a_long_hint_is_whole_in_its_fold_and_in_the_raw_call(world: World) -> None:
    note = "x" * 900 + "the end"
    call = submit(world, {**HIGH, "hints": {"note": note}, "metadata": {"note": note}})
    bob = signed_in(world, "bob")
    words = text_of(page(bob, "review", call))
    assert words.count("the end") == 2
    assert "more characters, none of them matched" in words
    assert page(bob, "review_raw", call).count(note) == 2


HIDING = "\u202e\u2066\u200b\u2028\u00ad"

SPELLED: dict[str, Any] = {
    "function_name": f"delete_{HIDING}user",
    "args": [f"usr_{HIDING}1"],
    "kwargs": {f"env{HIDING}": f"production{HIDING}"},
    "docstring": f"Permanently{HIDING} remove it.",
    "reason": f"please{HIDING}",
    "hints": {f"note{HIDING}": HIDING},
    "metadata": {HIDING: HIDING},
    "session": f"run-{HIDING}",
}


def test_nowhere_on_a_page_is_a_character_that_turns_or_hides(world: World) -> None:
    earlier = submit(world, SPELLED)
    call = submit(world, SPELLED)
    bob = signed_in(world, "bob")
    attempt = start(world.bob, call)
    approvals.deny(member=world.carol, call_id=earlier.id, reason=f"no{HIDING}")
    addresses = [
        "/",
        f"/?function={SPELLED['function_name']}",
        "/?scope=all",
        "/history",
        *(reverse(route, args=[call.id]) for route in ("review", "review_raw", "challenge")),
        reverse("review", args=[earlier.id]),
        reverse("session", args=[call.session_id]),
        reverse("agent", args=[call.agent_id]),
    ]
    assert reread(world, call).status == "pending"
    options = {option for question in attempt.questions for option in question.get("options", ())}
    for address in addresses:
        response = bob.get(address)
        assert response.status_code == 200
        shown = response.content.decode()
        for option in options:
            # What is sent back has to be the option itself; nobody sees it.
            shown = shown.replace(f'value="{option}"', "")
        for character in HIDING:
            assert character not in shown, (address, f"U+{ord(character):04X}")


def test_the_title_spells_hidden_characters_out(world: World) -> None:
    shown = page(signed_in(world, "bob"), "review", submit(world, SPELLED))
    title = shown.split("<title>")[1].split("</title>")[0]
    assert "delete_U+202EU+2066U+200BU+2028U+00ADuser" in title


def test_a_name_that_imitates_a_call_stands_in_quotes(world: World) -> None:
    call = submit(world, {**HIGH, "function_name": "list_files(path='/tmp') # delete"})
    bob = signed_in(world, "bob")
    places = (reverse("review", args=[call.id]), reverse("session", args=[call.session_id]))
    for address in ("/", "/history", *places):
        words = text_of(bob.get(address).content.decode())
        assert "\"list_files(path='/tmp') # delete\"(" in words or "\"list_files(path='/tmp') # d" in words, (
            address
        )


# ------------------------------------------------------------------ the first view


def test_the_first_view_is_small(world: World) -> None:
    for number in range(10):
        submit(world, {**HIGH, "args": [f"usr_{number}"]})
    shown = signed_in(world, "bob").get("/").content.decode()
    names = set(re.findall(r'(?:href|src)="/static/([^"#]+)', shown))
    assert {Path(name).suffix for name in names} == {".css", ".js", ".svg"}
    files = [Path(str(finders.find(unhashed(name)))).read_bytes() for name in names]
    assert sum(map(len, files)) <= 150_000, "unpacked, without the page"
    assert sum(len(gzip.compress(file)) for file in files) + size(shown) <= 100_000, "as it is served"


def unhashed(name: str) -> str:
    """The file behind the name that the page uses."""
    return name if settings.DEBUG else re.sub(r"\.[0-9a-f]{12}(\.\w+)$", r"\1", name)
