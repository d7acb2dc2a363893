"""People who pick answers without having read the call, each by another rule of thumb."""

from collections import Counter

from riskgate.core.challenges.text import look
from riskgate.core.challenges.values import leaves


def distance(left, right):
    """The edit distance of two short texts."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row = row, [i]
        for j, b in enumerate(right, 1):
            row.append(min(previous[j] + 1, row[-1] + 1, previous[j - 1] + (a != b)))
    return row[-1]


def _far(option, options):
    return sum(distance(option, other) for other in options)


def _shared(option, options):
    """How many of its characters the others have in the same place."""
    return sum(a == b for other in options for a, b in zip(option, other, strict=False))


def _frequent(options, team):
    known = Counter(leaf.text for action in team for leaf in leaves(action))
    known.update(action.function_name for action in team)
    return max(options, key=lambda option: known[option])


GUESSERS = {
    "the longest": lambda options, team: max(options, key=len),
    "the shortest": lambda options, team: min(options, key=len),
    "the first": lambda options, team: options[0],
    "the last": lambda options, team: options[-1],
    "the first of the alphabet": lambda options, team: min(options),
    "the one in the middle of the alphabet": lambda options, team: sorted(options)[3],
    "the middle of the others": lambda options, team: min(options, key=lambda o: _far(o, options)),
    "the odd one out": lambda options, team: max(options, key=lambda o: _far(o, options)),
    "the one that shares the most": lambda options, team: max(options, key=lambda o: _shared(o, options)),
    "the one with most different letters": lambda options, team: max(
        options, key=lambda o: len(set(look(o)))
    ),
    "the one with fewest different letters": lambda options, team: min(
        options, key=lambda o: len(set(look(o)))
    ),
    "the most frequent of the team": _frequent,
}
