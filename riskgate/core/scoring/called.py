"""What the name of a function says to the rules with floors, whatever it is called with."""

from riskgate.core.assessment import Evidence
from riskgate.core.scoring.matching import compiled
from riskgate.core.scoring.prose import Prose
from riskgate.core.scoring.rulebook import Packs, Rulebook, remembered, rulebook
from riskgate.core.scoring.rules import Rule
from riskgate.core.scoring.views import Leaf
from riskgate.core.scoring.words import split_words

NAME = 1000
"""The most characters of a function name whose words are looked at."""

LONGEST = 255
"""The longest name that is remembered."""

_TOOLS = frozenset(
    "git terraform tofu kubectl oc aws gcloud az gsutil helm docker podman npm gh systemctl pulumi vault heroku zfs"
    " zpool ufw iptables crontab".split()
)
"""Commands whose name, where a function's name starts with it, is followed by the command's own words."""

_ORDINARY = frozenset(
    "set type more less head tail fetch mail format service source security find k history export cat tree sync kill"
    " mv cp net sc ri rd od".split()
)
"""Commands that are also the last word of names that mean none of them, as in `list_set`."""


class Called:
    """`calls` are the rules about calls that match the name, with its words that do; `heads` the ways to read it as
    the start of a command, as in `git("push", "--force")` and `kubectl_delete("ns", "x")`.
    """

    __slots__ = ("calls", "heads", "name", "prose")

    def __init__(self, text: str, rules: Rulebook) -> None:
        self.name = Leaf((None, "function_name"), text, False)
        self.prose = Prose(self.name.data.encode("latin-1"))
        spans = split_words(self.name.data[:NAME])
        self.calls = _calls(self.name, spans, rules)
        self.heads = [
            [Word(self.name, start, end) for start, end in head]
            for head in _heads(self.name.data, spans, rules.commands.heads)
        ]


@remembered(LONGEST)
def called(name: str, packs: Packs) -> Called:
    return Called(name, rulebook(packs))


def _calls(name: Leaf, spans: list[tuple[int, int]], rules: Rulebook) -> list[tuple[Rule, Evidence]]:
    words = " ".join(name.data[start:end].lower() for start, end in spans).encode("latin-1")
    found = []
    for index in rules.calls.which(words):
        rule = rules.calls.rules[index]
        if rule.unless and compiled(rule.unless).search(words) is not None:
            continue
        start, end = next(rules.calls.spans(index, words))
        first, last = words[:start].count(b" "), words[:end].count(b" ")
        found.append((rule, name.evidence(rule.id, spans[first][0], spans[last][1])))
    return found


def _heads(name: str, spans: list[tuple[int, int]], commands: frozenset[str]) -> list[list[tuple[int, int]]]:
    """The name as the name of a command, and as a command's first words."""
    if not spans:
        return []
    words = [name[start:end].lower() for start, end in spans]
    found = []
    if name.lower() in commands:
        found.append([(0, len(name))])
    elif words[-1] in commands and (len(words) == 1 or words[-1] not in _ORDINARY):
        found.append(spans[-1:])
    if words[0] in _TOOLS and len(spans) > 1:
        found.append(spans)
    return found


class Word(Leaf):
    """A word of the function's name."""

    __slots__ = ("_first", "_name")

    def __init__(self, name: Leaf, start: int, end: int) -> None:
        self._name = name
        self._first, last = name.original(start, end)
        super().__init__(name.node, name.text[self._first : last], False)

    def quote(self, rule: str, first: int, last: int, via: str) -> Evidence:
        return self._name.quote(rule, self._first + first, self._first + last, via)
