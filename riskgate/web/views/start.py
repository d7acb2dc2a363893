"""Getting started: from an empty team to the first decision."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from riskgate.services import agents, gate
from riskgate.services.shapes import Member, Submission
from riskgate.web import shown_once
from riskgate.web.forms.agents import NewAgent
from riskgate.web.members import member_required
from riskgate.web.views.agents import made_key, may_manage, registered

EXAMPLE = Submission(
    function_name="delete_user",
    args=("usr_123",),
    kwargs={"env": "production"},
    docstring="Permanently remove a user account.",
)
"""Sounds dangerous and harms nobody: riskgate runs nothing, and no agent waits for this one."""

CURL_BODY = """{"function_name": "delete_user", "args": ["usr_123"], "kwargs": {"env": "production"},
       "docstring": "Permanently remove a user account."}"""


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    done: bool
    hint: str


def curl(key: str) -> str:
    """The command that submits the example; what stands for the key is given by the caller."""
    return (
        f"curl {settings.PUBLIC_URL}/api/v1/actions \\\n"
        f'  -H "Authorization: Bearer {key}" \\\n'
        f'  -H "Content-Type: application/json" \\\n'
        f"  -d '{CURL_BODY}'"
    )


MOST = 20
"""So many agents stand here; the others on their own page."""


def _steps(member: Member) -> tuple[Step, ...]:
    come = agents.first_steps(member=member)
    return (
        Step("Register an agent", come.agent, "A program that asks before it acts."),
        Step("Give it a key", come.key, "It sends it with every request."),
        Step("See its first action", come.call, "Sent by the agent, or as a test."),
        Step("Decide one", come.decision, "An operator or an admin approves, denies or sends back."),
    )


def _page(request: HttpRequest, *, form: NewAgent | None = None, status: int = 200) -> HttpResponse:
    member: Member = request.member
    found = agents.listing(member=member, most=MOST + 1)
    steps = _steps(member)
    new_key = shown_once.take(request) if may_manage(member) else None
    keyed = next((agent for agent in found if new_key and agent.id == new_key.agent_id), None)
    key = new_key.token if new_key and keyed else ""
    context = {
        "now": timezone.now(),
        "steps": steps,
        "done": sum(step.done for step in steps),
        "agents": found[:MOST],
        "more": len(found) > MOST,
        "may_manage": may_manage(member),
        "form": form or NewAgent(),
        "key": key,
        "keyed": keyed,
        "curl": curl(key or "$RISKGATE_API_KEY"),
        "public_url": settings.PUBLIC_URL,
    }
    return render(request, "start/start.html", context, status=status)


@require_safe
@member_required
def page(request: HttpRequest) -> HttpResponse:
    return _page(request)


@require_POST
@member_required
def register(request: HttpRequest) -> HttpResponse:
    form = NewAgent(request.POST)
    agent_id, status = registered(request, form)
    if agent_id is None:
        return _page(request, form=form, status=status)
    return redirect(reverse("start") + "#agents")


@require_POST
@member_required
def make_key(request: HttpRequest, agent_id: UUID) -> HttpResponse:
    return made_key(
        request,
        agent_id,
        reverse("start") + "#key",
        lambda: agents.make_key(member=request.member, agent_id=agent_id, now=timezone.now()),
    )


@require_POST
@member_required
def send_test(request: HttpRequest, agent_id: UUID) -> HttpResponse:
    member: Member = request.member
    principal = agents.stand_in(member=member, agent_id=agent_id)
    submission = Submission(
        function_name=EXAMPLE.function_name,
        args=EXAMPLE.args,
        kwargs=EXAMPLE.kwargs,
        docstring=EXAMPLE.docstring,
        reason=f"A test that {member.user_name} sent from Getting started. Nothing will be deleted.",
        metadata={"test": True},
    )
    answer = gate.submit(principal=principal, submission=submission, idempotency=None, now=timezone.now())
    return redirect("review", answer.call.id)
