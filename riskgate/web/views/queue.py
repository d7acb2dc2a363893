"""The queue: what waits for a decision, and beside it the review of the selected call."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from riskgate.core.levels import Level
from riskgate.services import queries
from riskgate.services.shapes import QueueFilter, QueuePage, QueueRow
from riskgate.web.members import member_required
from riskgate.web.views import review as reviews

LIST = "queue-list"
"""The id of the element that holds the rows; htmx names it when it wants them alone."""

SCOPES = ("mine", "team", "all")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for. Anything that is no choice of the page is left out, not refused."""

    filter: QueueFilter
    cursor: str | None
    selected: UUID | None

    @classmethod
    def of(cls, query: QueryDict) -> "Asked":
        scope = query.get("scope", "")
        level = query.get("level", "")
        return cls(
            filter=QueueFilter(
                scope=scope if scope in SCOPES else "team",
                level=Level[level] if level in Level.__members__ else None,
                agent_id=_uuid(query.get("agent", "")),
                function_name=query.get("function", "")[:255].replace("\x00", ""),
                text=_printable(" ".join(query.get("q", "").split()))[:200],
            ),
            cursor=query.get("cursor") or None,
            selected=_uuid(query.get("selected", "")),
        )

    def url(self, **changes: object) -> str:
        """The queue's address with some of it changed; a change of the filter begins at the first page."""
        now: dict[str, object] = {
            "scope": self.filter.scope if self.filter.scope != "team" else "",
            "level": self.filter.level.name if self.filter.level else "",
            "agent": self.filter.agent_id or "",
            "function": self.filter.function_name,
            "q": self.filter.text,
        }
        if set(changes) <= {"selected", "cursor"}:
            now["cursor"] = self.cursor or ""
        query = urlencode({name: value for name, value in (now | changes).items() if value})
        return reverse("queue") + (f"?{query}" if query else "")


def _printable(text: str) -> str:
    """Without what hides or turns letters: it comes back to the page in a field, where nothing can spell it out."""
    return "".join(letter for letter in text if letter.isprintable())


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _rows(rows: tuple[QueueRow, ...], asked: Asked, selected: UUID | None) -> list[dict[str, Any]]:
    return [{"row": row, "url": asked.url(selected=row.id), "selected": row.id == selected} for row in rows]


def _context(asked: Asked, page: QueuePage, selected: UUID | None) -> dict[str, Any]:
    chosen = asked.filter
    counts = {"mine": page.mine, "team": page.pending}
    return {
        "page": page,
        "pending": page.pending,
        "rows": _rows(page.rows, asked, selected),
        "decided": _rows(page.decided, asked, selected),
        "filter": chosen,
        "scopes": [
            (scope, scope.capitalize(), counts.get(scope), asked.url(scope="" if scope == "team" else scope))
            for scope in SCOPES
        ],
        "levels": [
            (
                level.name,
                count,
                level is chosen.level,
                asked.url(level="" if level is chosen.level else level.name),
            )
            for level, count in page.by_level.items()
            if count or level is chosen.level
        ],
        "agents": [
            (name, agent_id == chosen.agent_id, asked.url(agent=agent_id)) for agent_id, name in page.agents
        ],
        "any_agent": asked.url(agent=""),
        "agent_name": next((name for agent_id, name in page.agents if agent_id == chosen.agent_id), ""),
        "functions": [
            (name, name == chosen.function_name, asked.url(function=name)) for name in page.functions
        ],
        "any_function": asked.url(function=""),
        "function_kept": chosen.function_name if chosen.function_name.isprintable() else "",
        "narrowed": chosen != QueueFilter(scope=chosen.scope),
        "widened": asked.url(level="", agent="", function="", q=""),
        "list_url": asked.url(),
        "more_url": asked.url(cursor=page.next_cursor) if page.next_cursor else "",
        "first_url": asked.url(cursor="") if asked.cursor else "",
        "back_url": asked.url(),
    }


@require_safe
@member_required
def page(request: HttpRequest) -> HttpResponse:
    """The whole page; for htmx the list alone, or the review of the selected call alone."""
    asked = Asked.of(request.GET)
    if request.htmx and request.htmx.target == "pane" and asked.selected is not None:
        return _pane(request, asked.selected)
    now = timezone.now()
    found = queries.queue(member=request.member, filter=asked.filter, cursor=asked.cursor, now=now)
    first = found.rows[0].id if found.rows else None
    selected = asked.selected or first
    context = {"now": now, "member": request.member} | _context(asked, found, selected)
    if request.htmx and request.htmx.target == LIST:
        return render(request, "queue/_list.html", context)
    if selected is not None:
        review = queries.review(member=request.member, call_id=selected, now=now)
        context |= {"chosen": asked.selected is not None} | reviews.context(review, request.member, now)
    return render(request, "queue/queue.html", context)


def _pane(request: HttpRequest, call_id: UUID) -> HttpResponse:
    now = timezone.now()
    review = queries.review(member=request.member, call_id=call_id, now=now)
    return render(request, "review/_review.html", reviews.context(review, request.member, now))
