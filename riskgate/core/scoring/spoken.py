"""Commands that an action spells over its structure: the function's name, a member and its list of arguments."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from riskgate.core.action import Action, Json
from riskgate.core.scoring.called import Word
from riskgate.core.scoring.views import Leaf, Node, Texts

WORDS = 256
"""The most words of such a command."""

CONTAINERS = 20_000
"""The most lists and objects that are looked into."""

_COMMANDS = frozenset({"cmd", "command", "program", "executable", "binary", "exe", "prog"})
_ARGUMENTS = ("args", "argv", "arguments", "params", "parameters", "cmd_args")
_REST = (*_ARGUMENTS, "cmd", "command", "subcommand", "operation")

_ARGS: Node = (None, "args")
_KWARGS: Node = (None, "kwargs")

_CONTAINERS = (dict, list, tuple)

_SHELL = frozenset(" ;|&(`$\n\t")
"""What no name of a function or of a parameter holds, and what every command in its place needs."""


def names(action: Action) -> Texts | None:
    """The names that hold more than a name: the function's, and those of the keyword arguments."""
    found: list[Leaf] = []
    if not _SHELL.isdisjoint(action.function_name):
        found.append(Leaf((None, "function_name"), action.function_name, False))
    for name in action.kwargs:
        if not _SHELL.isdisjoint(name):
            found.append(Leaf((_KWARGS, name), name, True))
    return Texts(found, [], []) if found else None


Pieces: TypeAlias = tuple[list[Leaf], list[Leaf]]
"""The first words of a command, and those that follow."""


def spelled(action: Action, heads: list[list[Word]]) -> list[Pieces]:
    """Commands that are made of several members; `heads` is how the function's name may start one."""
    found = _by_name(action, heads) if heads else []
    found += _split(action)
    return [pieces for pieces in found if pieces[0]] if found else found


def _by_name(action: Action, heads: list[list[Word]]) -> list[Pieces]:
    """`git("push", "--force")`, `run_git(args=["push"])`, `kubectl_delete("ns", "x")`."""
    rest = _flat(_ARGS, action.args)
    for key in _REST:
        if key in action.kwargs:
            rest += _flat((_KWARGS, key), action.kwargs[key])
    return [([*head], rest) for head in heads]


def _split(action: Action) -> Iterator[Pieces]:
    """`{"cmd": "rm", "args": ["-rf", "/"]}` and `["rm", ["-rf", "/"]]`, wherever they stand."""
    stack: list[tuple[Node, Json]] = [(_KWARGS, action.kwargs), (_ARGS, action.args)]
    seen = 0
    while stack and seen < CONTAINERS:
        node, value = stack.pop()
        seen += 1
        if not value:
            continue
        if isinstance(value, Mapping):
            yield from _siblings(node, value)
            stack += [((node, key), item) for key, item in value.items() if isinstance(item, _CONTAINERS)]
        elif isinstance(value, list | tuple):
            inner = [(at, item) for at, item in enumerate(value) if isinstance(item, _CONTAINERS)]
            if inner and len(value) <= WORDS and not any(isinstance(item, Mapping) for _, item in inner):
                words = _flat(node, value)
                yield words[:1], words[1:]
            stack += [((node, at), item) for at, item in inner]


def _siblings(node: Node, value: Mapping[str, Json]) -> Iterator[Pieces]:
    heads = [key for key in value if key.lower() in _COMMANDS]
    if not heads:
        return
    rests = [key for key in value if key.lower() in _ARGUMENTS]
    for key in heads[:2]:
        for rest in rests[:2]:
            yield _flat((node, key), value[key]), _flat((node, rest), value[rest])


def _flat(node: Node, value: Json) -> list[Leaf]:
    """A string, or the strings of a list and of the lists in it; none where there are too many."""
    if isinstance(value, str):
        return [Leaf(node, value, False)]
    if not isinstance(value, list | tuple) or len(value) > WORDS:
        return []
    found: list[Leaf] = []
    for at, item in enumerate(value):
        if isinstance(item, str):
            found.append(Leaf((node, at), item, False))
        elif isinstance(item, list | tuple) and len(item) <= WORDS:
            found += [
                Leaf(((node, at), i), text, False) for i, text in enumerate(item) if isinstance(text, str)
            ]
        if len(found) > WORDS:
            return []
    return found
