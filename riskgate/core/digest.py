"""The digest that an approval binds to: what acts, and nothing that merely describes."""

import hashlib
from collections.abc import Mapping, Sequence

import rfc8785

from riskgate.core.action import Json

FORMAT = "riskgate.action.v1"


def action_digest(
    *,
    team: str,
    agent: str,
    environment: str,
    function_name: str,
    args: Sequence[Json],
    kwargs: Mapping[str, Json],
    nonce: str,
) -> str:
    """`sha256:` and the SHA-256, in hex, of the RFC 8785 canonical JSON of these members and the format tag.

    `team` and `agent` are ids. Docstring, hints and metadata are left out: they describe, they do not act.
    The nonce keeps an action from being guessed from its hash. Raises rfc8785.CanonicalizationError where
    a number or a string has no canonical form.
    """
    canonical = rfc8785.dumps(
        {
            "format": FORMAT,
            "team": team,
            "agent": agent,
            "environment": environment,
            "function_name": function_name,
            "args": list(args),
            "kwargs": dict(kwargs),
            "nonce": nonce,
        }
    )
    return "sha256:" + hashlib.sha256(canonical).hexdigest()
