"""The rule packs that a policy may name. A new pack is one more line in PACKS."""

from functools import lru_cache

from riskgate.core.scoring.packs.core import CORE
from riskgate.core.scoring.packs.guardrails import GUARDRAILS
from riskgate.core.scoring.rules import Pack, Part, Rule

PACKS: tuple[Pack, ...] = (CORE, GUARDRAILS)

_BY_NAME = {pack.name: pack for pack in PACKS}
_BY_ID = {rule.id: rule for pack in PACKS for rule in pack.rules}


@lru_cache(maxsize=64)
def rules_for(packs: tuple[str, ...], part: Part) -> tuple[Rule, ...]:
    """The rules of these packs that look at this part. Raises KeyError for a pack that is not known."""
    return tuple(rule for name in packs for rule in _BY_NAME[name].rules if rule.part is part)


def rule_by_id(rule_id: str) -> Rule | None:
    return _BY_ID.get(rule_id)
