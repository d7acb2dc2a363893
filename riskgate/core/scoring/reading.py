"""One action, read once for all factors and floors."""

from typing import TypeAlias

from riskgate.core.action import Action, Context
from riskgate.core.assessment import Evidence
from riskgate.core.policy import Policy
from riskgate.core.scoring.called import Called, called
from riskgate.core.scoring.matching import Matcher
from riskgate.core.scoring.rulebook import Rulebook, rulebook
from riskgate.core.scoring.rules import Rule
from riskgate.core.scoring.views import Arguments, Leaf
from riskgate.core.scoring.words import disguises, excerpt

Scored: TypeAlias = tuple[int, str, tuple[Evidence, ...]]
"""What a factor answers: its score in 10⁻⁶, a sentence for the operator, and the evidence."""

FOLDED = "core.text.folded"
"""Evidence that a text is made to be misread. It changes no score: the matches in what it hides do."""

PER_RULE, PER_FACTOR, PER_DISGUISE = 5, 40, 3
"""The most pieces of evidence, so that the longest text gives a readable answer."""


class Reading:
    """What is read is read when it is first asked for, so that who asks meets the failure."""

    __slots__ = ("_arguments", "_in_values", "_rulebook", "action", "context", "policy")

    def __init__(self, action: Action, context: Context, policy: Policy) -> None:
        self.action = action
        self.context = context
        self.policy = policy
        self._rulebook: Rulebook | None = None
        self._arguments: Arguments | None = None
        self._in_values: list[int] | None = None

    @property
    def rulebook(self) -> Rulebook:
        if self._rulebook is None:
            self._rulebook = rulebook(self.policy.packs)
        return self._rulebook

    @property
    def called(self) -> Called:
        return called(self.action.function_name, self.policy.packs)

    @property
    def arguments(self) -> Arguments:
        if self._arguments is None:
            self._arguments = Arguments(self.action)
        return self._arguments

    @property
    def in_values(self) -> list[int]:
        """Which of `rulebook.values` match in an argument value."""
        if self._in_values is None:
            self._in_values = self.rulebook.values.which(self.arguments.data)
        return self._in_values


def found(leaf: Leaf, rules: Matcher) -> list[tuple[Rule, list[Evidence]]]:
    """The rules that match a single text, each with its first places."""
    data = leaf.data.encode("latin-1")
    out = []
    for index in rules.which(data):
        places = []
        for start, end in rules.spans(index, data):
            places.append(leaf.evidence(rules.rules[index].id, start, end))
            if len(places) == PER_RULE:
                break
        out.append((rules.rules[index], places))
    return out


def disguise_evidence(leaf: Leaf, limit: int = PER_DISGUISE) -> list[Evidence]:
    text = leaf.text
    return [
        Evidence(FOLDED, excerpt(text, start, end), leaf.at, (start, end), leaf.in_key)
        for start, end in disguises(text, limit)
    ]


def quoted(texts: list[str], limit: int = 4) -> str:
    """“a”, “b” and “c”: each once, without what cannot be printed, the long ones cut."""
    shown = list(dict.fromkeys([f"“{printable(text)}”" for text in texts]))
    if len(shown) > limit:
        shown = [*shown[: limit - 1], f"{len(shown) - limit + 1} more"]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]


def printable(text: str, limit: int = 40) -> str:
    """A text that an agent wrote, safe inside a sentence: one line, nothing invisible, not long."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(char if char.isprintable() else "·" for char in cut)
