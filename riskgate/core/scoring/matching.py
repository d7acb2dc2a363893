"""Many rules over one text in linear time: one pass finds which match, then each of these is located."""

from collections.abc import Iterator
from functools import lru_cache

import re2

from riskgate.core.scoring.rules import Rule

_MEMORY = 64 << 20


def options() -> re2.Options:
    """Latin-1, for folded text; enough memory for the automata, and nothing written to stderr."""
    out = re2.Options()
    out.encoding = re2.Options.Encoding.LATIN1
    out.max_mem = _MEMORY
    out.log_errors = False
    return out


@lru_cache(maxsize=1024)
def compiled(pattern: bytes) -> "re2._Regexp":
    return re2.compile(pattern, options())


class OnePass:
    """Which of some patterns match anywhere in a text of Latin-1 bytes, found in one pass over it."""

    def __init__(self, patterns: tuple[bytes, ...]) -> None:
        self._set = re2.Set.SearchSet(options())
        for pattern in patterns:
            self._set.Add(pattern)
        if patterns:
            self._set.Compile()
        self._none = not patterns

    def which(self, data: bytes) -> list[int]:
        """The indices of the patterns that match, in order."""
        matched = None if self._none else self._set.Match(data)
        return sorted(matched) if matched else []


class Matcher(OnePass):
    """Some rules, compiled. `data` is folded text as Latin-1 bytes everywhere here."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        super().__init__(tuple(rule.pattern for rule in rules))
        self.rules = rules
        self._each = [
            (each, range(1, each.groups + 1)) for each in (compiled(rule.pattern) for rule in rules)
        ]

    def spans(self, index: int, data: bytes, start: int = 0) -> Iterator[tuple[int, int]]:
        """Where rule `index` matches from `start` on, as spans of the group that matched.

        The search goes on inside the match, for what one match needs after it the next may need before it.
        """
        pattern, groups = self._each[index]
        while (found := pattern.search(data, start)) is not None:
            for group in groups:
                span = found.span(group)
                if span[0] >= 0:
                    break
            else:
                span = found.span()
            yield span
            start = max(span[1] - 1, span[0] + 1)
