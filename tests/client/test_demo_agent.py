"""The demo agent plays its stories over the public API, whatever people do about them."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.live_server_helper import LiveServer

from riskgate.client import Client, demo_agent
from riskgate.client.demo_agent import MOST_WAITING, DemoAgent
from riskgate.client.demo_sample import Step
from riskgate.client.errors import Unauthorized
from riskgate.core.levels import Level
from riskgate.services import approvals
from riskgate.storage.models import Agent, Call
from tests import people
from tests.people import World

LOOK = Step("a", "get_users", docstring="Lists the users.", output={"users": 3})
FAIL = Step("a", "list_users", docstring="Lists the users.", error="timeout")
ERASE = Step("b", "delete_user", ["usr_123"], {"env": "production"}, "Permanently remove a user account.")
AFTER = Step("b", "get_user", ["usr_123"], docstring="Reads a user.")


def agent(client: Client, *steps: Step) -> DemoAgent:
    return DemoAgent(client, steps, pace=0, work=lambda: 0)


@pytest.fixture
def client(client: Client) -> Iterator[Client]:
    """What a test leaves waiting is withdrawn, so that no thread of the agent outlives it."""
    yield client
    for action in list(client.list(status="pending")):
        client.cancel(action.id)
    for thread in threading.enumerate():
        if thread.name.startswith("demo "):
            thread.join(10)
            assert not thread.is_alive()


def eventually(true: Callable[[], bool], seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, [
            (c.function_name, c.status) for c in Call.objects.order_by("created_at")
        ]
        time.sleep(0.02)


def told() -> list[tuple[str, str]]:
    return list(Call.objects.order_by("created_at").values_list("function_name", "status"))


def test_a_story_that_nobody_is_needed_for_runs_through(client: Client) -> None:
    agent(client, LOOK, FAIL, LOOK).play(once=True)
    assert told() == [("get_users", "succeeded"), ("list_users", "failed"), ("get_users", "succeeded")]
    assert [(call.output, call.error) for call in Call.objects.order_by("created_at")] == [
        ({"users": 3}, None),
        (None, "timeout"),
        ({"users": 3}, None),
    ]
    assert len({call.session_id for call in Call.objects.all()}) == 1


def test_a_story_that_waits_for_bob_does_not_stop_the_others(client: Client) -> None:
    agent(client, ERASE, AFTER, LOOK, LOOK, LOOK).play(once=True)
    assert sorted(told()) == [("delete_user", "pending")] + [("get_users", "succeeded")] * 3


def test_when_bob_approves_it_claims_runs_reports_and_goes_on(world: World, client: Client) -> None:
    mine = agent(client, ERASE, AFTER)
    story = demo_agent.stories([ERASE, AFTER], "x")[0]
    mine._step(story)
    assert (story.busy, story.waiting) == (True, True)
    people.approve(world.bob, people.reread(world, Call.objects.get()))  # type: ignore[arg-type]
    eventually(lambda: not story.busy)
    mine._step(story)
    eventually(lambda: story.over)
    assert told() == [("delete_user", "succeeded"), ("get_user", "succeeded")]


def test_what_an_earlier_run_left_behind_is_taken_up(world: World, client: Client) -> None:
    left = people.submit(world, people.HIGH)
    ready = people.submit(world, people.LOW)
    people.approve(world.bob, left)
    agent(client, LOOK).play(once=True)
    assert Call.objects.filter(id__in=(left.id, ready.id), status="succeeded").count() == 2


def test_after_a_no_the_story_ends(world: World, client: Client) -> None:
    mine = agent(client, ERASE, AFTER)
    story = demo_agent.stories([ERASE, AFTER], "x")[0]
    mine._step(story)
    call = Call.objects.get()
    approvals.deny(member=world.carol, call_id=call.id, reason="Not today.")
    eventually(lambda: story.over)
    assert told() == [("delete_user", "denied")]


def test_what_is_sent_back_is_asked_for_again_as_a_dry_run(world: World, client: Client) -> None:
    mine = agent(client, ERASE)
    story = demo_agent.stories([ERASE], "x")[0]
    mine._step(story)
    first = Call.objects.get()
    approvals.send_back(member=world.carol, call_id=first.id, reason="Show me first what goes.")
    eventually(lambda: not story.busy)
    mine._step(story)
    second = Call.objects.exclude(id=first.id).get()
    assert second.supersedes == first.id
    assert second.kwargs == {"env": "production", "dry_run": True}
    assert "Show me first what goes." in second.reason
    approvals.send_back(member=world.carol, call_id=second.id, reason="Once more.")
    eventually(lambda: story.over)


def test_it_waits_while_it_is_paused(world: World, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_agent, "PAUSED_PACE", 0.05)
    Agent.objects.filter(id=world.agent.agent_id).update(paused_at=people.utcnow())
    story = demo_agent.stories([LOOK], "x")[0]
    agent(client, LOOK)._step(story)
    time.sleep(0.3)
    assert told() == [("get_users", "approved")]
    Agent.objects.update(paused_at=None)
    eventually(lambda: story.over)
    assert told() == [("get_users", "succeeded")]


def test_no_more_than_a_dozen_wait_for_people(client: Client) -> None:
    risky = [Step(f"s{n}", "delete_draft", [f"d-{n}"], docstring="Delete a draft.") for n in range(20)]
    harmless = [Step(f"s{n}", "get_users", docstring="Lists the users.") for n in range(20)]
    agent(client, *risky, *harmless).play(once=True)
    waiting = Call.objects.filter(status="pending").count()
    assert waiting == MOST_WAITING
    assert Call.objects.filter(status="succeeded").count() == 20 - MOST_WAITING


def test_a_key_that_was_revoked_ends_it(client: Client) -> None:
    with Client(client.url, "rg_nobody") as stranger, pytest.raises(Unauthorized):
        agent(stranger, LOOK).play()


def test_it_says_the_same_trouble_once() -> None:
    quiet = demo_agent.Repeated()

    def line(level: int, text: str) -> bool:
        return quiet.filter(logging.LogRecord("demo", level, "", 0, text, (), None))

    assert line(logging.WARNING, "away")
    assert not line(logging.WARNING, "away")
    assert line(logging.WARNING, "something else")
    assert line(logging.INFO, "done")
    assert line(logging.INFO, "done")


def process(folder: Path, url: str, key: str, *arguments: str) -> "subprocess.Popen[str]":
    (folder / "demo.json").write_text(json.dumps({"url": url, "api_key": key}))
    command = [sys.executable, "-m", "riskgate.client.demo_agent", "--config", str(folder / "demo.json")]
    return subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # The agent is somebody else's process: it is given nothing of the server's.
        env={
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("RISKGATE", "DJANGO", "DATABASE"))
        },
    )


@pytest.mark.slow
def test_within_ten_seconds_there_is_something_of_each_level(
    live_server: LiveServer, world: World, tmp_path: Path
) -> None:
    demo = process(tmp_path, live_server.url, world.api_key)
    try:
        eventually(
            lambda: set(Call.objects.values_list("level", flat=True)) == {int(level) for level in Level}, 15
        )
        first = Call.objects.order_by("created_at").first()
        last_new = min(
            Call.objects.filter(level=level).order_by("created_at").first().created_at  # type: ignore[union-attr]
            for level in Level
        )
        assert first is not None
        assert (last_new - first.created_at).total_seconds() < 10
        eventually(lambda: Call.objects.filter(status="succeeded").exists())
    finally:
        demo.send_signal(signal.SIGTERM)
        said, _ = demo.communicate(timeout=10)
        connection.close()
    assert demo.returncode == 0
    assert 'late-parcel: find_order(number="SO-88213") is LOW' in said
    assert "waits for people" in said
    assert "Traceback" not in said


def test_without_its_file_it_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        demo_agent.main(["--config", str(tmp_path / "demo.json")])
    assert ended.value.code == 2
    assert "manage.py demo" in capsys.readouterr().err
