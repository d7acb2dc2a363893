"""Sensitive patterns in the argument values. Each rule counts once, and rules compound."""

from collections.abc import Iterable

from riskgate.core.action import tokens
from riskgate.core.assessment import Evidence
from riskgate.core.levels import MICRO, micro
from riskgate.core.scoring.matching import Matcher
from riskgate.core.scoring.reading import (
    PER_DISGUISE,
    PER_FACTOR,
    PER_RULE,
    Reading,
    Scored,
    disguise_evidence,
    printable,
    quoted,
)
from riskgate.core.scoring.views import Arguments

NONE, NOTHING = 0, micro(0.05)

_TRIED = 64
"""How many matches in argvs are looked at per rule, for those that cross elements."""


def score(reading: Reading) -> Scored:
    arguments = reading.arguments
    if arguments.empty:
        return NONE, "There are no arguments", ()
    rules = reading.rulebook.values
    inside = reading.in_values
    across = rules.which(arguments.argvs.data) if arguments.argvs.lists else []
    disguised = _disguises(arguments)
    evidence: list[Evidence] = []
    scores: list[int] = []
    for index in sorted({*inside, *across}):
        if rules.rules[index].score is None:
            continue
        places = _inside(arguments, rules, index) if index in inside else []
        if index in across and len(places) < PER_RULE:
            places += _across(arguments, rules, index)[: PER_RULE - len(places)]
        scores.append(rules.rules[index].score or 0)
        evidence += places
    if not scores:
        return NOTHING, "Nothing in the arguments is known to be sensitive", disguised
    del evidence[PER_FACTOR:]
    return compound(scores), _sentence(evidence), (*evidence, *disguised)


def compound(scores: Iterable[int]) -> int:
    """1 − Π(1 − s), exactly, then rounded; all in 10⁻⁶."""
    spared = whole = 1
    for value in scores:
        spared *= MICRO - value
        whole *= MICRO
    return (2 * (whole - spared) * MICRO + whole) // (2 * whole)


def _inside(arguments: Arguments, rules: Matcher, index: int) -> list[Evidence]:
    places = []
    for start, end in rules.spans(index, arguments.data):
        places.append(arguments.evidence(rules.rules[index].id, start, end))
        if len(places) == PER_RULE:
            break
    return places


def _across(arguments: Arguments, rules: Matcher, index: int) -> list[Evidence]:
    """Matches that cross elements of an argv; those within one element were found there."""
    places: list[Evidence] = []
    for tried, (start, end) in enumerate(rules.spans(index, arguments.argvs.data), 1):
        touched = arguments.argvs.evidence(rules.rules[index].id, start, end)
        if len(touched) > 1:
            places += touched
        if len(places) >= PER_RULE or tried == _TRIED:
            break
    return places


def _disguises(arguments: Arguments) -> tuple[Evidence, ...]:
    if arguments.plain:
        return ()
    out: list[Evidence] = []
    for leaf in arguments.leaves:
        if len(out) < PER_DISGUISE and not leaf.text.isascii():
            out += disguise_evidence(leaf, PER_DISGUISE - len(out))
    return tuple(out)


def _sentence(evidence: list[Evidence]) -> str:
    texts = quoted([place.text for place in evidence])
    if len({place.rule for place in evidence}) > 1:
        return f"{texts} compound"
    where = list(dict.fromkeys([_name(place) for place in evidence]))
    return f"{texts} in {where[0]}" if len(where) == 1 else texts


def _name(place: Evidence) -> str:
    root, name = tokens(place.at)[:2]
    return printable(name) if root == "kwargs" else f"argument {name}"
