"""Commands that an action spells over its structure: the function's name, a member and its list of arguments."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from riskgate.core.action import Action, Json
from riskgate.core.assessment import Evidence
from riskgate.core.scoring.views import Argvs, Leaf, Node, Texts

WORDS = 256
"""The most words of such a command."""

CONTAINERS = 20_000
"""The most lists and objects that are looked into."""

Spans: TypeAlias = list[tuple[int, int]]

_COMMANDS = ("cmd", "command", "program", "executable", "binary", "exe", "prog")
_ARGUMENTS = ("args", "argv", "arguments", "params", "parameters", "cmd_args")
_REST = (*_ARGUMENTS, "cmd", "command", "subcommand", "operation")

_TOOLS = frozenset(
    {
        *(
            "git",
            "terraform",
            "tofu",
            "kubectl",
            "oc",
            "aws",
            "gcloud",
            "az",
            "gsutil",
            "helm",
            "docker",
            "podman",
        ),
        *(
            "npm",
            "gh",
            "systemctl",
            "pulumi",
            "vault",
            "heroku",
            "zfs",
            "zpool",
            "ufw",
            "iptables",
            "crontab",
        ),
    }
)
"""Commands whose name, where a function's name starts with it, is followed by the command's own words."""

_ORDINARY = frozenset(
    {
        *(
            "set",
            "type",
            "more",
            "less",
            "head",
            "tail",
            "fetch",
            "mail",
            "format",
            "service",
            "source",
            "security",
        ),
        *(
            "find",
            "k",
            "history",
            "export",
            "cat",
            "tree",
            "sync",
            "kill",
            "mv",
            "cp",
            "net",
            "sc",
            "ri",
            "rd",
            "od",
        ),
    }
)
"""Commands that are also the last word of names that mean none of them, as in `list_set`."""

_KWARGS: Node = (None, "kwargs")

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


class Spoken:
    """Commands that are made of several members: `argvs` of one word each, `lines` whose last is a text.

    `git("push", "--force")` is an argv, `git("push --force")` a line.
    """

    def __init__(self, action: Action, name: Leaf, spans: Spans, heads: frozenset[str]) -> None:
        found = [
            (head, rest) for head, rest in (*_by_name(action, name, spans, heads), *_split(action)) if head
        ]
        self.argvs = Argvs([head + rest for head, rest in found if len(head) + len(rest) > 1])
        self.lines = Argvs([head + rest for head, rest in found if len(rest) == 1 and " " in rest[0].data])


def _by_name(
    action: Action, name: Leaf, spans: Spans, heads: frozenset[str]
) -> Iterator[tuple[list[Leaf], list[Leaf]]]:
    """`git("push", "--force")`, `run_git(args=["push"])`, `kubectl_delete("ns", "x")`."""
    data = name.data
    if not spans:
        return
    words = [data[start:end].lower() for start, end in spans]
    whole: list[tuple[int, int]] = []
    if data.lower() in heads:
        whole = [(0, len(data))]
    elif words[-1] in heads and (len(words) == 1 or words[-1] not in _ORDINARY):
        whole = spans[-1:]
    spelled = spans if words[0] in _TOOLS and len(spans) > 1 else []
    if not (whole or spelled):
        return
    rest = _flat((None, "args"), action.args)
    for key in _REST:
        if key in action.kwargs:
            rest += _flat((_KWARGS, key), action.kwargs[key])
    for head in (whole, spelled):
        yield [_Part(name, start, end) for start, end in head], rest


class _Part(Leaf):
    """A word of the function's name."""

    __slots__ = ("_first", "_name")

    def __init__(self, name: Leaf, start: int, end: int) -> None:
        self._name = name
        self._first, last = name.original(start, end)
        super().__init__(name.node, name.text[self._first : last], False)

    def quote(self, rule: str, first: int, last: int, via: str) -> Evidence:
        return self._name.quote(rule, self._first + first, self._first + last, via)


def _split(action: Action) -> Iterator[tuple[list[Leaf], list[Leaf]]]:
    """`{"cmd": "rm", "args": ["-rf", "/"]}` and `["rm", ["-rf", "/"]]`, wherever they stand."""
    stack: list[tuple[Node, Json]] = [(_KWARGS, action.kwargs), ((None, "args"), action.args)]
    seen = 0
    while stack and seen < CONTAINERS:
        node, value = stack.pop()
        seen += 1
        if isinstance(value, Mapping):
            yield from _siblings(node, value)
            stack += [
                ((node, key), item) for key, item in value.items() if isinstance(item, Mapping | list | tuple)
            ]
        elif isinstance(value, list | tuple):
            inner = [(at, item) for at, item in enumerate(value) if isinstance(item, Mapping | list | tuple)]
            if inner and len(value) <= WORDS and not any(isinstance(item, Mapping) for _, item in inner):
                words = _flat(node, value)
                yield words[:1], words[1:]
            stack += [((node, at), item) for at, item in inner]


def _siblings(node: Node, value: Mapping[str, Json]) -> Iterator[tuple[list[Leaf], list[Leaf]]]:
    heads = [key for key in value if key.lower() in _COMMANDS]
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
