"""The one-time link that makes the first team and its admin."""

from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from riskgate.services import teams
from riskgate.web.forms.welcome import FirstAdmin


def _useless(request: HttpRequest) -> HttpResponse:
    return render(request, "welcome/useless.html", status=404)


@method_decorator([never_cache, sensitive_post_parameters("password1", "password2")], name="dispatch")
class Page(View):
    http_method_names = ("get", "head", "post")

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        if not teams.check_first_admin_link(token=token, now=timezone.now()):
            return _useless(request)
        return render(request, "welcome/welcome.html", {"form": FirstAdmin()})

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        if not teams.check_first_admin_link(token=token, now=timezone.now()):
            return _useless(request)
        form = FirstAdmin(request.POST)
        if not form.is_valid():
            return render(request, "welcome/welcome.html", {"form": form}, status=422)
        given = form.cleaned_data
        try:
            teams.accept_first_admin(
                token=token,
                team_name=given["team_name"],
                name=given["name"],
                email=given["email"],
                password=given["password1"],
                now=timezone.now(),
            )
        except teams.LinkInvalid:
            return _useless(request)
        user = authenticate(request, email=given["email"], password=given["password1"])
        # A key may be made at once: the password was typed just now.
        record_authentication(request, user, method="password")
        return perform_login(request, user, redirect_url=reverse("start"))
