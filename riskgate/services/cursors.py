"""Opaque cursors of keyset pages."""

import base64
import json
from datetime import UTC, datetime
from typing import Any, ClassVar

from riskgate.core.errors import RiskgateError


class CursorInvalid(RiskgateError):
    code: ClassVar[str] = "cursor_invalid"


def encode(*key: Any) -> str:
    """The sort key of a page's last row as URL-safe text."""
    text = json.dumps([str(part) for part in key], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode(cursor: str, *types: Any) -> list[Any]:
    """The sort key again, each part read by its type. Raises CursorInvalid for anything that `encode` did not make."""
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        key = [read(part) for read, part in zip(types, parts, strict=True)]
        if any(isinstance(part, datetime) and part.tzinfo is None for part in key):
            raise ValueError("a time without its zone")
        if any(isinstance(part, int) and not 0 <= part < 10 for part in key):
            raise ValueError("a number that is no level")
        # In UTC, as the database compares: a zone can push a time out of the years that there are.
        return [part.astimezone(UTC) if isinstance(part, datetime) else part for part in key]
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise CursorInvalid("This page link is damaged. Go back to the first page.", at="cursor") from error
