"""The clock's door, with a real worker and a real broker."""

import time
from datetime import timedelta

import pytest
from celery.contrib.testing.worker import start_worker

from riskgate.config.celery import app
from riskgate.core.lifecycle import Status
from riskgate.storage.models import Call
from riskgate.tasks.schedule import SCHEDULE
from tests.people import HIGH, make_world, reread, submit, utcnow


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_the_clock_rings_and_what_is_overdue_expires() -> None:
    world = make_world()
    call = submit(world, HIGH)
    Call.objects.filter(id=call.id).update(decide_by=utcnow() - timedelta(seconds=1))
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=30):
        app.send_task(SCHEDULE["expire"]["task"])
        deadline = time.monotonic() + 20
        while Call.objects.get(id=call.id).status == Status.PENDING and time.monotonic() < deadline:
            time.sleep(0.05)
    assert Call.objects.get(id=call.id).status == Status.EXPIRED
    assert reread(world, call).reason_code == "expired_undecided"


def test_every_ring_of_the_schedule_is_a_task_that_is_there() -> None:
    app.loader.import_default_modules()
    assert {row["task"] for row in SCHEDULE.values()} <= set(app.tasks)


def test_a_ring_that_nobody_hears_is_forgotten_before_the_next() -> None:
    for name, row in SCHEDULE.items():
        assert row["options"]["expires"] <= row["schedule"], name
