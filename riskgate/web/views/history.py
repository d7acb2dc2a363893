"""What happened in the team, newest first."""

from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from riskgate.services import history
from riskgate.web.members import member_required
from riskgate.web.presenters import Line, present_all


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    heading: str
    lines: tuple[Line, ...]


def heading(day: date, today: date) -> str:
    """`Today, Friday 20 November`; the year stands only where it is another one."""
    near = {0: "Today, ", 1: "Yesterday, "}.get((today - day).days, "")
    year = "" if day.year == today.year else f" {day.year}"
    return f"{near}{day:%A} {day.day} {day:%B}{year}"


def days(lines: tuple[Line, ...], today: date) -> tuple[Day, ...]:
    """The lines under the UTC days on which they happened, in their order."""
    return tuple(
        Day(day, heading(day, today), tuple(group))
        for day, group in groupby(lines, key=lambda line: line.at.date())
    )


@require_safe
@member_required
def page(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    cursor = request.GET.get("before") or None
    found = history.page(member=request.member, cursor=cursor, now=now)
    lines = present_all(found.events, reader_id=request.member.user_id)
    context = {"days": days(lines, now.date()), "cursor": cursor, "next_cursor": found.next_cursor}
    return render(request, "history/history.html", context)
