"""The rules with floors, matched: in texts, in shell commands, where statements start, in what is called."""

from collections.abc import Iterable
from itertools import islice

from riskgate.core.assessment import Floor
from riskgate.core.scoring import commands
from riskgate.core.scoring.called import Called
from riskgate.core.scoring.decoding import decoded
from riskgate.core.scoring.found import TRIED, Found
from riskgate.core.scoring.matching import compiled
from riskgate.core.scoring.prose import Prose
from riskgate.core.scoring.reading import Reading
from riskgate.core.scoring.rulebook import COMMAND
from riskgate.core.scoring.spoken import names
from riskgate.core.scoring.structure.sql import is_guarded
from riskgate.core.scoring.views import Argvs, Leaf, Texts
from riskgate.core.scoring.words import BORDER

VALUE = 200
"""The most characters of an argument that rules about calls look at."""


def met(reading: Reading) -> list[Floor]:
    """A floor for each rule that matches, with its first places."""
    found, called = Found(), reading.called
    prose = called.prose
    arguments, odd_names = reading.arguments, names(reading.action)
    signs = reading.rulebook.signs(arguments)
    _texts(reading, arguments, reading.in_values, found)
    _statements(reading, prose, arguments, found)
    if COMMAND in signs:
        commands.in_texts(reading, prose, arguments, found)
    if odd_names:
        _statements(reading, prose, odd_names, found)
        commands.in_texts(reading, prose, odd_names, found)
    for lists in (arguments.argvs, arguments.positional):
        if lists.lists:
            _listed_statements(reading, prose, lists, found)
    commands.in_pieces(reading, called, found)
    _call(reading, called, found)
    if signs - {COMMAND}:
        _hidden(reading, prose, signs, found)
    return [
        Floor(rule.id, rule.floor, rule.sentence, tuple(evidence))
        for rule, evidence in found.places.items()
        if rule.floor is not None
    ]


def _hidden(reading: Reading, prose: Prose, signs: frozenset[int], found: Found) -> None:
    """What matches only in a decoded text."""
    hidden, only = decoded(reading.arguments, signs), Found()
    if hidden is None:
        return
    everything, statements = hidden
    if everything.leaves:
        _texts(reading, everything, reading.rulebook.values.which(everything.data), only)
        _statements(reading, prose, everything, only)
        commands.in_texts(reading, prose, everything, only)
    if statements.leaves:
        _statements(reading, prose, statements, only)
    for rule, evidence in only.places.items():
        if rule not in found.places:
            found.add(rule, *evidence)


def _texts(reading: Reading, texts: Texts, matched: list[int], found: Found) -> None:
    rules = reading.rulebook.values
    for index in matched:
        if rules.rules[index].floor is not None:
            span = next(rules.spans(index, texts.data))
            found.add(rules.rules[index], texts.evidence(rules.rules[index].id, *span))


def _statements(reading: Reading, prose: Prose, texts: Texts, found: Found) -> None:
    rules = reading.rulebook.statements
    for index in rules.which(texts.data):
        rule = rules.rules[index]
        for tried, (start, end) in enumerate(rules.spans(index, texts.data), 1):
            leaf, _ = texts.leaf_at(start)
            if tried > TRIED or not (prose.holds(leaf) or (rule.guarded and is_guarded(texts.data, start))):
                found.add(rule, texts.evidence(rule.id, start, end))
                if tried > TRIED or not found.wants(rule):
                    break


def _listed_statements(reading: Reading, prose: Prose, lists: Argvs, found: Found) -> None:
    """Statements over the elements of a list. Words are no statement: one in capitals is, or one that is run."""
    rules = reading.rulebook.statements
    for index in rules.which(lists.data):
        rule = rules.rules[index]
        for start, end in islice(rules.spans(index, lists.data), TRIED):
            touched = [leaf for leaf, _, _ in lists.touched(start, end)]
            meant = prose.runs or lists.data[start : start + 4].isupper()
            if len(touched) < 2 or not meant or prose.holds(touched[0]):
                continue
            if not (rule.guarded and is_guarded(lists.data, start)):
                found.add(rule, *lists.evidence(rule.id, start, end))
                break


def _call(reading: Reading, called: Called, found: Found) -> None:
    lines: bytes | None = None
    for rule, evidence in called.calls:
        if rule.needs:
            lines = _lines(reading.arguments.leaves) if lines is None else lines
            if compiled(rule.needs).search(lines) is None:
                continue
        found.add(rule, evidence)


def _lines(leaves: Iterable[Leaf]) -> bytes:
    """`name=value` for each scalar; the name of an element of a list is its index."""
    lines = [f"{leaf.node[1]}={leaf.data[:VALUE]}" for leaf in leaves if not leaf.in_key]
    return "\n".join(lines).replace(BORDER, " ").encode("latin-1", "replace")
