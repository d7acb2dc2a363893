"""All argument values of an action as one folded text, and the way back from a match in it."""

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TypeAlias

from riskgate.core.action import Action, Json, pointer
from riskgate.core.assessment import Evidence
from riskgate.core.scoring.words import BORDER, excerpt, fold, fold_starts

Node: TypeAlias = "tuple[Node | None, str | int]"
"""A member and what holds it. Pointers are written out only for what matched: depth costs nothing."""

Member: TypeAlias = "tuple[Node, Json | Leaf, bool]"
"""A member, what it holds, and whether that is its name."""

_NUMBERS = (int, float)

Make: TypeAlias = "Callable[[Node, str, bool], Leaf]"


def pointer_of(node: Node) -> str:
    tokens: list[str | int] = []
    at: Node | None = node
    while at is not None:
        at, token = at
        tokens.append(token)
    return pointer(*reversed(tokens))


class Leaf:
    """One text of an action: a scalar as JSON text, or (`in_key`) the name of a nested member.

    `data` is its folded form, whose offsets `original` takes back to the text's own.
    """

    __slots__ = ("_starts", "data", "in_key", "node", "text")

    def __init__(self, node: Node, text: str, in_key: bool) -> None:
        self.node = node
        self.text = text
        self.in_key = in_key
        self.data = text if text.isascii() else fold(text)
        self._starts: list[int] | None = None
        """Where each character's folded form starts; only made where it is asked for."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original code points that folded to `start`..`end`."""
        if self.data is self.text:
            return start, end
        if self._starts is None:
            self._starts = fold_starts(self.text)
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1)
        return first, max(last, first + 1)

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
        if not via and self.data is not self.text and self.text[first:last] != self.data[start:end]:
            via = "folded"
        return self.quote(rule, first, last, via)

    def quote(self, rule: str, first: int, last: int, via: str) -> Evidence:
        """Evidence for the code points `first`..`last`."""
        return Evidence(rule, excerpt(self.text, first, last), self.at, (first, last), self.in_key, via)


def _starts(texts: Iterable[str]) -> list[int]:
    """Where each text starts when they are joined with a border between each two."""
    return list(accumulate([len(text) + 1 for text in texts], initial=0))[:-1]


def joined(texts: list[str]) -> bytes:
    """These texts with a border between each two. Texts that were not folded may have more than Latin-1."""
    return BORDER.join(texts).encode("latin-1", "replace")


class Argvs:
    """Lists of strings, each as one text with spaces; `data` has a border between each two."""

    __slots__ = ("_elements", "data", "lists", "starts")

    def __init__(self, lists: list[list[Leaf]]) -> None:
        self.lists = lists
        self._elements: dict[int, list[int]] = {}
        """For a list that was asked about, where each of its elements starts in `data`."""
        texts = [" ".join([leaf.data for leaf in leaves]) for leaves in lists]
        self.starts, self.data = _starts(texts), joined(texts)

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


NO_LISTS = Argvs([])


class Texts:
    """Leaves in order, `data` with a border between each two; `argvs` are lists of two or more strings.

    `positional` is a list of arguments that may be the words of one command; `plain` says that nothing was folded.
    """

    __slots__ = ("_known_starts", "argvs", "data", "leaves", "plain", "positional")

    def __init__(self, leaves: list[Leaf], lists: list[list[Leaf]], positional: list[Leaf]) -> None:
        self.leaves = leaves
        self.data = joined([leaf.data for leaf in leaves])
        self.plain = all([leaf.data is leaf.text for leaf in leaves])  # noqa: C419 - a list is faster
        self._known_starts: list[int] | None = None
        """Only made where something matched."""
        self.argvs = Argvs(lists) if lists else NO_LISTS
        self.positional = Argvs([positional]) if len(positional) > 1 else NO_LISTS

    @property
    def _starts(self) -> list[int]:
        """Where each leaf starts in `data`."""
        if self._known_starts is None:
            self._known_starts = _starts([leaf.data for leaf in self.leaves])
        return self._known_starts

    def leaf_at(self, offset: int) -> tuple[Leaf, int]:
        """The leaf that an offset in `data` lies in, and where that leaf starts there."""
        index = bisect_right(self._starts, offset) - 1
        return self.leaves[index], self._starts[index]

    def after(self, offset: int, passed: Container[Leaf]) -> int:
        """Where the leaf that an offset lies in ends, and all that follow it and are to be passed over."""
        index = bisect_right(self._starts, offset)
        while index < len(self.leaves) and self.leaves[index] in passed:
            index += 1
        return self._starts[index - 1] + len(self.leaves[index - 1].data)

    def evidence(self, rule: str, start: int, end: int) -> Evidence:
        leaf, base = self.leaf_at(start)
        return leaf.evidence(rule, start - base, end - base)


class Arguments(Texts):
    """All that stands in `args` and `kwargs`; `positional` are the strings of `args` itself."""

    __slots__ = ("empty",)

    def __init__(self, action: Action) -> None:
        self.empty = not action.args and not action.kwargs
        args: Node = (None, "args")
        kwargs: Node = (None, "kwargs")
        positional = _strings(args, action.args, Leaf)
        members = [*_items(args, action.args, positional)]
        members += [((kwargs, name), value, False) for name, value in action.kwargs.items()]
        super().__init__(*walked(members, Leaf), positional)


def walked(top: Iterable[Member], make: Make) -> tuple[list[Leaf], list[list[Leaf]]]:
    """The leaves below these members, and the lists of strings. No recursion, so that no depth is too deep."""
    leaves: list[Leaf] = []
    lists: list[list[Leaf]] = []
    stack = [iter(top)]
    while stack:
        for node, value, is_key in stack[-1]:
            if isinstance(value, Leaf):
                leaves.append(value)
            elif isinstance(value, str):
                leaves.append(make(node, value, is_key))
            elif value is None:
                pass
            elif isinstance(value, bool):
                leaves.append(make(node, "true" if value else "false", False))
            elif isinstance(value, _NUMBERS):
                leaves.append(make(node, repr(value), False))
            elif isinstance(value, Mapping):
                stack.append(_members(node, value))
                break
            elif isinstance(value, Sequence):
                strings = _strings(node, value, make)
                if len(strings) > 1:
                    lists.append(strings)
                stack.append(_items(node, value, strings))
                break
            else:
                raise TypeError(f"an argument is a {type(value).__name__}, which JSON has not")
        else:
            stack.pop()
    return leaves, lists


def _members(node: Node, value: Mapping[str, Json]) -> Iterator[Member]:
    """The members of an object, the name of each before what it holds."""
    for name, member in value.items():
        at: Node = (node, name)
        yield at, name, True
        yield at, member, False


def _strings(node: Node, value: Sequence[Json], make: Make) -> list[Leaf]:
    return [make((node, index), item, False) for index, item in enumerate(value) if isinstance(item, str)]


def _items(node: Node, value: Sequence[Json], strings: Iterable[Leaf]) -> Iterator[Member]:
    """The items of a list, with the leaves that its strings are already."""
    leaves = iter(strings)
    for index, item in enumerate(value):
        if isinstance(item, str):
            leaf = next(leaves)
            yield leaf.node, leaf, False
        else:
            yield (node, index), item, False
