"""Times as sentences that a script keeps fresh, and lengths as SVG takes them."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from riskgate.web import words

register = template.Library()


def _time(at: datetime, text: str, role: str) -> SafeString:
    return format_html(
        '<time datetime="{}" title="{} UTC" {}>{}</time>',
        at.isoformat(timespec="seconds"),
        f"{at:%-d %B %Y, %H:%M:%S}",
        role,
        text,
    )


@register.simple_tag
def ago(at: datetime, now: datetime | None = None) -> SafeString:
    """`3 min ago`"""
    return _time(at, words.ago(at, now or timezone.now()), "data-ago")


@register.simple_tag
def waits(at: datetime, now: datetime | None = None) -> SafeString:
    """`3 min`, since then."""
    return _time(at, words.coarse(((now or timezone.now()) - at).total_seconds()), "data-since")


@register.simple_tag
def left(by: datetime, now: datetime | None = None) -> SafeString:
    """`57 min left`"""
    return _time(by, words.left(by, now or timezone.now()), "data-left")


@register.simple_tag
def clock(at: datetime) -> SafeString:
    """`14:03:12`, the day on hover."""
    return _time(at, f"{at:%H:%M:%S}", "data-clock")


@register.simple_tag
def rest(begin: datetime, end: datetime, now: datetime) -> str:
    """How much of a span is left, as a percentage for an SVG length."""
    whole = (end - begin).total_seconds()
    share = (end - now).total_seconds() / whole if whole > 0 else 0
    return f"{min(max(share, 0), 1) * 100:.1f}%"


@register.simple_tag
def late(begin: datetime, end: datetime, now: datetime) -> str:
    """The class of a row in the last fifth of its time."""
    whole = (end - begin).total_seconds()
    return "time-late" if (end - now).total_seconds() <= whole / 5 else ""


@register.filter
def challenge_name(kind: str) -> str:
    return words.NAMES.get(kind, kind)


@register.filter
def seat_state(state: str) -> str:
    return words.SEATS.get(state, state)
