"""The frame around every page: the rail, the teams, the icons."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import get_template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from riskgate.services import queries
from riskgate.web import members, nav

register = template.Library()

SPRITE = "vendor/lucide-1.62.0/sprite.svg"


@register.simple_tag
def icon(name: str, size: int = 20) -> SafeString:
    """An icon beside words that say the same, so it is hidden from readers of the screen."""
    return format_html(
        '<svg class="icon" width="{0}" height="{0}" aria-hidden="true"><use href="{1}#{2}"/></svg>',
        size,
        static(SPRITE),
        name,
    )


@register.simple_tag
@lru_cache(maxsize=8)
def level_mark(name: str) -> SafeString:
    """components/level.html, made once for each of the four levels: a list shows fifty."""
    return get_template("components/level.html").render({"level": name})


@register.simple_tag(takes_context=True)
def frame(context: dict[str, Any]) -> dict[str, Any]:
    """The person in their team, their other teams, the places of the rail and how many calls wait."""
    request = context.get("request")
    if request is None or not hasattr(request, "user"):
        return {"member": None}
    member = members.current(request)
    if member is None:
        return {"member": None, "signed_in": request.user.is_authenticated}
    match = request.resolver_match
    here = nav.current(match.url_name if match else None)
    pending = context.get("pending")
    if pending is None:
        pending = queries.pending_count(member=member, now=timezone.now())
    return {
        "signed_in": True,
        "member": member,
        "teams": members.memberships(request),
        "places": [(place, place is here) for place in nav.PLACES],
        "pending": pending,
        "badge": "99+" if pending > 99 else str(pending) if pending else "",
    }
