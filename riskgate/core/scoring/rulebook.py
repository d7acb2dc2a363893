"""The rules of a policy's packs, compiled once for all actions, and what is remembered of their answers."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeAlias, TypeVar

import re2

from riskgate.core.scoring.hiding import SIGNS
from riskgate.core.scoring.matching import Matcher, OnePass, compiled
from riskgate.core.scoring.packs import rules_for
from riskgate.core.scoring.rules import Part, Rule
from riskgate.core.scoring.views import Texts, joined

Packs: TypeAlias = tuple[str, ...]
Answer = TypeVar("Answer")
Read: TypeAlias = Callable[[str, Packs], Answer]

_REMEMBERED = 512


def remembered(longest: int) -> Callable[[Read[Answer]], Read[Answer]]:
    """For what a text says to the rules of some packs. An agent calls the same few functions again and again: their
    names and docstrings are read once, and only the arguments each time.

    No agent can fill the memory with it: the last few answers are kept, and none about a text of more than `longest`
    code points.
    """

    def decorate(read: Read[Answer]) -> Read[Answer]:
        known = lru_cache(maxsize=_REMEMBERED)(read)
        return lambda text, packs: known(text, packs) if len(text) <= longest else read(text, packs)

    return decorate


COMMAND = len(SIGNS)
"""The sign that a rule about commands may match: what CommandRules.hints finds."""


_NO_SIGNS: frozenset[int] = frozenset()


class Rulebook:
    """`values` are the rules that look at every argument value: first those with a score, then those with a floor."""

    def __init__(self, packs: Packs) -> None:
        def of(*parts: Part) -> Matcher:
            return Matcher(tuple(rule for part in parts for rule in rules_for(packs, part)))

        self.names = of(Part.FUNCTION_NAME)
        self.docstrings = of(Part.DOCSTRING)
        self.values = of(Part.ARGUMENTS, Part.TEXT)
        self.statements = of(Part.SQL)
        self.calls = of(Part.CALL)
        self.commands = CommandRules(rules_for(packs, Part.COMMAND))
        self._signs = OnePass((*SIGNS, self.commands.hints.pattern))

    def signs(self, texts: Texts) -> frozenset[int]:
        """What calls for a closer look at these texts: each Sign that they have, and COMMAND."""
        folded = self._signs.which(texts.data)
        if texts.plain:
            return frozenset(folded) if folded else _NO_SIGNS
        written = self._signs.which(joined([leaf.text for leaf in texts.leaves]))
        return frozenset({*written} - {COMMAND} | {*folded} & {COMMAND})


@lru_cache(maxsize=64)
def rulebook(packs: Packs) -> Rulebook:
    """Raises KeyError for a pack that is not known."""
    return Rulebook(packs)


_GLUED = rb"[A-Za-z]+[\"'\\]+[A-Za-z]"
"""A quote inside a word, which may hide the word of a rule."""

_PLACE = (
    rb"(?:^|[\n\xff;&|(`\"'$/={]|(?:then|do|else)[ \t]"
    rb"|(?:sudo|doas|xargs|env|exec|nohup|time|timeout|nice|parallel)[ \t](?:[^\n;|&\xff]*[ \t])?)[ \t]*"
)
"""What stands before a command in a long text."""


class CommandRules(Matcher):
    """The rules about commands, which match the plain form of a command, and what tells where to look for one.

    hints    finds what a text has that a rule may match: one of its words, or else its command
    places   finds where in a long text the command of a rule may stand
    heads    the names of all commands that a rule is about
    """

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        super().__init__(rules)
        heads = _any(head for rule in rules for head in rule.heads)
        words = _any(word for rule in rules if not rule.heads for word in rule.words)
        telling = _any(word for rule in rules for word in rule.words or rule.heads)
        self.heads = frozenset(head for rule in rules for head in rule.heads if head.isalnum())
        self.hints = compiled(rb"(?:^|[^A-Za-z0-9])((?i:%s)|%s)" % (telling, _GLUED))
        self.places = compiled(rb"%s((?i:%s)|%s)|[^A-Za-z0-9]((?i:%s))" % (_PLACE, heads, _GLUED, words))


@lru_cache(maxsize=256)
def lines_of(rule: Rule) -> "re2._Regexp":
    """A line in which the command of a rule stands, and after it one of its words."""
    head = _any(rule.heads) if rule.heads else rb"[A-Za-z:>]+[ \t]"
    words = _any(rule.words)
    tail = rb"[^\n\xff]*[^A-Za-z0-9\n\xff](?i:%s)" % words if words else b""
    return compiled(rb"%s((?i:%s))%s" % (_PLACE, head, tail))


def _any(words: Iterable[str]) -> bytes:
    """A pattern of any of these, each whole where it ends like a word."""
    return b"|".join(
        re2.escape(word.encode()) + (rb"(?:$|[^A-Za-z0-9])" if word[-1].isalnum() else b"")
        for word in sorted(set(words))
    )
