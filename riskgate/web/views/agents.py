"""The agents of a team: everybody looks, admins register them, make and revoke their keys, and pause them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from riskgate.core.errors import RiskgateError
from riskgate.core.roles import Permission, allows
from riskgate.services import agents, queries
from riskgate.services.shapes import AgentRow, Member, Numbers
from riskgate.web import run_lines, shown_once
from riskgate.web.errors import status_of
from riskgate.web.forms.agents import NewAgent
from riskgate.web.level_mix import Part, mix
from riskgate.web.members import member_required, sign_in_again, signed_in_lately

LIST = "list"
"""What a button on the list sends as `from`, so that it leads back there."""


def may_manage(member: Member) -> bool:
    return allows(member.role, Permission.MANAGE_AGENTS)


# ------------------------------------------------------------------ numbers in words


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of what people decided, in whole per cent: `71 %`."""

    approved: str
    denied: str
    returned: str


def share(part: int, whole: int) -> str:
    """Whole per cent; what is not nothing is not 0 %, and what is not all not 100 %."""
    if 0 < part * 200 < whole:
        return "<1 %"
    if 0 < (whole - part) * 200 < whole:
        return ">99 %"
    return f"{round(part * 100 / whole)} %"


def rates(numbers: Numbers) -> Rates | None:
    """None where people decided nothing."""
    whole = numbers.decided
    if not whole:
        return None
    return Rates(*(share(part, whole) for part in (numbers.approved, numbers.denied, numbers.returned)))


@dataclass(frozen=True, slots=True)
class Shown:
    """An agent as the pages show it."""

    agent: AgentRow
    mix: tuple[Part, ...]
    rates: Rates | None


def _shown(agent: AgentRow) -> Shown:
    return Shown(agent, mix(agent.numbers.by_level), rates(agent.numbers))


# ------------------------------------------------------------------ looking


def _list(request: HttpRequest, *, form: NewAgent | None = None, status: int = 200) -> HttpResponse:
    member: Member = request.member
    now = timezone.now()
    cursor = request.GET.get("after") or None
    found = queries.agents(member=member, cursor=cursor, now=now)
    manages = may_manage(member)
    context = {
        "now": now,
        "page": found,
        "rows": [_shown(agent) for agent in found.agents],
        "cursor": cursor,
        "may_manage": manages,
        "managers": () if manages else queries.managers(member=member),
        "form": form or NewAgent(),
    }
    return render(request, "agents/agents.html", context, status=status)


def _one(request: HttpRequest, agent_id: UUID, *, problem: str = "", status: int = 200) -> HttpResponse:
    member: Member = request.member
    now = timezone.now()
    found = queries.agent(member=member, agent_id=agent_id, now=now)
    manages = may_manage(member)
    new_key = shown_once.take(request, agent_id) if manages else None
    context: dict[str, Any] = {
        "now": now,
        "found": found,
        "shown": _shown(found.agent),
        "rows": run_lines.rows(found.calls),
        "may_manage": manages,
        "managers": () if manages else queries.managers(member=member),
        "owns": found.owner_id == member.user_id,
        "key": new_key.token if new_key else "",
        "problem": problem,
    }
    return render(request, "agents/agent.html", context, status=status)


@require_safe
@member_required
def page(request: HttpRequest) -> HttpResponse:
    return _list(request)


@require_safe
@member_required
def one(request: HttpRequest, agent_id: UUID) -> HttpResponse:
    return _one(request, agent_id)


# ------------------------------------------------------------------ managing


@require_POST
@member_required
def register(request: HttpRequest) -> HttpResponse:
    form = NewAgent(request.POST)
    agent_id, status = registered(request, form)
    if agent_id is None:
        return _list(request, form=form, status=status)
    return redirect("agent", agent_id)


def registered(request: HttpRequest, form: NewAgent) -> tuple[UUID | None, int]:
    """The new agent; or None, with what is wrong in the form and the status that goes with it."""
    if not form.is_valid():
        return None, 422
    given = form.cleaned_data
    try:
        agent_id = agents.register(
            member=request.member, name=given["name"], environment=given["environment"], now=timezone.now()
        )
    except agents.NameTaken as error:
        form.add_error("name", error.message)
        return None, status_of(error)
    return agent_id, 302


def made_key(request: HttpRequest, agent_id: UUID, back: str, make: Callable[[], str]) -> HttpResponse:
    """Makes a key and leads to the page that shows it once; first to the sign-in, where that was long ago."""
    if may_manage(request.member) and not signed_in_lately(request):
        return sign_in_again(back)
    return shown_once.keep(request, redirect(back), agent_id, make())


def _changed(
    request: HttpRequest, agent_id: UUID, change: Callable[[], HttpResponse | None], part: str = ""
) -> HttpResponse:
    """Back to where the button was. What cannot be done now is said on the agent's page; who may not, or asks for what
    is not there, is told so on a page of its own."""
    try:
        response = change()
    except RiskgateError as error:
        if status_of(error) != 409:
            raise
        return _one(request, agent_id, problem=error.message, status=409)
    if response is not None:
        return response
    if request.POST.get("from") == LIST:
        query = urlencode({"after": after} if (after := request.POST.get("after", "")) else {})
        return redirect(reverse("agents") + (f"?{query}" if query else "") + f"#agent-{agent_id}")
    return redirect(reverse("agent", args=[agent_id]) + part)


@require_POST
@member_required
def pause(request: HttpRequest, agent_id: UUID) -> HttpResponse:
    return _changed(
        request,
        agent_id,
        lambda: agents.pause(member=request.member, agent_id=agent_id, now=timezone.now()),
    )


@require_POST
@member_required
def resume(request: HttpRequest, agent_id: UUID) -> HttpResponse:
    return _changed(
        request,
        agent_id,
        lambda: agents.resume(member=request.member, agent_id=agent_id, now=timezone.now()),
    )


@require_POST
@member_required
def make_key(request: HttpRequest, agent_id: UUID) -> HttpResponse:
    def make() -> str:
        return agents.make_key(member=request.member, agent_id=agent_id, now=timezone.now())

    back = reverse("agent", args=[agent_id]) + "#key"
    return _changed(request, agent_id, lambda: made_key(request, agent_id, back, make))


@require_POST
@member_required
def rotate_key(request: HttpRequest, agent_id: UUID, key_id: UUID) -> HttpResponse:
    def make() -> str:
        return agents.rotate_key(member=request.member, agent_id=agent_id, key_id=key_id, now=timezone.now())

    back = reverse("agent", args=[agent_id]) + "#key"
    return _changed(request, agent_id, lambda: made_key(request, agent_id, back, make))


@require_POST
@member_required
def revoke_key(request: HttpRequest, agent_id: UUID, key_id: UUID) -> HttpResponse:
    return _changed(
        request,
        agent_id,
        lambda: agents.revoke_key(
            member=request.member, agent_id=agent_id, key_id=key_id, now=timezone.now()
        ),
        "#keys",
    )
