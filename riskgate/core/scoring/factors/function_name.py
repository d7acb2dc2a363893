"""The verb in the name. The riskiest tier that any word belongs to wins."""

from riskgate.core.levels import micro
from riskgate.core.scoring.called import LONGEST
from riskgate.core.scoring.reading import Reading, Scored, disguise_evidence, found, quoted
from riskgate.core.scoring.rulebook import Packs, remembered, rulebook
from riskgate.core.scoring.views import Leaf

UNKNOWN = micro(0.40)


def score(reading: Reading) -> Scored:
    return _scored(reading.action.function_name, reading.policy.packs)


@remembered(LONGEST)
def _scored(text: str, packs: Packs) -> Scored:
    name = Leaf((None, "function_name"), text, False)
    matched = found(name, rulebook(packs).names)
    disguised = tuple(disguise_evidence(name))
    if not matched:
        return UNKNOWN, "No verb in the name is known", disguised
    highest = max(rule.score or 0 for rule, _ in matched)
    rules = [(rule, places) for rule, places in matched if rule.score == highest]
    evidence = tuple(place for _, places in rules for place in places)
    verbs = list(dict.fromkeys(place.text for place in evidence))
    family = rules[0][0].family
    sentence = f"{quoted(verbs)} is a {family}" if len(verbs) == 1 else f"{quoted(verbs)} are {family}s"
    return highest, sentence, evidence + disguised
