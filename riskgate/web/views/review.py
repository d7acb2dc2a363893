"""One call: what it would do, why it was stopped, and the decision about it."""

import json
from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event

from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.lifecycle import Status
from riskgate.core.policy import Seat
from riskgate.core.roles import Permission, allows
from riskgate.services import approvals, disclosures, queries
from riskgate.services.shapes import CallView, Member, Review
from riskgate.web import call_text, words
from riskgate.web.errors import status_of
from riskgate.web.factor_stack import stack
from riskgate.web.members import member_required, sign_in_again, signed_in_lately
from riskgate.web.presenters import present_all
from riskgate.web.verdict import has_voted, verdict

PARTS = frozenset({"review", "decision"})
"""Ids of the elements that htmx fetches alone. Both are answered with the whole review, of which it takes its part."""

IN_LINE = "confirm"
"""The kind of challenge that needs no page: one button in the decision's own line."""

REVEALABLE = 200
"""So many masked values of one call can be chosen from."""

CHANGED = "riskgate:changed"
"""The event that makes an open queue fetch its list again."""


def call_parts(call: CallView) -> dict[str, Any]:
    """What the agent wrote, in pieces: the signature, the tree, the frame with its own words."""
    evidence = [
        *(item for factor in call.factors for item in factor.evidence),
        *(item for floor in call.floors for item in floor.evidence),
    ]
    found = call_text.spots(evidence)
    action = call.action
    said = []
    if action.docstring is not None:
        said.append(
            call_text.words("Docstring", action.docstring, found.get("/docstring", call_text.NOTHING))
        )
    if call.reason:
        said.append(call_text.words("Reason", call.reason))
    if action.hints:
        said.append(call_text.members("Hints", action.hints, "/hints", found, call.masked))
    if call.metadata:
        said.append(call_text.members("Metadata", call.metadata, "/metadata", found, call.masked))
    signature = call_text.signature(action, found, call.masked)
    tree = call_text.tree(action, found, call.masked)
    in_call = [signature, *(part for row in tree for part in (row.key, row.value, row.rest))]
    in_words = [part for each in said for part in (each.text, each.rest)]
    return {
        "signature": signature,
        "tree": tree,
        "said": said,
        "legend": call_text.legend([*in_call, *in_words]),
        "marks": sum(piece.times for part in in_words for piece in part if piece.code),
        "error": call_text.words("Error", call.error or ""),
        "output": call_text.words("Output", json.dumps(call.output, ensure_ascii=False, indent=2)),
        "raw_bytes": len(raw_text(call)),
    }


def raw_text(call: CallView) -> str:
    """All that the agent sent with the call, nothing shortened."""
    return call_text.raw(
        call.action, call.masked, reason=call.reason, session=call.session_name, metadata=call.metadata
    )


def _last_try(review: Review, member: Member) -> str:
    """That this person's last challenge failed. Which answers were wrong is not told: it would help to guess."""
    own = [
        event
        for event in review.timeline
        if event.kind is Event.CHALLENGE_FAILED and event.actor_id == member.user_id
    ]
    return str(own[-1].data.get("why") or "Not all answers were right.") if own else ""


def _barred(review: Review, member: Member) -> str:
    """Why this person may not approve it, or what became of their own approval; "" where nothing is to be said."""
    missing = len(review.seats) - review.call.approvals
    if review.call.status is Status.PENDING and missing > 0 and has_voted(review, member):
        return f"Your approval is counted. It needs {'one more person' if missing == 1 else f'{missing} more people'}."
    if review.stuck and not review.attempts_left:
        return ""  # That others may still approve it is not so.
    return review.may.reason


def _next_seat(review: Review) -> Seat | None:
    """The seat that this person holds or would take; None where every one is taken, or nobody is asked."""
    seats = review.call.requirement.seats
    if review.attempt is not None:
        return seats[review.attempt.seat - 1]
    if not review.seats:
        return seats[0] if seats else None
    free = next((seat.number for seat in review.seats if seat.state == "free"), None)
    return seats[free - 1] if free else None


def _lease(review: Review, now: datetime) -> float | None:
    """For how many seconds the reader's seat is still held, 0 when its time is over; None without a seat."""
    if review.attempt is None or not review.seats:
        return None
    until = review.attempt.lease_until
    return max((until - now).total_seconds(), 0) if until is not None else 0


def _kept(request: HttpRequest) -> tuple[str, ...]:
    """What this person wrote into a challenge that was refused. What was only chosen is not told again."""
    names = [name for name in request.POST.getlist("typed")[:20] if name.startswith("q")]
    return tuple(text for name in names if (text := request.POST.get(name, "").strip()))


