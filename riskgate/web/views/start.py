"""Getting started: from an empty team to the first decision."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from riskgate.core.roles import Permission, allows
from riskgate.services import agents, gate, queries
from riskgate.services.shapes import AgentView, Member, QueueFilter, Submission
from riskgate.web.forms.start import NewAgent
from riskgate.web.members import member_required, sign_in_again, signed_in_lately

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


def _steps(member: Member, found: tuple[AgentView, ...]) -> tuple[Step, ...]:
    queue = queries.queue(member=member, filter=QueueFilter(), cursor=None, now=timezone.now(), limit=1)
    return (
        Step("Register an agent", bool(found), "A program that asks before it acts."),
        Step("Give it a key", any(agent.has_key for agent in found), "It sends it with every request."),
        Step("See its first action", any(agent.calls for agent in found), "Sent by the agent, or as a test."),
        Step(
            "Decide one",
            queue.last_decision is not None,
            "An operator or an admin approves, denies or sends back.",
        ),
    )


def _page(
    request: HttpRequest,
    *,
    form: NewAgent | None = None,
    key: str = "",
    keyed: UUID | None = None,
    status: int = 200,
) -> HttpResponse:
    member: Member = request.member
    found = agents.listing(member=member)
    steps = _steps(member, found)
    context = {
        "steps": steps,
        "done": sum(step.done for step in steps),
        "agents": found,
        "may_manage": allows(member.role, Permission.MANAGE_AGENTS),
        "form": form or NewAgent(),
        "key": key,
        "keyed": next((agent for agent in found if agent.id == keyed), None),
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
    if not form.is_valid():
        return _page(request, form=form, status=422)
    given = form.cleaned_data
    try:
        agents.register(
            member=request.member, name=given["name"], environment=given["environment"], now=timezone.now()
        )
    except agents.NameTaken as error:
        form.add_error("name", error.message)
        return _page(request, form=form, status=409)
    return redirect(reverse("start") + "#agents")


@require_POST
@never_cache
@member_required
def make_key(request: HttpRequest, agent_id: UUID) -> HttpResponse:
    """Answers with the page itself: the key is shown once and kept nowhere that it could be read from again."""
    if not signed_in_lately(request):
        return sign_in_again(reverse("start"))
    key = agents.make_key(member=request.member, agent_id=agent_id, now=timezone.now())
    return _page(request, key=key, keyed=agent_id)


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
