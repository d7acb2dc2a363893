"""The challenge that stands before an approval: a quiz has a page of its own, a confirmation one line."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.http import require_POST

from riskgate.core.challenges.prose import LEAST
from riskgate.core.errors import RiskgateError
from riskgate.core.levels import Level
from riskgate.services import approvals, challenges, queries
from riskgate.services.shapes import AttemptView, Review
from riskgate.web.errors import status_of
from riskgate.web.members import member_required, sign_in_again, signed_in_lately
from riskgate.web.views import review as reviews

STALE = (
    "A CRITICAL approval needs a sign-in of the last five minutes. Your answers are kept: confirm that it is you, "
    "then send them again."
)

SEAT = "#seat-heading"
"""Where the questions of a seat begin: on a narrow screen that is far below the call."""


def _questions(attempt: AttemptView, given: dict[str, str]) -> list[dict[str, Any]]:
    """The questions with what this person has answered so far."""
    return [
        {**question, "name": f"q{i}", "number": i + 1, "given": given.get(f"q{i}", ""), "least": LEAST}
        for i, question in enumerate(attempt.questions)
    ]


def _paper(
    request: HttpRequest,
    review: Review,
    attempt: AttemptView,
    *,
    problem: str = "",
    status: int = 200,
    stale: bool = False,
) -> HttpResponse:
    """The open questions, with the answers that were sent kept where they are to be sent again.

    A seat among several is filled beside the review itself; a challenge for one person is a page of its own.
    """
    given = {name: request.POST[name] for name in request.POST if name.startswith("q")}
    context = reviews.context(review, request.member, timezone.now(), problem)
    context |= {"attempt": attempt, "questions": _questions(attempt, given), "stale": stale}
    template = "review/review.html" if review.seats else f"challenges/{attempt.kind}.html"
    return render(request, template, context, status=status)


def _is_critical(request: HttpRequest, call_id: UUID) -> bool:
    """Whether approving this call asks who is there once more."""
    return queries.level(member=request.member, call_id=call_id) is Level.CRITICAL


def _in_line(review: Review) -> bool:
    """Whether the open challenge is the one button in the review's decision."""
    attempt = review.attempt
    return (
        attempt is not None and attempt.kind == reviews.IN_LINE and not attempt.questions and not review.seats
    )


@method_decorator(member_required, name="dispatch")
class Page(View):
    http_method_names = ("get", "head", "post")

    def get(self, request: HttpRequest, call_id: UUID) -> HttpResponse:
        """The open challenge of this person; where there is none, the review."""
        review = queries.review(member=request.member, call_id=call_id, now=timezone.now())
        if review.attempt is None:
            return redirect("review", call_id)
        if _in_line(review):
            return reviews.show(request, call_id)
        return _paper(request, review, review.attempt)

    def post(self, request: HttpRequest, call_id: UUID) -> HttpResponse:
        """Starts it; started again before it is answered, it is the same one."""
        if _is_critical(request, call_id) and not signed_in_lately(request):
            return sign_in_again(reverse("review", args=(call_id,)))
        try:
            attempt = challenges.issue(
                member=request.member,
                call_id=call_id,
                action_digest=request.POST.get("digest", ""),
                now=timezone.now(),
            )
        except RiskgateError as error:
            return reviews.refused(request, call_id, error)
        if request.htmx:
            return reviews.show(request, call_id)
        return redirect(reverse("challenge", args=(call_id,)) + (SEAT if attempt.lease_until else ""))


@require_POST
@member_required
def answer(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Grades the answers. Passed or failed, the review says what came of it; too early, the page stays as it is."""
    try:
        attempt_id = UUID(request.POST.get("attempt", ""))
    except ValueError as error:
        raise Http404 from error
    count = sum(1 for name in request.POST if name.startswith("q") and name[1:].isdigit())
    answers = [request.POST.get(f"q{i}", "") for i in range(min(count, 20))]
    if _is_critical(request, call_id) and not signed_in_lately(request):
        review = queries.review(member=request.member, call_id=call_id, now=timezone.now())
        if review.attempt is None:
            return reviews.show(request, call_id, problem=STALE, status=403, stale=True)
        return _paper(request, review, review.attempt, problem=STALE, status=403, stale=True)
    try:
        approvals.answer(
            member=request.member,
            call_id=call_id,
            attempt_id=attempt_id,
            action_digest=request.POST.get("digest", ""),
            answers=answers,
        )
    except (approvals.TooEarly, approvals.Incomplete) as error:
        review = queries.review(member=request.member, call_id=call_id, now=timezone.now())
        if review.attempt is None or _in_line(review):
            return reviews.refused(request, call_id, error)
        return _paper(request, review, review.attempt, problem=error.message, status=status_of(error))
    except RiskgateError as error:
        return reviews.refused(request, call_id, error)
    return reviews.done(request, call_id)


@require_POST
@member_required
def renew(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Holds the seat for longer. A script is told for how many seconds; a browser gets its page and its words back."""
    now = timezone.now()
    told = not request.accepts("text/html")
    try:
        attempt = challenges.renew(member=request.member, call_id=call_id, now=now)
    except RiskgateError as error:
        if told:
            return JsonResponse({"problem": error.message}, status=status_of(error))
        return reviews.refused(request, call_id, error)
    if told:
        left = attempt.lease_until - timezone.now() if attempt.lease_until is not None else None
        return JsonResponse({"seconds": left.total_seconds() if left is not None else None})
    return _paper(request, queries.review(member=request.member, call_id=call_id, now=now), attempt)


@require_POST
@member_required
def leave(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Gives the seat up, so that somebody else can take it."""
    challenges.leave(member=request.member, call_id=call_id, now=timezone.now())
    return redirect("review", call_id)
