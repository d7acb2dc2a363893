"""Reading: what agents and people are told, and never a write."""

from riskgate.services.queries.agents import agent, agents, managers
from riskgate.services.queries.calls import call, calls, calls_by_id
from riskgate.services.queries.queue import pending_count, queue
from riskgate.services.queries.review import level, review
from riskgate.services.queries.runs import run

__all__ = [
    "agent",
    "agents",
    "call",
    "calls",
    "calls_by_id",
    "level",
    "managers",
    "pending_count",
    "queue",
    "review",
    "run",
]
