"""The digest that an approval binds to: what acts, and nothing that merely describes."""

import hashlib
import re
from collections.abc import Mapping, Sequence

import msgspec
import rfc8785

from riskgate.core.action import Json

FORMAT = "riskgate.action.v1"


_sorted = msgspec.json.Encoder(order="sorted").encode
_OF_ITS_OWN = re.compile(rb"[0-9][.eE]|[0-9]{16}|null")


def canonical(value: Json) -> bytes:
    """RFC 8785 canonical JSON. Raises rfc8785.CanonicalizationError where there is none.

    Plain ASCII is written by msgspec, many times as fast and to the same bytes. What the RFC has rules of its own
    for is left to rfc8785: fractions, long numbers, the order of other scripts, and null, which msgspec also makes of
    NaN. Without backslashes every second piece between quotation marks stands outside the strings.
    """
    try:
        text = _sorted(value)
    except UnicodeEncodeError:
        return rfc8785.dumps(value)
    if text.isascii() and b"\\" not in text and not _OF_ITS_OWN.search(b" ".join(text.split(b'"')[::2])):
        return text
    return rfc8785.dumps(value)


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
    text = canonical(
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
    return "sha256:" + hashlib.sha256(text).hexdigest()
