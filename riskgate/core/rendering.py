"""A call as one line of text: `delete_user("usr_123", env="production")`."""

import json
from collections.abc import Collection
from itertools import islice

from riskgate.core.action import Action, Json, pointer

MASK = "••••"
VALUE_LIMIT = 200


def rendered(value: Json, at: str, masked: Collection[str]) -> str:
    """A value as JSON text of bounded length, with masked texts replaced."""
    if at in masked:
        return f'"{MASK}"'
    if isinstance(value, str):
        if len(value) > 2 * VALUE_LIMIT:
            # Beginning and end are all that will be left when the middle is cut.
            value = value[:VALUE_LIMIT] + value[-VALUE_LIMIT:]
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        members = islice(value.items(), 20)
        return (
            "{"
            + ", ".join(f"{key[:60]}: {rendered(v, at + pointer(key), masked)}" for key, v in members)
            + "}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(rendered(v, at + pointer(i), masked) for i, v in enumerate(value[:20])) + "]"
    return json.dumps(value)


def cut(text: str, limit: int) -> str:
    """The text, with its middle replaced where it is longer: the verb and the last argument both stay."""
    if len(text) <= limit:
        return text
    head = (limit - 3) * 2 // 3
    return f"{text[:head]} … {text[len(text) - (limit - 3 - head) :]}"


def signature(action: Action, masked: Collection[str] = (), limit: int = 120) -> str:
    """The call in one line of at most `limit` code points, masked, without line breaks."""
    parts = [
        cut(rendered(v, pointer("args", i), masked), VALUE_LIMIT) for i, v in enumerate(action.args[:20])
    ]
    parts += [
        f"{name}={cut(rendered(v, pointer('kwargs', name), masked), VALUE_LIMIT)}"
        for name, v in islice(action.kwargs.items(), 20)
    ]
    return cut(f"{action.function_name}({', '.join(parts)})", limit)
