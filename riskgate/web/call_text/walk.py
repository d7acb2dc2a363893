"""Ways through arguments that may be large: by what is to be shown of them, never through all of it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from riskgate.core.action import Json, tokens

Paths: TypeAlias = "dict[str, Paths]"
"""The members that lead to something, and those below them."""


def paths(pointers: Iterable[str]) -> Paths:
    out: Paths = {}
    for at in pointers:
        grow(out, tokens(at))
    return out


def grow(here: Paths, steps: Iterable[str]) -> None:
    for step in steps:
        here = here.setdefault(step, {})


def missing(here: Paths, steps: list[str]) -> int:
    """How many of the steps are not there yet."""
    for i, step in enumerate(steps):
        if step not in here:
            return len(steps) - i
        here = here[step]
    return 0


def members(value: Json) -> Iterator[tuple[str, Json]]:
    """The members of an object or a list by their names; of anything else, none."""
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, (list, tuple)):
        yield from ((str(i), child) for i, child in enumerate(value))


def chosen(value: Json, here: Paths) -> Iterator[tuple[str, Json]]:
    """The members that `here` leads to, in their order."""
    if isinstance(value, Mapping):
        yield from ((name, child) for name, child in value.items() if name in here)
    elif isinstance(value, (list, tuple)):
        places = sorted(int(step) for step in here if step.isdecimal())
        yield from ((str(i), value[i]) for i in places if i < len(value))


def size(value: Json) -> int:
    """How many members there are below, however deep."""
    total, stack = 0, [value]
    while stack:
        each = stack.pop()
        children = list(each.values()) if isinstance(each, dict) else each
        if isinstance(children, (list, tuple)):
            total += len(children)
            stack += [child for child in children if isinstance(child, (dict, list, tuple))]
    return total
