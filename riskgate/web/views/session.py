"""A session: one run of an agent as a timeline."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from riskgate.services import queries
from riskgate.web import run_lines
from riskgate.web.level_mix import mix
from riskgate.web.members import member_required


@require_safe
@member_required
def page(request: HttpRequest, session_id: UUID) -> HttpResponse:
    now = timezone.now()
    cursor = request.GET.get("before") or None
    run = queries.run(member=request.member, session_id=session_id, cursor=cursor, now=now)
    rows = run_lines.rows(run.calls, run.first)
    context = {
        "now": now,
        "run": run,
        "rows": rows,
        "chart": run_lines.chart(rows, run.thresholds) if rows else None,
        "mix": mix(run.by_level),
        "cursor": cursor,
    }
    return render(request, "session/session.html", context)
