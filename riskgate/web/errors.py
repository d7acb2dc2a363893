"""Which HTTP status a refusal has on a page, by its code."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from riskgate.core.errors import RiskgateError

STATUS: dict[str, HTTPStatus] = {
    "not_found": HTTPStatus.NOT_FOUND,
    "link_invalid": HTTPStatus.NOT_FOUND,
    "not_allowed": HTTPStatus.FORBIDDEN,
    "attempts_used": HTTPStatus.FORBIDDEN,
    "expired": HTTPStatus.GONE,
    "digest_differs": HTTPStatus.PRECONDITION_FAILED,
    "incomplete": HTTPStatus.UNPROCESSABLE_ENTITY,
    "reason_needed": HTTPStatus.UNPROCESSABLE_ENTITY,
    "reason_too_long": HTTPStatus.UNPROCESSABLE_ENTITY,
    "policy_invalid": HTTPStatus.UNPROCESSABLE_ENTITY,
    "cursor_invalid": HTTPStatus.UNPROCESSABLE_ENTITY,
}
"""Every other refusal is a conflict with what stands now."""


def status_of(error: RiskgateError) -> HTTPStatus:
    return STATUS.get(error.code, HTTPStatus.CONFLICT)


def refusals_as_pages(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """What a service refuses becomes a page with its sentence; what is not there, or is another team's, a 404."""

    @wraps(view)
    def told(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except RiskgateError as error:
            status = status_of(error)
            if status is HTTPStatus.NOT_FOUND:
                raise Http404(error.message) from error
            return render(request, "components/refused.html", {"message": error.message}, status=status)

    return told
