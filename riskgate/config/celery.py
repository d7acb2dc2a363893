"""The Celery application. A message is only a doorbell: what there is to do stands in PostgreSQL.

So a broker may go away and lose everything it holds. What matters is that the clock is heard again soon after
it is back, however long it was gone: every wait below is counted in seconds.
"""

import logging
import os
import threading
from typing import Any, Self

import kombu
from celery import Celery
from celery.app.amqp import AMQP
from celery.signals import beat_embedded_init, setup_logging, worker_ready
from celery.worker import state
from django.conf import settings

from riskgate.cli.embedded.child import die_with_parent
from riskgate.tasks.schedule import SCHEDULE

log = logging.getLogger("riskgate.worker")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "riskgate.config.settings")

REDIS_OPTIONS = {
    "socket_timeout": 4,  # for sending to a broker that has stopped answering; the default is to wait forever
    "socket_connect_timeout": 2,
    "health_check_interval": 2,  # a reading that is overdue by this is begun on a new connection
}


class _Connection(kombu.Connection):
    """Looks for a broker that is away every second, and not less and less often up to half a minute."""

    def ensure_connection(self, *args: Any, **options: Any) -> Self:
        pauses = {"interval_start": 0.5, "interval_step": 0.5, "interval_max": 1.0}
        connection: Self = super().ensure_connection(*args, **{**pauses, **options})
        return connection


class _Amqp(AMQP):
    Connection = _Connection


app = Celery("riskgate", amqp=_Amqp)
app.conf.update(
    broker_url=settings.BROKER_URL,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # a broker may be away for as long as it likes
    broker_connection_timeout=2,
    broker_heartbeat=4,  # RabbitMQ: seconds, after two of which without a sign the connection is given up
    broker_transport_options=REDIS_OPTIONS if settings.BROKER_URL.startswith("redis") else {},
    worker_cancel_long_running_tasks_on_connection_loss=True,  # none waits with its acknowledgement
    worker_enable_prefetch_count_reduction=False,
    task_default_queue="riskgate",
    task_ignore_result=True,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    # One at a time from the broker: a doorbell that waits inside a busy worker is heard by nobody else.
    worker_prefetch_multiplier=1,
    beat_schedule=SCHEDULE,
    include=("riskgate.tasks.housekeeping",),
    timezone="UTC",
)


@setup_logging.connect
def _keep_logging(**_: object) -> None:
    """Django has set logging up; a receiver here is how Celery is told to leave it alone."""


@beat_embedded_init.connect
def _end_with_the_worker(**_: object) -> None:
    """The clock inside a worker is a process of its own, which a killed worker would leave behind."""
    die_with_parent()


@worker_ready.connect
def _end_with_the_clock(sender: Any, **_: object) -> None:
    """A worker whose clock was killed would go on without it, in silence: it ends too, and both are started again."""
    beat = sender.controller.beat
    if beat is None:
        return

    def watch() -> None:
        beat.join()
        if state.should_stop is None and state.should_terminate is None:
            log.error("the clock has ended, so this worker ends")
            os._exit(1)  # at once: what a task had begun is rolled back, and done by the next one

    threading.Thread(target=watch, name="clock watcher", daemon=True).start()
