"""A broker that is away: nothing is lost, agents and people go on, and the clock has caught up soon after."""

import json
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import kombu.exceptions
import psycopg
import pytest
from celery.app.amqp import AMQP

from riskgate.cli.embedded.broker import Broker
from riskgate.client.http import Client
from riskgate.config.celery import REDIS_OPTIONS, app
from tests import people
from tests.cli.test_old_folder import database, token
from tests.cli.test_up import Up

CAUGHT_UP = 10.0
"""Seconds after the broker's return within which everything is done that had become due."""


class OwnBroker:
    """The broker of somebody who runs one."""

    def __init__(self, folder: Path) -> None:
        self.broker = Broker(folder)
        self.back()

    def back(self) -> None:
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(self.broker.prepare(), stdin=quiet, stdout=quiet, stderr=quiet)
        while not self.broker.answers():
            time.sleep(0.02)

    def gone(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def broker() -> Iterator[OwnBroker]:
    with tempfile.TemporaryDirectory(prefix="riskgate-") as folder:
        own = OwnBroker(Path(folder))
        try:
            yield own
        finally:
            own.gone()


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory, broker: OwnBroker) -> Iterator[Up]:
    data = tmp_path_factory.mktemp("away") / "var"
    started = Up(data, "--demo", RISKGATE_BROKER_URL=broker.broker.url())
    try:
        yield started.start()
    finally:
        started.end()


def demo(up: Up) -> dict[str, object]:
    found: dict[str, object] = json.loads((up.data / "demo.json").read_text())
    return found


def denied_by_bob(up: Up, call_id: str) -> bool:
    account = demo(up)["users"]["bob"]  # type: ignore[index]
    url = f"http://localhost:{up.port}"
    with httpx.Client(base_url=url, follow_redirects=True, trust_env=False, timeout=30) as browser:
        page = browser.get("/")
        login = {"login": account["email"], "password": account["password"]}
        browser.post(page.url, data={**login, "csrfmiddlewaretoken": token(page)})
        review = browser.get(f"/review/{call_id}")
        told = browser.post(f"/review/{call_id}/deny", data={"csrfmiddlewaretoken": token(review)})
    return told.status_code == 200


def behind(up: Up, call_id: str) -> int:
    """How much is still to be done: the action's expiry, and the messages that are due."""
    with psycopg.connect(database(up)) as connection:
        row = connection.execute(
            "SELECT (SELECT count(*) FROM storage_call WHERE id = %s AND status = 'pending')"
            " + (SELECT count(*) FROM storage_outbox"
            "    WHERE delivered_at IS NULL AND failed_at IS NULL AND due_at < now() - interval '5 s')",
            [call_id],
        ).fetchone()
    assert row is not None
    return int(row[0])


def overdue(up: Up, call_id: str, seconds: int) -> bool:
    with psycopg.connect(database(up)) as connection:
        row = connection.execute(
            "SELECT status = 'pending' AND decide_by < now() - %s * interval '1 s' FROM storage_call WHERE id = %s",
            [seconds, call_id],
        ).fetchone()
    return row == (True,)


@pytest.mark.slow
@pytest.mark.xdist_group("up")
@pytest.mark.parametrize("how", ["killed", "frozen"])
def test_everything_goes_on_without_it_and_the_clock_catches_up(up: Up, broker: OwnBroker, how: str) -> None:
    with Client(f"http://localhost:{up.port}", str(demo(up)["api_key"])) as agent:
        if how == "killed":
            broker.gone()
        else:
            broker.process.send_signal(signal.SIGSTOP)
        try:
            left_alone = agent.submit(**people.MEDIUM, decide_within=1)
            harmless = agent.submit(**people.LOW)
            assert agent.claim(harmless)
            assert agent.report(harmless.id, succeeded=True).status == "succeeded"
            risky = agent.submit(**people.HIGH)
            assert denied_by_bob(up, risky.id)
            assert agent.decided(risky.id, within=5).status == "denied"
            up.wait_for(lambda: overdue(up, left_alone.id, seconds=6))
        finally:
            if how == "killed":
                broker.back()
            else:
                broker.process.send_signal(signal.SIGCONT)
        up.wait_for(lambda: behind(up, left_alone.id) == 0, seconds=CAUGHT_UP)


@pytest.mark.parametrize(
    "url",
    ["redis://localhost:1/0", "redis+socket:///nowhere", "amqp://localhost:1//"],
    ids=lambda url: url[:7],
)
def test_it_is_looked_for_every_second_however_long_it_is_away(url: str) -> None:
    pauses: list[float] = []
    connection = app.connection_for_write(url)
    with pytest.raises(kombu.exceptions.OperationalError):
        connection.ensure_connection(lambda error, pause: pauses.append(pause), max_retries=3)
    assert pauses == [0.5, 1.0, 1.0]


def test_no_wait_of_the_broker_is_without_an_end() -> None:
    assert isinstance(app.amqp, AMQP)
    assert app.conf.broker_connection_max_retries is None
    for seconds in (*REDIS_OPTIONS.values(), app.conf.broker_connection_timeout, app.conf.broker_heartbeat):
        assert 0 < seconds <= CAUGHT_UP / 2
