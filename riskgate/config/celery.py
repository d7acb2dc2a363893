"""The Celery application. A message is only a doorbell: what there is to do stands in PostgreSQL."""

import os

from celery import Celery
from celery.signals import beat_embedded_init, setup_logging
from django.conf import settings

from riskgate.cli.embedded.child import die_with_parent
from riskgate.tasks.schedule import SCHEDULE

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "riskgate.config.settings")

app = Celery("riskgate")
app.conf.update(
    broker_url=settings.BROKER_URL,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # a broker may be away for as long as it likes
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
