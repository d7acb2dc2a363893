"""Reading: what agents and people are told, and never a write."""

from riskgate.services.queries.calls import call, calls, calls_by_id
from riskgate.services.queries.queue import pending_count, queue
from riskgate.services.queries.review import level, review

__all__ = ["call", "calls", "calls_by_id", "level", "pending_count", "queue", "review"]
