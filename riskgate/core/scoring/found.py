"""What matched so far."""

from riskgate.core.assessment import Evidence
from riskgate.core.scoring.reading import PER_RULE
from riskgate.core.scoring.rules import Rule

TRIED = 200
"""How many places per rule are looked at; beyond, the rule is taken to match."""


class Found:
    """What matched so far: for each rule its first places, and no more of them than are told."""

    def __init__(self) -> None:
        self.places: dict[Rule, list[Evidence]] = {}

    def wants(self, rule: Rule) -> bool:
        return len(self.places.get(rule, ())) < PER_RULE

    def add(self, rule: Rule, *evidence: Evidence) -> None:
        known = self.places.setdefault(rule, [])
        known += [item for item in evidence if item not in known][: PER_RULE - len(known)]
