"""Which values are not shown: those that stand under a name which says that they are secret."""

import re
from collections.abc import Iterator

from riskgate.core.action import Action, Json, pointer

SECRET_NAME = re.compile(
    r"(?:^|[^a-z])(?:pass(?:word|wd|phrase|code)?|secrets?|tokens?|credentials?|(?:api|access|private|signing|secret)[_-]?key)"
    r"(?:$|[^a-z])"
)
"""Matched on a name of at most 255 characters in snake case; a fixed alternation, so linear in it."""

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def secret_name(name: str) -> bool:
    return SECRET_NAME.search(CAMEL.sub("_", name[:255]).lower()) is not None


def masked_pointers(action: Action) -> frozenset[str]:
    """JSON Pointers of every non-empty text under a secret name, keyword arguments and nested members alike."""
    return frozenset(_walk(action.kwargs, ("kwargs",), False)) | frozenset(
        _walk(action.args, ("args",), False)
    )


def _walk(root: Json, path: tuple[str | int, ...], secret: bool) -> Iterator[str]:
    stack: list[tuple[Json, tuple[str | int, ...], bool]] = [(root, path, secret)]
    while stack:
        value, at, hidden = stack.pop()
        if isinstance(value, str):
            if hidden and value:
                yield pointer(*at)
        elif isinstance(value, dict):
            stack += [(child, (*at, key), hidden or secret_name(key)) for key, child in value.items()]
        elif isinstance(value, (list, tuple)):
            stack += [(child, (*at, index), hidden) for index, child in enumerate(value)]
