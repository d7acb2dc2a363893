"""How signing in behaves here: people come by invitation, and every sign-in stands in their teams' history."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from riskgate.services import teams


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {  # noqa: RUF012 - the shape of the class that it extends
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": "This e-mail address and password do not belong together. Check both.",
        "too_many_login_attempts": "Too many failed attempts. Wait five minutes, then try again.",
        "incorrect_password": "That is not your password.",
        "enter_current_password": "That is not your current password.",
        "rate_limited": "Too many attempts. Wait a few minutes, then try again.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **how: Any) -> HttpResponse:
        teams.signed_in(user_id=user.pk, now=timezone.now())
        return super().post_login(request, user, **how)

    def get_reset_password_from_key_url(self, key: str) -> str:
        """On the configured public URL: a Host header must not choose where a mail leads."""
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        return settings.PUBLIC_URL + path.replace("UID-KEY", key)
