"""The four levels of risk, and the integer units that scores are counted in."""

from bisect import bisect_right
from enum import IntEnum
from fractions import Fraction

MICRO = 1_000_000
"""Scores are integers of 10⁻⁶, so that Python and SQL agree to the last digit."""

WEIGHT = 10_000
"""Weights are integers of 10⁻⁴."""


class Level(IntEnum):
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4


_LEVELS = tuple(Level)


def micro(value: float | Fraction) -> int:
    """A number as an integer of 10⁻⁶, clamped to 0..1 and rounded half up.

    A float is taken as the decimal that it prints as, so that 0.7 is seven tenths and nothing less.
    """
    exact = value if isinstance(value, Fraction) else Fraction(str(value))
    scaled = exact * MICRO
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return min(max(rounded, 0), MICRO)


def decimal(value: int) -> float:
    """An integer of 10⁻⁶ as the number that it stands for."""
    return value / MICRO


def level_of(score: int, thresholds: tuple[int, int, int]) -> Level:
    """The level of a score; both in 10⁻⁶. `thresholds` are the least scores of MEDIUM, HIGH and CRITICAL."""
    return _LEVELS[bisect_right(thresholds, score)]
