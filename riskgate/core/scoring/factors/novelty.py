"""How often this session has called this function: what is new to it deserves a look."""

from fractions import Fraction

from riskgate.core.levels import micro
from riskgate.core.scoring.reading import Reading, Scored

FIRST, LEAST, CALLS = Fraction(9, 10), Fraction(1, 10), 9

_SCORES = tuple(micro(FIRST - prior * (FIRST - LEAST) / CALLS) for prior in range(CALLS + 1))
"""By the number of earlier calls; the last holds for all further ones."""

_ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth")


def score(reading: Reading) -> Scored:
    prior = reading.context.prior_calls
    if prior < 0:
        raise ValueError("prior_calls is negative")
    value = _SCORES[min(prior, CALLS)]
    if prior < len(_ORDINALS):
        return value, f"{_ORDINALS[prior]} call of this function in this session", ()
    return value, f"This function was called {prior} times before in this session", ()
