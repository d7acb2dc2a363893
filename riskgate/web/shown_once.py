"""A new key on its way from the POST that makes it to the one page that shows it.

The page is a redirect's target, so that loading it again makes no second key; and the address holds nothing. What lies
in the server's session meanwhile is of no use alone: the other half is in a cookie of the browser that asked, so that a
key is never kept readable, not even for a second.
"""

import secrets
import time
from base64 import b64decode, b64encode
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from riskgate.services.agents import PREFIX

SESSION = "new_key"
COOKIE = "riskgate_new_key"
LIVES = 120
"""Seconds from making to showing; who comes later makes another key and revokes this one."""


@dataclass(frozen=True, slots=True)
class NewKey:
    agent_id: UUID
    token: str


def keep(request: HttpRequest, response: HttpResponse, agent_id: UUID, token: str) -> HttpResponse:
    """The response, with half of the key in it; the other half stays here."""
    pad = secrets.token_bytes(len(token))
    request.session[SESSION] = {
        "agent": str(agent_id),
        "half": b64encode(_mixed(token.encode(), pad)).decode(),
        "until": time.time() + LIVES,
    }
    response.set_cookie(
        COOKIE,
        b64encode(pad).decode(),
        max_age=LIVES,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
    return response


def take(request: HttpRequest, agent_id: UUID | None = None) -> NewKey | None:
    """The key that is to be shown now, of this agent where one is named; it is gone afterwards."""
    kept = request.session.get(SESSION)
    if request.method != "GET" or kept is None:
        return None
    if agent_id is not None and kept["agent"] != str(agent_id):
        return None
    del request.session[SESSION]
    try:
        pad = b64decode(request.COOKIES.get(COOKIE, ""), validate=True)
    except ValueError:
        return None
    half = b64decode(kept["half"])
    if time.time() > kept["until"] or len(pad) != len(half):
        return None
    token = _mixed(half, pad)
    if not token.startswith(PREFIX.encode()):
        return None  # two were made at once, and these are halves of two
    return NewKey(UUID(kept["agent"]), token.decode(errors="replace"))


def _mixed(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))
