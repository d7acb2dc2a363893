"""Reading pages as people do: signed in, and without the markup."""

import html
import re
import time
from uuid import UUID

from allauth.account.internal.userkit import user_id_to_str
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client

from tests.people import World


def signed_in(world: World, who: str, *, seconds_ago: float = 0) -> Client:
    return client_of(world.members[who].user_id, seconds_ago=seconds_ago)


def client_of(user_id: UUID, *, seconds_ago: float = 0) -> Client:
    """A browser in which this person typed the password that long ago."""
    client = Client()
    user = get_user_model().objects.get(pk=user_id)
    client.force_login(user)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time() - seconds_ago}]
    session["account_authentication_methods_user"] = user_id_to_str(user)
    session.save()
    return client


def text_of(page: str) -> str:
    """The words of a page, in their order, with single spaces."""
    body = re.sub(r"<(script|style|template)\b.*?</\1>", " ", page, flags=re.DOTALL)
    body = re.sub(r"</?(b|code|a|strong|span|em|var|mark|time)\b[^>]*>", "", body)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


INLINE = (
    (r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")", "a script in the page"),
    (r"<style\b", "a style sheet in the page"),
    (r"<[^>]*\sstyle\s*=", "a style attribute"),
    (r"<[^>]*\son[a-z]+\s*=", "an event handler attribute"),
    (r"(?:href|src|action)\s*=\s*[\"']?\s*(?:javascript|data):", "a script or data address"),
)


def assert_passes_the_content_policy(response: HttpResponse) -> None:
    """The header is there and strict, and nothing in the page needs more than it allows."""
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    page = response.content.decode()
    for pattern, what in INLINE:
        found = re.search(pattern, page, flags=re.IGNORECASE)
        assert found is None, f"{what}: {page[found.start() : found.start() + 80] if found else ''}"
