"""The default scorer: the weighted average of the five factors, in integers."""

from collections.abc import Iterable

from riskgate.core.assessment import Evidence, Factor
from riskgate.core.levels import MICRO, WEIGHT
from riskgate.core.scoring.factors import FACTORS
from riskgate.core.scoring.reading import Reading

FAILED = "scorer.failed"
"""The rule of evidence and floors that tell of a failure."""


def factors(reading: Reading) -> tuple[tuple[Factor, ...], str]:
    """Every factor, and why scoring failed, or "".

    A factor that raises, or leaves 0..1, counts as 1 with the failure as its evidence.
    """
    out, failed = [], ""
    for (name, score), weight in zip(FACTORS, reading.policy.weights, strict=True):
        try:
            value, sentence, evidence = score(reading)
            if not 0 <= value <= MICRO:
                raise ValueError(f"its score {value} is not in 0..1")
        except Exception as error:
            why = f"The factor {name} failed ({type(error).__name__}), so it counts in full"
            failed = failed or why
            value, sentence, evidence = MICRO, why, (Evidence(FAILED, type(error).__name__),)
        out.append(Factor(name, value, weight, sentence, evidence))
    return tuple(out), failed


def composite(parts: Iterable[Factor]) -> int:
    """The weighted average in 10⁻⁶, rounded half up and clamped to 0..1."""
    total = sum([part.score * part.weight for part in parts])
    return min(max((2 * total + WEIGHT) // (2 * WEIGHT), 0), MICRO)
