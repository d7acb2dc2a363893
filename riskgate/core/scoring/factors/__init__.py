"""The factors of the composite, in the order of `policy.FACTORS`. A new factor is a file and a line here.

Each is `score(reading) -> Scored`, pure, and knows nothing of the others.
"""

from collections.abc import Callable

from riskgate.core.scoring.factors import arguments, docstring, function_name, hints, novelty
from riskgate.core.scoring.reading import Reading, Scored

FACTORS: tuple[tuple[str, Callable[[Reading], Scored]], ...] = (
    ("function_name", function_name.score),
    ("arguments", arguments.score),
    ("docstring", docstring.score),
    ("hints", hints.score),
    ("novelty", novelty.score),
)
