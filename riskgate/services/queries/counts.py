"""Numbers for monitoring, over all teams. Each is read from a partial index, so that history costs nothing."""

from dataclasses import dataclass

from django.db.models import Count

from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.storage.models import Call, Outbox

LIVE = (Status.PENDING, Status.APPROVED, Status.EXECUTING)


@dataclass(frozen=True, slots=True)
class Live:
    """`calls` as the rows stand, sweeping not yet done; `outbox` counts what waits for delivery."""

    calls: tuple[tuple[Status, Level, int], ...]
    outbox: int


def live() -> Live:
    """How many calls stand in each status that is not final, by level; every pair is there, zeros too."""
    found: dict[tuple[Status, Level], int] = {}
    for status in LIVE:
        rows = Call.objects.filter(status=status).values_list("level").annotate(Count("id"))
        found |= {(status, Level(level)): number for level, number in rows}
    return Live(
        calls=tuple((status, level, found.get((status, level), 0)) for status in LIVE for level in Level),
        outbox=Outbox.objects.filter(delivered_at=None, failed_at=None).count(),
    )
