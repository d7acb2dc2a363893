"""Columns that Django has no field for."""

import json
from typing import Any
from uuid import UUID

import uuid_utils.compat
from django.db import models


def uuid7() -> UUID:
    """A UUIDv7 (RFC 9562): rows made later sort later."""
    return uuid_utils.compat.uuid7()


class ExactJSONField(models.TextField):
    """JSON kept as the text that was written, and read back to equal values.

    `jsonb` would store 1e308 as 309 digits and give an integer back; what people approve must come back as it came.
    """

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        return value

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
