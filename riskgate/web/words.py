"""Times, numbers and names of challenges, as the pages say them."""

from datetime import datetime, timedelta

from riskgate.core.levels import MICRO, WEIGHT


def coarse(seconds: float) -> str:
    """A span of time to act by: `41 s`, `3 min`, `3 h 31 min`, `2 d 4 h`. static/js/live.js says the same."""
    whole = max(0, int(seconds))
    minutes, hours, days = whole // 60, whole // 3600, whole // 86_400
    if days:
        return f"{days} d {hours % 24} h" if hours % 24 else f"{days} d"
    if hours:
        return f"{hours} h {minutes % 60} min" if minutes % 60 else f"{hours} h"
    return f"{minutes} min" if minutes else f"{whole} s"


def ago(at: datetime, now: datetime) -> str:
    passed = (now - at).total_seconds()
    return "just now" if passed < 5 else f"{coarse(passed)} ago"


def left(by: datetime, now: datetime) -> str:
    rest = by - now
    return "no time left" if rest <= timedelta(0) else f"{coarse(rest.total_seconds())} left"


def decimals(value: int, scale: int, least: int = 2, most: int = 3) -> str:
    """A fixed-point number with as many decimals as it needs, between the two bounds."""
    text = f"{value / scale:.{most}f}"
    while len(text.split(".")[1]) > least and text.endswith("0"):
        text = text[:-1]
    return text


def score(value: int) -> str:
    return f"{value / MICRO:.3f}"


def weight(value: int) -> str:
    return decimals(value, WEIGHT, least=2, most=4)


NAMES = {
    "confirm": "Confirm",
    "quiz": "Quiz",
    "teach_back": "Teach-back",
}

SEATS = {
    "you": "Held for you",
    "free": "One seat a person",
    "taken": "Somebody is answering now",
    "filled": "By whom is told once it is decided",
}

START = {"confirm": "Read, then approve", "quiz": "Start the quiz", "teach_back": "Start the teach-back"}


def asks(kind: str, review_seconds: int) -> str:
    """What a challenge asks of a person."""
    wait = f"at least {review_seconds} seconds of review"
    return {
        "confirm": f"One confirmation, {wait}",
        "quiz": f"Three questions about this call, {wait}",
        "teach_back": f"What it does in your own words, {wait}",
    }.get(kind, wait)
