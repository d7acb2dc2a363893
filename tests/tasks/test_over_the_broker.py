"""The clock with everything real: workers and beat as processes, over a broker that is killed under them.

The broker is of the kind that the tests were told to use, see tests/brokers.py; nobody else hears it.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from riskgate.cli.embedded import process
from riskgate.core.lifecycle import Status
from riskgate.storage.models import Call, Outbox
from tests import brokers
from tests.people import HIGH, LOW, World, claim, make_world, submit, utcnow

HOME = Path(__file__).parents[2]
CELERY = ("-m", "celery", "-q", "-A", "riskgate.config.celery")
WORKER = ("worker", "-P", "threads", "-c", "4", "--without-gossip", "--without-mingle")
PATIENCE = 90.0
"""Seconds for what takes one or two on a machine that has nothing else to do."""

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("broker")]


@pytest.fixture(scope="module")
def broker() -> Iterator[brokers.Broker]:
    with brokers.running() as started:
        yield started


class Process:
    """A worker or a beat, on the database of the test."""

    def __init__(self, broker: brokers.Broker, folder: Path, *arguments: str) -> None:
        given = urlsplit(os.environ["DATABASE_URL"])
        database = given._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
        environ = {**os.environ, "DATABASE_URL": database, "RISKGATE_BROKER_URL": broker.url}
        self.log = folder / f"{arguments[0]}-{len(list(folder.iterdir()))}.log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                process.command([sys.executable, *CELERY, *arguments]),
                cwd=HOME,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def misses_the_broker(self) -> bool:
        """It has tried to reach the broker in vain, and seconds later again."""
        return self.log.read_bytes().count(b"Cannot connect to") > 1

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()  # it waits for a broker that a failed test left dead


Start = Callable[..., Process]


@pytest.fixture
def start(broker: brokers.Broker, tmp_path: Path) -> Iterator[Start]:
    """Starts a worker or a beat that ends with the test."""
    started: list[Process] = []

    def begin(*arguments: str) -> Process:
        started.append(Process(broker, tmp_path, *arguments))
        return started[-1]

    yield begin
    for each in started:
        each.stop()


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def overdue_pending(world: World) -> Callable[[], bool]:
    """Somebody should have decided by now; the answer says whether the clock has seen it."""
    call = submit(world, HIGH)
    Call.objects.filter(id=call.id).update(decide_by=utcnow() - timedelta(seconds=1))
    return lambda: Call.objects.get(id=call.id).status == Status.EXPIRED


def overdue_approved(world: World) -> Callable[[], bool]:
    """The agent should have claimed it by now."""
    call = submit(world, LOW)
    Call.objects.filter(id=call.id).update(use_by=utcnow() - timedelta(seconds=1))
    return lambda: Call.objects.get(id=call.id).status == Status.EXPIRED


def overdue_executing(world: World) -> Callable[[], bool]:
    """The agent should have reported by now."""
    call = submit(world, LOW)
    claim(world, call)
    Call.objects.filter(id=call.id).update(outcome_by=utcnow() - timedelta(seconds=1))
    return lambda: Call.objects.get(id=call.id).status == Status.UNKNOWN


def told_outside() -> bool:
    return not Outbox.objects.filter(delivered_at=None).exists()


def test_what_is_overdue_moves_and_what_waits_in_the_outbox_goes_out(start: Start, tmp_path: Path) -> None:
    world = make_world()
    moved = [overdue_pending(world), overdue_approved(world), overdue_executing(world)]
    assert not told_outside()
    start(*WORKER, "-B", "-s", str(tmp_path / "schedule"))
    until(lambda: all(each() for each in moved))
    until(told_outside)


def test_when_a_worker_is_killed_another_hears_the_bell(start: Start, tmp_path: Path) -> None:
    world = make_world()
    first = start(*WORKER)
    start("beat", "-s", str(tmp_path / "schedule"))
    until(overdue_pending(world))  # the first hears it
    first.kill()
    start(*WORKER)
    until(overdue_pending(world))
    until(told_outside)


def test_nothing_is_lost_while_the_broker_is_away(
    start: Start, broker: brokers.Broker, tmp_path: Path
) -> None:
    world = make_world()
    worker = start(*WORKER, "-B", "-s", str(tmp_path / "schedule"))
    until(overdue_pending(world))
    broker.kill()
    try:
        until(lambda: worker.misses_the_broker)
        moved = [overdue_pending(world), overdue_approved(world), overdue_executing(world)]
        assert not told_outside()
    finally:
        broker.start()
    until(lambda: all(each() for each in moved))
    until(told_outside)


def test_a_worker_that_starts_before_the_broker_waits_for_it(
    start: Start, broker: brokers.Broker, tmp_path: Path
) -> None:
    world = make_world()
    broker.kill()
    try:
        worker = start(*WORKER, "-B", "-s", str(tmp_path / "schedule"))
        moved = overdue_pending(world)
        until(lambda: worker.misses_the_broker)
    finally:
        broker.start()
    until(moved)
