"""All argument values of an action as one folded text, and the way back from a match in it."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TypeAlias

from riskgate.core.action import Action, Json, pointer
from riskgate.core.assessment import Evidence
from riskgate.core.scoring.words import BORDER, Folded, excerpt

Node: TypeAlias = "tuple[Node | None, str | int]"
"""A member and what holds it. Pointers are written out only for what matched: depth costs nothing."""

Member: TypeAlias = "tuple[Node, Json, bool]"
"""A member, what it holds, and whether that is its name."""


def pointer_of(node: Node) -> str:
    tokens: list[str | int] = []
    at: Node | None = node
    while at is not None:
        at, token = at
        tokens.append(token)
    return pointer(*reversed(tokens))


class Leaf(Folded):
    """One text among the arguments: a scalar as JSON text, or (`in_key`) the name of a nested member."""

    __slots__ = ("in_key", "node")

    def __init__(self, node: Node, text: str, in_key: bool) -> None:
        super().__init__(text)
        self.node = node
        self.in_key = in_key

    @property
    def at(self) -> str:
        return pointer_of(self.node)

    @property
    def origin(self) -> "Leaf | None":
        """The text that this one was decoded from."""
        return None

    def evidence(self, rule: str, start: int, end: int, via: str = "") -> Evidence:
        """Evidence for a match at `start`..`end` of the folded text."""
        first, last = self.original(start, end)
        if not via and self.text[first:last] != self.data[start:end]:
            via = "folded"
        return self.quote(rule, first, last, via)

    def quote(self, rule: str, first: int, last: int, via: str) -> Evidence:
        """Evidence for the code points `first`..`last`."""
        return Evidence(rule, excerpt(self.text, first, last), self.at, (first, last), self.in_key, via)


class Argvs:
    """Lists of strings, each as one text with spaces; `data` has a border between each two."""

    def __init__(self, lists: list[list[Leaf]]) -> None:
        self.lists = lists
        self._elements: dict[int, list[int]] = {}
        """For a list that was asked about, where each of its elements starts in `data`."""
        self.starts: list[int] = []
        self.data = b""
        if lists:
            self.starts, self.data = _laid_out([" ".join(leaf.data for leaf in leaves) for leaves in lists])

    def touched(self, start: int, end: int) -> Iterator[tuple[Leaf, int, int]]:
        """The elements that a span of `data` covers, each with its part of the span in its own text."""
        index = bisect_right(self.starts, start) - 1
        leaves = self.lists[index]
        starts = self._elements.get(index)
        if starts is None:
            starts = list(accumulate((len(leaf.data) + 1 for leaf in leaves), initial=self.starts[index]))
            self._elements[index] = starts
        element = bisect_right(starts, start) - 1
        while element < len(leaves) and starts[element] < end:
            leaf = leaves[element]
            first, last = max(start - starts[element], 0), min(end - starts[element], len(leaf.data))
            if first < last:
                yield leaf, first, last
            element += 1

    def evidence(self, rule: str, start: int, end: int) -> list[Evidence]:
        return [leaf.evidence(rule, first, last, "joined") for leaf, first, last in self.touched(start, end)]


class Texts:
    """Leaves in order, `data` with a border between each two; `argvs` are lists of two or more strings.

    `positional` is a list of arguments that may be the words of one command.
    """

    def __init__(self, leaves: list[Leaf], lists: list[list[Leaf]], positional: list[Leaf]) -> None:
        self.leaves = leaves
        self._starts, self.data = _laid_out([leaf.data for leaf in leaves])
        self.argvs = Argvs(lists)
        self.positional = Argvs([positional] if len(positional) > 1 else [])

    def leaf_at(self, offset: int) -> tuple[Leaf, int]:
        """The leaf that an offset in `data` lies in, and where that leaf starts there."""
        index = bisect_right(self._starts, offset) - 1
        return self.leaves[index], self._starts[index]

    def evidence(self, rule: str, start: int, end: int) -> Evidence:
        leaf, base = self.leaf_at(start)
        return leaf.evidence(rule, start - base, end - base)


class Arguments(Texts):
    """All that stands in `args` and `kwargs`; `positional` are the strings of `args` itself."""

    def __init__(self, action: Action) -> None:
        self.empty = not action.args and not action.kwargs
        top: list[Member] = []
        top += ((((None, "args"), index), value, False) for index, value in enumerate(action.args))
        top += ((((None, "kwargs"), name), value, False) for name, value in action.kwargs.items())
        strings = [Leaf(node, v, False) for node, v, _ in top[: len(action.args)] if isinstance(v, str)]
        super().__init__(*walked(top, Leaf), strings)


def walked(top: list[Member], make: Callable[[Node, str, bool], Leaf]) -> tuple[list[Leaf], list[list[Leaf]]]:
    """The leaves below these members, and the lists of strings. No recursion, so that no depth is too deep."""
    leaves: list[Leaf] = []
    lists: list[list[Leaf]] = []
    stack = top[::-1]
    while stack:
        node, value, is_key = stack.pop()
        if value is None:
            continue
        if isinstance(value, str):
            leaves.append(make(node, value, is_key))
        elif isinstance(value, bool):
            leaves.append(make(node, "true" if value else "false", is_key))
        elif isinstance(value, int | float):
            leaves.append(make(node, repr(value), is_key))
        elif isinstance(value, Mapping):
            members: list[Member] = []
            for name, member in value.items():
                members += (((node, name), name, True), ((node, name), member, False))
            stack += reversed(members)
        elif isinstance(value, Sequence):
            items: list[Member] = [((node, at), item, False) for at, item in enumerate(value)]
            strings = [make(at, item, False) for at, item, _ in items if isinstance(item, str)]
            if len(strings) > 1:
                lists.append(strings)
            stack += reversed(items)
        else:
            raise TypeError(f"an argument is a {type(value).__name__}, which JSON has not")
    return leaves, lists


def _laid_out(texts: list[str]) -> tuple[list[int], bytes]:
    """Where each text starts, and all of them with a border between each two."""
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    return starts[:-1], BORDER.join(texts).encode("latin-1")
