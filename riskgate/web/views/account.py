"""A person's own account. Changing it is allauth's part, under /accounts/."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from riskgate.services import teams


@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Works for a person who is in no team (any more) as well."""
    return render(
        request, "account/account.html", {"memberships": teams.memberships(user_id=request.user.pk)}
    )
