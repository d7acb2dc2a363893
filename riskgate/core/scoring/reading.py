"""One action, read once for all factors and floors."""

from functools import cached_property
from typing import TypeAlias

from riskgate.core.action import Action, Context
from riskgate.core.assessment import Evidence
from riskgate.core.policy import Policy
from riskgate.core.scoring.matching import Matcher, matcher
from riskgate.core.scoring.packs import rules_for
from riskgate.core.scoring.rules import Part, Rule
from riskgate.core.scoring.views import Arguments, Leaf
from riskgate.core.scoring.words import disguises, excerpt, split_words

Scored: TypeAlias = tuple[int, str, tuple[Evidence, ...]]
"""What a factor answers: its score in 10⁻⁶, a sentence for the operator, and the evidence."""

FOLDED = "core.text.folded"
"""Evidence that a text is made to be misread. It changes no score: the matches in what it hides do."""

PER_RULE, PER_FACTOR, PER_DISGUISE = 5, 40, 3
"""The most pieces of evidence, so that the longest text gives a readable answer."""


NAME = 1000
"""The most characters of a function name whose words are looked at."""


class Reading:
    def __init__(self, action: Action, context: Context, policy: Policy) -> None:
        self.action = action
        self.context = context
        self.policy = policy

    @cached_property
    def name(self) -> Leaf:
        return Leaf((None, "function_name"), self.action.function_name, False)

    @cached_property
    def words(self) -> list[tuple[int, int]]:
        """The spans of the words of the folded name, as far as they are looked at."""
        return split_words(self.name.data[:NAME])

    @cached_property
    def docstring(self) -> Leaf:
        return Leaf((None, "docstring"), self.action.docstring or "", False)

    @cached_property
    def arguments(self) -> Arguments:
        return Arguments(self.action)

    def matcher(self, part: Part) -> Matcher:
        """The rules that look at this part, of the packs that are on."""
        return matcher(rules_for(self.policy.packs, part))


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
    shown = list(dict.fromkeys(f"“{printable(text)}”" for text in texts))
    if len(shown) > limit:
        shown = [*shown[: limit - 1], f"{len(shown) - limit + 1} more"]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]


def printable(text: str, limit: int = 40) -> str:
    """A text that an agent wrote, safe inside a sentence: one line, nothing invisible, not long."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(char if char.isprintable() else "·" for char in cut)
