"""Who asks: an agent, by the key in `Authorization: Bearer rg_…`, and nobody else."""

import hashlib

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from riskgate.api import throttles
from riskgate.api.problems import Problem
from riskgate.services import agents
from riskgate.services.shapes import AgentPrincipal

LONGEST = 200
CHALLENGE = 'Bearer realm="riskgate"'


class ApiKeyAuthentication(BaseAuthentication):
    """Never lets a request pass without a key: it answers the agent and the key's hash, or raises Problem."""

    def authenticate(self, request: Request) -> tuple[AgentPrincipal, bytes]:
        scheme, _, token = request.headers.get("Authorization", "").strip().partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise Problem(
                "unauthorized",
                "This needs an API key. Send it as `Authorization: Bearer rg_…`.",
                headers={"WWW-Authenticate": CHALLENGE},
            )
        principal, token_hash = None, b""
        if len(token) <= LONGEST and token.isascii():
            token_hash = hashlib.sha256(token.encode()).digest()
            throttles.admit_key(token_hash)
            principal = agents.authenticate(token=token)
        if principal is None:
            raise Problem(
                "unauthorized",
                "This API key is unknown or has been revoked. Ask an admin of the team for a new one.",
                headers={"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'},
            )
        throttles.admit_team(principal.team_id)
        return principal, token_hash
