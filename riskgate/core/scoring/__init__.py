"""Scoring: an action, what the server knows of it and a policy in; a number, a level and the evidence out."""

from riskgate.core.action import Action, Context
from riskgate.core.assessment import Assessment, Evidence, Factor, Floor
from riskgate.core.levels import MICRO, Level, level_of
from riskgate.core.policy import Policy
from riskgate.core.scoring import floors as floors_
from riskgate.core.scoring import scorers
from riskgate.core.scoring.factors import docstring as docstring_factor
from riskgate.core.scoring.packs import PACKS, rule_by_id
from riskgate.core.scoring.reading import FOLDED, Reading
from riskgate.core.scoring.rules import Pack, Part, Rule

__all__ = ["PACKS", "Pack", "Part", "Rule", "assess", "score_docstring", "summary"]


def assess(action: Action, context: Context, policy: Policy) -> Assessment:
    """Pure: the same inputs give the same assessment on any machine. Never raises.

    Where any part of scoring fails the score is 1, the level CRITICAL, and `failed` and a floor say why.
    """
    reading = Reading(action, context, policy)
    parts, failed = scorers.factors(reading)
    score = MICRO if failed else scorers.composite(parts)
    own = Level.CRITICAL if failed else level_of(score, policy.thresholds)
    try:
        met = floors_.floors(reading, parts, own)
    except Exception as error:
        failed = failed or f"The floors could not be read ({type(error).__name__})"
        score, own, met = MICRO, Level.CRITICAL, ()
    if failed:
        reason = f"{failed}. What cannot be scored is treated as the worst."
        met = (Floor(scorers.FAILED, Level.CRITICAL, reason, (Evidence(scorers.FAILED, failed[:80]),)), *met)
    level = max([own, *[floor.level for floor in met]]) if met else own
    return Assessment(score, own, level, parts, met, failed)


def score_docstring(docstring: str | None, policy: Policy) -> int:
    """What a docstring alone scores, in 10⁻⁶: the riskiest one that a team has seen is the highest."""
    return docstring_factor.scored(docstring or "", policy.packs)[0]


def summary(assessment: Assessment) -> str:
    """The strongest evidence in about five words: "destructive verb, permanent, production".

    Where a floor makes the level, its short sentence.
    """
    for floor in assessment.floors:
        if floor.level is assessment.level:
            return _phrase(floor.rule) or floor.reason
    found: list[tuple[int, str]] = []
    for place in (place for part in assessment.factors for place in part.evidence if place.rule != FOLDED):
        rule = rule_by_id(place.rule)
        if rule is not None and rule.score:
            found.append((-rule.score, rule.phrase))
    phrases = list(dict.fromkeys(phrase for _, phrase in sorted(found, key=lambda item: item[0])))[:3]
    if len(phrases) < 3:
        phrases += [_small(part) for part in assessment.factors if part.name in ("hints", "novelty")]
    return ", ".join([phrase for phrase in phrases if phrase][:3]) or "nothing stands out"


def _phrase(rule_id: str) -> str:
    if rule_id == scorers.FAILED:
        return "scoring failed"
    rule = rule_by_id(rule_id)
    return rule.phrase if rule else floors_.PHRASES.get(rule_id, "")


def _small(part: Factor) -> str:
    if part.name == "hints":
        return "hints of risk" if part.score else ""
    return "first call" if part.sentence.startswith("First") else ""
