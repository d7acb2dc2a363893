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


def compiled(pattern: bytes) -> "re2._Regexp":
    return re2.compile(pattern, options())


class Matcher:
    """Some rules, compiled. `data` is folded text as Latin-1 bytes everywhere here."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self._set = re2.Set.SearchSet(options())
        for rule in rules:
            self._set.Add(rule.pattern)
        if rules:
            self._set.Compile()
        self._each = [compiled(rule.pattern) for rule in rules]

    def which(self, data: bytes) -> list[int]:
        """The indices into `rules` of those that match anywhere, in order."""
        if not self.rules:
            return []
        return sorted(self._set.Match(data) or ())

    def spans(self, index: int, data: bytes, start: int = 0) -> Iterator[tuple[int, int]]:
        """Where rule `index` matches from `start` on, as spans of the group that matched.

        The search goes on inside the match, for what one match needs after it the next may need before it.
        """
        search = self._each[index].search
        while (found := search(data, start)) is not None:
            span = next(
                (found.span(g) for g in range(1, len(found.groups()) + 1) if found.start(g) >= 0),
                found.span(),
            )
            yield span
            start = max(span[1] - 1, span[0] + 1)


@lru_cache(maxsize=64)
def matcher(rules: tuple[Rule, ...]) -> Matcher:
    return Matcher(rules)
