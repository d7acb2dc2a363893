"""What the average may not hide: every floor that an action meets."""

from dataclasses import replace

from riskgate.core.assessment import Evidence, Factor, Floor
from riskgate.core.levels import Level, level_of
from riskgate.core.scoring import guards
from riskgate.core.scoring.factors import docstring
from riskgate.core.scoring.reading import Reading
from riskgate.core.scoring.scorers import composite
from riskgate.core.scoring.words import EXCERPT, excerpt

GUARDRAILS = "guardrails"
RATCHET, MEMORY, DESTRUCTIVE = "ratchet", "memory.docstring", "guardrails.verb.destructive"

PHRASES = {
    RATCHET: "riskier earlier call unapproved",
    MEMORY: "riskier docstring seen before",
    DESTRUCTIVE: "destructive verb",
}
"""The floors that are no rule of a pack, for the queue."""


def floors(reading: Reading, parts: tuple[Factor, ...], own: Level) -> tuple[Floor, ...]:
    """Every floor that the action meets, the highest first. `own` is the level of the score alone.

    The ratchet, the memory and the policy's least level for destructive verbs are told only where they
    raise it.
    """
    out: list[Floor] = []
    if GUARDRAILS in reading.policy.packs:
        out += guards.met(reading)
        out += _remembered(reading, parts, own)
        out += _destructive(reading, parts, own)
    out += _ratchet(reading, own)
    return tuple(sorted(out, key=lambda floor: -floor.level)) if out else ()


def _ratchet(reading: Reading, own: Level) -> list[Floor]:
    level = reading.context.ratchet
    if level is None or level <= own:
        return []
    reason = f"An earlier call of this function in this session was {level.name} and nobody approved it."
    return [Floor(RATCHET, level, reason)]


def _remembered(reading: Reading, parts: tuple[Factor, ...], own: Level) -> list[Floor]:
    text = reading.context.riskiest_docstring
    if not text or text == reading.action.docstring:
        return []
    score, _, evidence = docstring.scored(text, reading.policy.packs)
    level = level_of(
        composite(replace(part, score=score) if part.name == "docstring" else part for part in parts),
        reading.policy.thresholds,
    )
    if level <= own:
        return []
    spans = [place.span for place in evidence if place.span is not None]
    start = max(spans[0][1] - EXCERPT, 0) if spans else 0
    reason = (
        f"An earlier docstring of this function makes it {level.name}, and what was said cannot be un-said."
    )
    return [Floor(MEMORY, level, reason, (Evidence(MEMORY, excerpt(text, start, len(text))),))]


def _destructive(reading: Reading, parts: tuple[Factor, ...], own: Level) -> list[Floor]:
    level = reading.policy.destructive_floor
    if level is None or level <= own:
        return []
    name = next(part for part in parts if part.name == "function_name")
    evidence = tuple(
        replace(p, rule=DESTRUCTIVE) for p in name.evidence if p.rule.endswith(".verb.destructive")
    )
    if not evidence:
        return []
    return [Floor(DESTRUCTIVE, level, f"A destructive verb is never under {level.name}.", evidence)]
