"""Each task reads the clock and calls one service. All of them can be run at any time, and twice."""

from celery import shared_task
from django.utils import timezone

from riskgate.services import housekeeping


@shared_task(name="expire")
def expire() -> int:
    """Calls that nobody decided or claimed in time, and outcomes that never came. Returns how many there
    were.
    """
    return housekeeping.expire(now=timezone.now())


@shared_task(name="free_seats")
def free_seats() -> int:
    """Seats of an approval by several people whose lease ended. Returns how many there were."""
    return housekeeping.free_seats(now=timezone.now())


@shared_task(name="drain_outbox")
def drain_outbox() -> int:
    """Whatever waits to be told to the outside. Returns how many rows were done with."""
    return housekeeping.drain_outbox(now=timezone.now())
