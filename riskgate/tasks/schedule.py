"""When the clock rings: one row a periodic job. A ring that nobody hears before the next one is dropped."""

from typing import Any


def _every(seconds: float, task: str) -> dict[str, Any]:
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}


SCHEDULE: dict[str, dict[str, Any]] = {
    "expire": _every(1.0, "expire"),
    "free_seats": _every(2.0, "free_seats"),
    "drain_outbox": _every(5.0, "drain_outbox"),
}
