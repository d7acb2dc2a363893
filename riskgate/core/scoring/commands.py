"""The rules about shell commands, matched: in texts, in lists of words, in what an action spells in pieces."""

from collections.abc import Iterator
from itertools import chain

from riskgate.core.scoring.called import Called
from riskgate.core.scoring.found import TRIED, Found
from riskgate.core.scoring.matching import Matcher, compiled
from riskgate.core.scoring.prose import Prose
from riskgate.core.scoring.reading import Reading
from riskgate.core.scoring.rulebook import CommandRules, lines_of
from riskgate.core.scoring.rules import Rule
from riskgate.core.scoring.spoken import spelled
from riskgate.core.scoring.structure.code import run_by_code
from riskgate.core.scoring.structure.commands import Form, form_of_argv, forms
from riskgate.core.scoring.structure.parts import Word
from riskgate.core.scoring.views import Argvs, Leaf, Node, Texts

WHOLE = 4096
"""A text up to this long is read as shell from its start; of a longer one, the lines that may match."""

BEFORE, AFTER = 1024, 2048

BUDGET = 65_536
"""The most characters that are read as shell; beyond, a rule is taken to match where its words stand."""

OVERHEAD = 64
"""What reading even the shortest text takes of the budget."""


_ARGV_HEADS = frozenset({"echo", "printf", "grep", "rg", "kubectl", "aws", "git", "rm", "dd", "terraform"})
"""Commands that have no need of an option to be one."""


def in_texts(reading: Reading, prose: Prose, texts: Texts, found: Found) -> None:
    """The commands in texts, and those that are lists of words."""
    rules = reading.rulebook.commands
    words: set[Leaf] = set()
    for lists in (texts.argvs, texts.positional):
        if not lists.lists or rules.hints.search(lists.data) is None:
            continue
        for index in _commandlike(lists):
            words.update(lists.lists[index][1:])
            _argv(lists, index, rules, prose, found)
    _Reader(texts, rules, prose, words, found).read_all()


def in_pieces(reading: Reading, called: Called, found: Found) -> None:
    """The commands whose words stand in several members, the function's name among them.

    `git("push", "--force")` is a list of words, `git("push --force")` a line.
    """
    spoken = spelled(reading.action, called.heads)
    if not spoken:
        return
    rules = reading.rulebook.commands
    argvs = Argvs([head + rest for head, rest in spoken if len(head) + len(rest) > 1])
    lines = Argvs([head + rest for head, rest in spoken if len(rest) == 1 and " " in rest[0].data])
    for index in range(len(argvs.lists)):
        _argv(argvs, index, rules, called.prose, found)
    for leaves, at in zip(lines.lists, lines.starts, strict=True):
        text = " ".join(leaf.data for leaf in leaves)[:WHOLE]
        for form in forms(text, at):
            for rule, start, end in _matched(form, rules, called.prose, found):
                found.add(rule, *lines.evidence(rule.id, start, end))


def _argv(lists: Argvs, index: int, rules: Matcher, prose: Prose, found: Found) -> None:
    at, spelled = lists.starts[index], []
    for leaf in lists.lists[index]:
        spelled.append(Word(leaf.data, range(at, at + len(leaf.data))))
        at += len(leaf.data) + 1
    for form in form_of_argv(spelled):
        for rule, start, end in _matched(form, rules, prose, found):
            found.add(rule, *lists.evidence(rule.id, start, end))


def _commandlike(lists: Argvs) -> Iterator[int]:
    """Which lists are one command and its words: first a bare word, and an option among the others."""
    for index, leaves in enumerate(lists.lists):
        first = leaves[0].data
        if first.split() == [first] and (
            first.rsplit("/", 1)[-1] in _ARGV_HEADS or any(leaf.data.startswith("-") for leaf in leaves[1:64])
        ):
            yield index


_KWARGS: Node = (None, "kwargs")


class _Reader:
    """The commands in all texts, read as long as the budget lasts."""

    def __init__(
        self, texts: Texts, rules: CommandRules, prose: Prose, words: set[Leaf], found: Found
    ) -> None:
        self.texts = texts
        self.rules = rules
        self.prose = prose
        self.words = words
        self.found = found
        self.left = BUDGET

    def read_all(self) -> None:
        data, hints, places = self.texts.data, self.rules.hints, self.rules.places
        position = 0
        while (hint := hints.search(data, position)) is not None:
            leaf, base = self.texts.leaf_at(hint.start(1))
            end = base + len(leaf.data)
            if leaf in self.words or self._is_said(leaf):
                position = self.texts.after(base, self.words)
            elif len(leaf.data) <= WHOLE:
                self._read(leaf, 0, len(leaf.data))
                position = end
            else:
                # The command stands before the word, so its line is searched from where it starts.
                line = data.rfind(b"\n", max(hint.start(1) - BEFORE, base), hint.start(1))
                place = places.search(data, max(line, base - 1, position - 1, hint.start(1) - BEFORE, 0), end)
                if place is None:
                    position = end
                    continue
                at = max(place.start(1), place.start(2))
                first, last = _window(leaf.data, at - base, position - base)
                self._read(leaf, first, last)
                position = max(base + last, at + 1)
            if self.left <= 0:
                self._unread(position)
                return

    def _is_said(self, leaf: Leaf) -> bool:
        """Whether this is a sentence, or the key of a nested member; a keyword is a name with a blank in it."""
        return (leaf.in_key and leaf.node[0] != _KWARGS) or self.prose.holds(leaf)

    def _read(self, leaf: Leaf, first: int, last: int) -> None:
        self.left -= last - first + OVERHEAD
        text = leaf.data[first:last]
        for form in chain(forms(text, first), *(forms(inner, first + at) for inner, at in run_by_code(text))):
            for rule, start, end in _matched(form, self.rules, self.prose, self.found):
                self.found.add(rule, leaf.evidence(rule.id, start, end))

    def _unread(self, position: int) -> None:
        """More than can be read: a rule whose command and words stand in one line is taken to match."""
        for rule in self.rules.rules:
            if rule.runs:
                continue
            start = position
            for _ in range(TRIED):
                place = lines_of(rule).search(self.texts.data, start)
                if place is None:
                    break
                leaf, base = self.texts.leaf_at(place.start(1))
                if not self._is_said(leaf):
                    self.found.add(rule, leaf.evidence(rule.id, place.start(1) - base, place.end(1) - base))
                    break
                start = base + len(leaf.data)


def _window(text: str, at: int, after: int) -> tuple[int, int]:
    """The line of a long text that is read for `at`, no more than BEFORE and AFTER around it."""
    least = max(at - BEFORE, after, 0)
    first = max(text.rfind("\n", least, at) + 1, least)
    last = text.find("\n", at, at + AFTER)
    while last > 0 and text[last - 1] == "\\":
        last = text.find("\n", last + 1, at + AFTER)
    return first, last if last >= 0 else min(len(text), at + AFTER)


def _matched(form: Form, rules: Matcher, prose: Prose, found: Found) -> Iterator[tuple[Rule, int, int]]:
    for index in rules.which(form.data):
        rule = rules.rules[index]
        # What excuses a command stands in it, not in what its output is piped to.
        alone = form.data.partition(b" | ")[0]
        if not found.wants(rule) or (rule.runs and not prose.runs):
            continue
        if rule.unless and compiled(rule.unless).search(alone) is not None:
            continue
        start, end = next(rules.spans(index, form.data))
        yield rule, *form.source(start, end)
