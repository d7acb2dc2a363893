"""Who asks, and for which of their teams. Every page behind the sign-in begins here."""

import time
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode
from uuid import UUID

from allauth.account.authentication import get_authentication_records
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django_htmx.http import HttpResponseClientRedirect

from riskgate.services import teams
from riskgate.services.shapes import Member
from riskgate.web.errors import refusals_as_pages

TEAM = "team"
"""The session's key for the team that was chosen last."""

View = Callable[..., HttpResponse]


def memberships(request: HttpRequest) -> tuple[Member, ...]:
    """This person's teams; none for somebody who is not signed in. Asked once a request."""
    if not hasattr(request, "_memberships"):
        signed_in = request.user.is_authenticated
        request._memberships = teams.memberships(user_id=request.user.pk) if signed_in else ()
    return request._memberships


def current(request: HttpRequest) -> Member | None:
    """The person in the team that they chose, or in their first one."""
    mine = memberships(request)
    chosen = request.session.get(TEAM) if mine else None
    return next((member for member in mine if str(member.team_id) == chosen), mine[0] if mine else None)


def choose(request: HttpRequest, team_id: UUID) -> bool:
    """Go on in another of one's own teams; false where it is none of them."""
    if team_id not in {member.team_id for member in memberships(request)}:
        return False
    request.session[TEAM] = str(team_id)
    return True


def _sign_in(request: HttpRequest) -> HttpResponse:
    """To the sign-in page and back. A fragment cannot hold that page, so htmx is told to leave this one."""
    back = request.get_full_path() if request.method in ("GET", "HEAD") else "/"
    if request.htmx:
        back = request.htmx.current_url_abs_path or "/"
    url = f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': back})}"
    if request.htmx:
        return HttpResponseClientRedirect(url)
    response = HttpResponse(status=302)
    response["Location"] = url
    return response


def signed_in_lately(request: HttpRequest) -> bool:
    """Whether this person has shown in the last five minutes that it is they, by signing in or once more since."""
    shown = [record["at"] for record in get_authentication_records(request, request.user)]
    return bool(shown) and time.time() - max(shown) < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def sign_in_again(back: str) -> HttpResponse:
    """To the page that asks for the password or the second factor once more, and from there to `back`."""
    return redirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': back})}")


def member_required(view: View) -> View:
    """Sets `request.member`, or leads to the sign-in; what a service refuses becomes a page.

    Pages answer a browser's own request and htmx differently and hold what only the team may see, so they are
    never cached.
    """
    answer = refusals_as_pages(view)

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return _sign_in(request)
        member = current(request)
        if member is None:
            return render(request, "components/no_team.html", status=403)
        request.member = member
        response = answer(request, *args, **kwargs)
        patch_vary_headers(response, ("HX-Request", "HX-Target"))
        return response

    return never_cache(guarded)
