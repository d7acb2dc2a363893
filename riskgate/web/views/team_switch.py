from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from riskgate.web.members import choose, member_required


@require_POST
@member_required
def switch(request: HttpRequest) -> HttpResponse:
    """Goes on in another of one's own teams, from its queue: what was open belongs to the old one."""
    try:
        team_id = UUID(request.POST.get("team", ""))
    except ValueError as error:
        raise Http404 from error
    if not choose(request, team_id):
        raise Http404
    return redirect("queue")
