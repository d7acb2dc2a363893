"""Columns that Django has no field for."""

import json
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec
import uuid_utils.compat
from django.db import models


def uuid7() -> UUID:
    """A UUIDv7 (RFC 9562): rows made later sort later."""
    return uuid_utils.compat.uuid7()


_encode = msgspec.json.Encoder().encode


def json_text(value: Any) -> str:
    """What ExactJSONField keeps of a value. Floats are written with the fewest digits that give them back."""
    return _encode(value).decode()


if TYPE_CHECKING:
    TextField = models.TextField[Any, Any]
else:
    TextField = models.TextField


class ExactJSONField(TextField):
    """JSON kept as the text that was written, and read back to equal values.

    `jsonb` would store 1e308 as 309 digits and give an integer back; what people approve must come back as it came.
    """

    if TYPE_CHECKING:  # what the type checker is to think of values of this column
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any
        _pyi_lookup_exact_type: Any

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        return value

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else json_text(value)
