"""What the docstring says of the risk. The highest tier with a match wins."""

from dataclasses import replace

from riskgate.core.assessment import Evidence
from riskgate.core.levels import micro
from riskgate.core.scoring.reading import Reading, Scored, disguise_evidence, found, quoted
from riskgate.core.scoring.rulebook import Packs, remembered, rulebook
from riskgate.core.scoring.views import Leaf
from riskgate.core.scoring.words import excerpt

ABSENT, NOTHING = micro(0.10), micro(0.05)

LONGEST = 2000
"""The longest docstring that is remembered."""


def score(reading: Reading) -> Scored:
    return scored(reading.action.docstring or "", reading.policy.packs)


@remembered(LONGEST)
def scored(text: str, packs: Packs) -> Scored:
    """The score of a docstring, whatever it belongs to."""
    if not text.strip():
        return ABSENT, "There is no docstring", ()
    leaf = Leaf((None, "docstring"), text, False)
    matched = found(leaf, rulebook(packs).docstrings)
    disguised = tuple(disguise_evidence(leaf))
    if not matched:
        return NOTHING, "Nothing in the docstring speaks of risk", disguised
    highest = max(rule.score or 0 for rule, _ in matched)
    rules = [(rule, places) for rule, places in matched if rule.score == highest]
    evidence = tuple(_whole_word(leaf, place) for _, places in rules for place in places)
    return (
        highest,
        f"{quoted([place.text for place in evidence])}: {rules[0][0].family}",
        evidence + disguised,
    )


def _whole_word(leaf: Leaf, place: Evidence) -> Evidence:
    """The stem stays marked; the excerpt is the word that it begins."""
    if place.span is None:
        return place
    text, (start, end) = leaf.text, place.span
    stop = end
    while stop < len(text) and stop - start < 40 and text[stop].isalpha():
        stop += 1
    return replace(place, text=excerpt(text, start, stop))
