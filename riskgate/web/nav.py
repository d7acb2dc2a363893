"""The pages that the rail leads to, in its order."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """`route` is the name of the page's URL; `below` are further routes that belong to it. `key` follows `g`."""

    route: str
    label: str
    icon: str
    key: str
    below: frozenset[str] = frozenset()


AGENTS = frozenset(
    {"agents_register", "agent", "agent_pause", "agent_resume", "agent_key", "agent_key_rotate", "agent_key_revoke",
     "session"}
)  # fmt: skip

PLACES = (
    Place(
        "queue", "Queue", "inbox", "q", frozenset({"review", "review_raw", "review_withdraw", "challenge"})
    ),
    Place("history", "History", "history", "h"),
    Place("agents", "Agents", "bot", "a", AGENTS),
    Place("start", "Start", "list-checks", "s", frozenset({"start_register", "start_key", "start_test"})),
)


def current(route: str | None) -> Place | None:
    """The place that a route belongs to."""
    return next((place for place in PLACES if route == place.route or route in place.below), None)
