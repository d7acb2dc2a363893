"""Is it up, is it ready, and which keys does it sign with: for monitors and verifiers, without a key."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from rest_framework.request import Request

from riskgate.api import answers
from riskgate.api.base import OpenEndpoint
from riskgate.api.operations import Answer, Operation, Route
from riskgate.services import grants, housekeeping


class Keys(msgspec.Struct, kw_only=True):
    """A JWK Set (RFC 7517)."""

    keys: list[dict[str, str]]


class KeysView(OpenEndpoint):
    def get(self, request: Request) -> HttpResponse:
        return answers.respond(grants.jwks(), headers={"Cache-Control": "public, max-age=300"})


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. It asks nobody else."""
    return answers.respond({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Database and migrations are right; else 503 and the reasons."""
    reasons = housekeeping.ready()
    return answers.respond(
        {"status": "not ready" if reasons else "ready", "reasons": reasons}, 503 if reasons else 200
    )


ROUTES = (
    Route(
        ".well-known/jwks.json",
        KeysView,
        (
            Operation(
                id="keys",
                method="get",
                summary="The public keys of grants",
                text="A grant's `kid` names the key that signed it. Keep the set for as long as Cache-Control says.",
                answers={200: Answer("The key set.", Keys)},
                key=False,
            ),
        ),
        "Keys",
    ),
)
