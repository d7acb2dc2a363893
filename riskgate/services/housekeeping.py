"""What the clock does: expiry, missing reports, delivery. Each may be run at any time, and twice at once."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Q

from riskgate.core.lifecycle import Status
from riskgate.services import challenges, notifications, rows, transitions
from riskgate.storage.models import Call, Outbox

BATCH = 200
RETRIES = 10


def _overdue(now: datetime) -> Q:
    return (
        Q(status=Status.PENDING, decide_by__lte=now)
        | Q(status=Status.APPROVED, use_by__lte=now)
        | Q(status=Status.EXECUTING, outcome_by__lte=now)
    )


def expire(*, now: datetime) -> int:
    """Moves calls that are past their time; answers how many. A row that somebody holds is left for the next round."""
    moved = 0
    while True:
        with transaction.atomic():
            batch = list(
                Call.objects.select_for_update(of=("self",), skip_locked=True)
                .filter(_overdue(now))
                .select_related("agent", "session", "policy", "team")
                .order_by("id")[:BATCH]
            )
            at = rows.clock()
            round_moved = sum(transitions.catch_up(call, at) for call in batch)
        moved += round_moved
        # Where the caller's clock runs ahead of the database's, a full batch may hold nothing to move yet.
        if len(batch) < BATCH or round_moved == 0:
            return moved


def free_seats(*, now: datetime) -> int:
    """Tells of seats whose lease ended by its time; answers how many."""
    return challenges.free_ended(now=now)


def drain_outbox(*, now: datetime, deliver: Callable[[Outbox], None] = notifications.deliver) -> int:
    """Delivers what is due; answers how many. A failed delivery is tried again later, further apart each time."""
    done = 0
    while True:
        with transaction.atomic():
            row = (
                Outbox.objects.select_for_update(skip_locked=True)
                .filter(delivered_at=None, failed_at=None, due_at__lte=now)
                .order_by("due_at", "id")
                .first()
            )
            if row is None:
                return done
            row.attempts += 1
            try:
                deliver(row)
            except OSError as error:
                row.last_error = str(error)[:500]
                row.due_at = now + timedelta(seconds=5 * 3**row.attempts)
                row.failed_at = now if row.attempts >= RETRIES else None
            else:
                row.delivered_at = now
            row.save(update_fields=("attempts", "last_error", "due_at", "failed_at", "delivered_at"))
            done += row.delivered_at is not None


def ready() -> list[str]:
    """What keeps this process from serving, in sentences; empty when database and migrations are right."""
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        return [f"The database does not answer: {type(error).__name__}."]
    return ["The database has to be migrated: run manage.py migrate."] if plan else []
