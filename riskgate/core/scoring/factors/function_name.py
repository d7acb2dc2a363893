"""The verb in the name. The riskiest tier that any word belongs to wins."""

from riskgate.core.levels import micro
from riskgate.core.scoring.reading import Reading, Scored, disguise_evidence, found, quoted
from riskgate.core.scoring.rules import Part

UNKNOWN = micro(0.40)


def score(reading: Reading) -> Scored:
    matched = found(reading.name, reading.matcher(Part.FUNCTION_NAME))
    disguised = tuple(disguise_evidence(reading.name))
    if not matched:
        return UNKNOWN, "No verb in the name is known", disguised
    highest = max(rule.score or 0 for rule, _ in matched)
    rules = [(rule, places) for rule, places in matched if rule.score == highest]
    evidence = tuple(place for _, places in rules for place in places)
    verbs = list(dict.fromkeys(place.text for place in evidence))
    family = rules[0][0].family
    sentence = f"{quoted(verbs)} is a {family}" if len(verbs) == 1 else f"{quoted(verbs)} are {family}s"
    return highest, sentence, evidence + disguised
