"""The header Idempotency-Key: the same key and body is the same request."""

import hashlib
import re

from django.http import HttpRequest

from riskgate.api.problems import Problem
from riskgate.services.shapes import Idempotency

HEADER = "Idempotency-Key"
PRINTABLE = re.compile(r"[\x20-\x7e]{1,255}")


def read(request: HttpRequest, raw: bytes) -> Idempotency | None:
    """What the header says about a request with this body, or None without one. Raises Problem."""
    key = request.headers.get(HEADER)
    if key is None:
        return None
    if not PRINTABLE.fullmatch(key):
        raise Problem(
            "invalid", f"{HEADER} must be 1 to 255 printable ASCII characters, such as a UUID.", header=HEADER
        )
    return Idempotency(path=request.path.rstrip("/"), key=key, body_hash=hashlib.sha256(raw).digest())
