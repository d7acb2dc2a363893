"""A call as one line of text: `delete_user("usr_123", env="production")`."""

import json
import re
from collections.abc import Collection, Iterable
from itertools import islice

from riskgate.core.action import Action, Json, pointer

MASK = "••••"
VALUE_LIMIT = 200
MEMBERS = 20
NAME = re.compile(r"[\w.:/-]+")

_as_json = json.JSONEncoder(ensure_ascii=False).encode


def plain_name(name: str) -> bool:
    """Whether a name can stand in a line of code without quotes: nothing in it looks like a part of the line."""
    return NAME.fullmatch(name) is not None


def named(name: str) -> str:
    """A function's or a member's name; in quotes where it would read as more than a name."""
    return name if plain_name(name) else _as_json(name)


def rendered(value: Json, at: str, masked: Collection[str], room: int = VALUE_LIMIT) -> str:
    """A value as JSON text, with what is masked replaced. What is more than about `room` code points is left out, and
    takes no time."""
    if at in masked:
        return f'"{MASK}"'
    if isinstance(value, str):
        if len(value) > 2 * VALUE_LIMIT:
            # Beginning and end are all that will be left when the middle is cut.
            value = value[:VALUE_LIMIT] + value[-VALUE_LIMIT:]
        return _as_json(value)
    if isinstance(value, dict):
        members = ((f"{named(key[:60])}: ", child, key) for key, child in value.items())
        return "{" + _list(members, len(value), at, masked, room) + "}"
    if isinstance(value, (list, tuple)):
        items = (("", child, index) for index, child in enumerate(value))
        return "[" + _list(items, len(value), at, masked, room) + "]"
    return _as_json(value)


def _list(
    members: Iterable[tuple[str, Json, str | int]], count: int, at: str, masked: Collection[str], room: int
) -> str:
    """The first members with what stands before them, and how many more there are."""
    parts: list[str] = []
    for before, child, token in islice(members, MEMBERS):
        if room <= 0 and parts:
            break
        # Where nothing is masked, nobody asks where a value stands.
        parts.append(before + rendered(child, at + pointer(token) if masked else "", masked, room))
        room -= len(parts[-1]) + 2
    left_out = count - len(parts)
    return ", ".join([*parts, *([f"… {left_out:,} more"] if left_out else [])])


def cut(text: str, limit: int) -> str:
    """The text, with its middle replaced where it is longer: the verb and the last argument both stay."""
    if len(text) <= limit:
        return text
    head = (limit - 3) * 2 // 3
    return f"{text[:head]} … {text[len(text) - (limit - 3 - head) :]}"


def signature(action: Action, masked: Collection[str] = (), limit: int = 120) -> str:
    """The call in one line of at most `limit` code points, masked, without line breaks."""
    parts = [
        cut(rendered(value, f"/args/{index}", masked), VALUE_LIMIT)
        for index, value in enumerate(action.args[:MEMBERS])
    ]
    parts += [
        f"{named(name)}={cut(rendered(value, '/kwargs' + pointer(name), masked), VALUE_LIMIT)}"
        for name, value in islice(action.kwargs.items(), MEMBERS)
    ]
    left_out = len(action.args) + len(action.kwargs) - len(parts)
    parts += [f"… {left_out:,} more"] if left_out else []
    return cut(f"{named(action.function_name)}({', '.join(parts)})", limit)
