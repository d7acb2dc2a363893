"""What the caller says of the risk. Hints only raise."""

from fractions import Fraction

from riskgate.core.action import Hint, pointer
from riskgate.core.assessment import Evidence
from riskgate.core.levels import micro
from riskgate.core.scoring.reading import Reading, Scored, printable

TRUE = Fraction(3, 10)
NUMBER = Fraction(8, 10)
FULL_NUMBER = 10_000
"""The number that counts in full."""

HARMLESS = frozenset({"readOnlyHint", "idempotentHint"})
"""MCP annotations that promise harmlessness: a promise of the caller adds nothing and takes nothing away."""


def score(reading: Reading) -> Scored:
    """Raises TypeError for a nested hint, ValueError for a number that is none."""
    hints = reading.action.hints
    if not hints:
        return 0, "The caller gave none", ()
    added = {name: _worth(value) for name, value in hints.items() if name not in HARMLESS}
    raising = [name for name, worth in added.items() if worth]
    evidence = tuple(_evidence(name, hints[name]) for name in raising[:20])
    if not raising:
        sentence = "The caller's hints add nothing"
    else:
        more = f" and {len(raising) - 3} more" if len(raising) > 3 else ""
        sentence = ", ".join(f"{printable(name)}: {_json(hints[name])}" for name in raising[:3]) + more
    return micro(sum(added.values(), Fraction(0))), sentence, evidence


def _worth(value: Hint) -> Fraction:
    if value is None or isinstance(value, str):
        return Fraction(0)
    if isinstance(value, bool):
        return TRUE if value else Fraction(0)
    if isinstance(value, int | float):
        exact = Fraction(value) if isinstance(value, int) else Fraction(str(value))
        return min(max(exact, Fraction(0)) / FULL_NUMBER, Fraction(1)) * NUMBER
    raise TypeError(f"a hint is a {type(value).__name__}, not a flat value")


def _json(value: Hint) -> str:
    return "true" if value is True else str(value)


def _evidence(name: str, value: Hint) -> Evidence:
    rule = "core.hints.true" if value is True else "core.hints.number"
    return Evidence(rule, _json(value), pointer("hints", name))