def context(
    review: Review,
    member: Member,
    now: datetime,
    problem: str = "",
    *,
    kept: tuple[str, ...] = (),
    reason: str = "",
) -> dict[str, Any]:
    """What the review shows. `kept` and `reason` are what the person wrote and was refused: it is shown again."""
    call = review.call
    pending = call.status is Status.PENDING
    seat = _next_seat(review)
    alone = len(call.requirement.seats) == 1 and not call.requirement.type_target
    return {
        "now": now,
        "member": member,
        "review": review,
        "call": call,
        "level": call.level.name,
        "by_floor": call.level > call.score_level,
        "score": words.score(call.score) if call.factors else "",
        "parts": call_parts(call),
        "stack": stack(call, review.thresholds),
        "floors": sorted(call.floors, key=lambda floor: -floor.level),
        "timeline": present_all(review.timeline, reader_id=member.user_id, call_shown=True),
        "is_pending": pending,
        "verdict": verdict(review, member, now),
        "problem": problem,
        "reason_given": reason if pending and review.may.deny else "",
        "kept": kept if (pending and review.may.deny) or not reason else (*kept, reason),
        "last_try": _last_try(review, member) if pending and review.may.approve else "",
        "barred": _barred(review, member),
        "seat": seat,
        "seat_held": any(each.state == "you" for each in review.seats),
        "asks": words.asks(seat.challenge, seat.review_seconds) if seat else "",
        "start": words.START.get(seat.challenge, "Start") if seat else "",
        "one_line": alone and seat is not None and seat.challenge == IN_LINE,
        "lease": _lease(review, now),
        "answered": not pending or has_voted(review, member),
        "wait": max((review.attempt.ready_at - now).total_seconds(), 0) if review.attempt else 0,
        "may_reveal": sorted(call.masked)[:REVEALABLE] if allows(member.role, Permission.REVEAL) else [],
        "may_revoke": call.status is Status.APPROVED and allows(member.role, Permission.REVOKE),
    }


def show(
    request: HttpRequest, call_id: UUID, *, problem: str = "", status: int = 200, **more: object
) -> HttpResponse:
    """The review as it stands now: the page, or for htmx the review alone. Nothing that was refused is lost in it."""
    now = timezone.now()
    found = queries.review(member=request.member, call_id=call_id, now=now)
    fragment = request.htmx and request.htmx.target in PARTS
    template = "review/_review.html" if fragment else "review/review.html"
    written = {"kept": _kept(request), "reason": request.POST.get("reason", "")} if problem else {}
    return render(
        request, template, context(found, request.member, now, problem, **written) | more, status=status
    )


def refused(request: HttpRequest, call_id: UUID, error: RiskgateError) -> HttpResponse:
    """The review as it stands, with the sentence of the refusal. What is not there stays a 404."""
    if status_of(error) is HTTPStatus.NOT_FOUND:
        raise error
    return trigger_client_event(
        show(request, call_id, problem=error.message, status=status_of(error)), CHANGED
    )


def done(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """The review after a change of it."""
    if request.htmx:
        return trigger_client_event(show(request, call_id), CHANGED)
    return redirect("review", call_id)


def decide(request: HttpRequest, call_id: UUID, decision: Callable[[], object]) -> HttpResponse:
    try:
        decision()
    except RiskgateError as error:
        return refused(request, call_id, error)
    return done(request, call_id)


@require_safe
@member_required
def page(request: HttpRequest, call_id: UUID) -> HttpResponse:
    return show(request, call_id)


@require_safe
@member_required
def raw(request: HttpRequest, call_id: UUID) -> HttpResponse:
    found = queries.review(member=request.member, call_id=call_id, now=timezone.now())
    text = raw_text(found.call)
    return render(request, "review/raw.html", {"call": found.call, "raw": text, "size": len(text)})


@require_POST
@member_required
def opened(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """The page says that this person has the review before them."""
    present = request.POST.get("present") == "yes"
    approvals.open(member=request.member, call_id=call_id, now=timezone.now(), present=present)
    return HttpResponse(status=204)


@require_POST
@member_required
def reveal(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Shows one masked value, in the answer to this request and nowhere else."""
    if not signed_in_lately(request):
        return sign_in_again(reverse("review", args=(call_id,)))
    at = request.POST.get("at", "")
    value = disclosures.reveal(member=request.member, call_id=call_id, at=at, now=timezone.now())
    return show(request, call_id, revealed=(at, call_text.words("Revealed", value)))


@require_POST
@member_required
def deny(request: HttpRequest, call_id: UUID) -> HttpResponse:
    reason = request.POST.get("reason", "")
    return decide(
        request, call_id, lambda: approvals.deny(member=request.member, call_id=call_id, reason=reason)
    )


@require_POST
@member_required
def send_back(request: HttpRequest, call_id: UUID) -> HttpResponse:
    reason = request.POST.get("reason", "")
    return decide(
        request, call_id, lambda: approvals.send_back(member=request.member, call_id=call_id, reason=reason)
    )


@require_POST
@member_required
def revoke(request: HttpRequest, call_id: UUID) -> HttpResponse:
    reason = request.POST.get("reason", "")
    return decide(
        request, call_id, lambda: approvals.revoke(member=request.member, call_id=call_id, reason=reason)
    )
