"""The console's stream of changes, and the icon that counts them."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET, require_safe

from riskgate.services import queries
from riskgate.web import members
from riskgate.web.members import member_required

STREAM = "X-Riskgate-Stream"


@require_GET
@never_cache
def stream(request: HttpRequest) -> HttpResponse:
    """Says whose changes this person may hear; the server in front keeps the connection and sends them.

    Nobody signed in is 403 and not a way to the sign-in page: an event stream cannot show one.
    """
    member = members.current(request)
    if member is None:
        return HttpResponse(status=403)
    wanted = request.GET.get("team")
    if wanted and wanted != str(member.team_id):
        return HttpResponse(status=403)
    response = HttpResponse(content_type="text/event-stream")
    response[STREAM] = f"team:{member.team_id}"
    return response


@require_safe
@member_required
def pending(request: HttpRequest) -> HttpResponse:
    """How many actions wait, for pages that show the count and not the queue."""
    return JsonResponse({"pending": queries.pending_count(member=request.member, now=timezone.now())})


@require_safe
@cache_control(public=True, max_age=31_536_000, immutable=True)
def favicon(request: HttpRequest) -> HttpResponse:
    """The tab's icon with how many actions wait: 1 to 9, then 9+."""
    asked = request.GET.get("n", "").rstrip("+")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 0
    count = "9+" if number > 9 else str(number or "")
    return render(request, "components/favicon.svg", {"count": count}, content_type="image/svg+xml")
