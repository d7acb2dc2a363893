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


PLACES = (
    Place("queue", "Queue", "inbox", "q", frozenset({"review", "review_raw", "challenge"})),
    Place("history", "History", "history", "h"),
    Place("start", "Start", "list-checks", "s", frozenset({"start_register", "start_key", "start_test"})),
)


def current(route: str | None) -> Place | None:
    """The place that a route belongs to."""
    return next((place for place in PLACES if route == place.route or route in place.below), None)
