"""SQL statements: where one starts in a text, and whether a WHERE or LIMIT holds it back."""

import re2

from riskgate.core.scoring.matching import compiled, options
from riskgate.core.scoring.words import SPACE

GAP = rb"(?:[%s]|/\*[^*\xff]*\*+(?:[^*/\xff][^*\xff]*\*+)*/|--[^\n\xff]*\n)" % SPACE
"""Between two words: white space or a comment."""

START = (
    rb"(?:^|[\xff;()\n]|(?:[%s]-[ceqQ]|--(?:command|execute|query)[= ]|<<<)[%s]*[\"']"
    rb"|(?i:execute(?:many)?|query|exec|raw|sql)\([%s]*[fN]?[\"'`]{1,3}|(?i:exec(?:ute)?(?:[%s]+immediate)?)[%s]+N?'|(?i:explain[%s]+analyze|begin|go)[%s])"
    % ((SPACE,) * 7)
)
"""What stands before a statement: the start, another one's end, a client's flag, a driver's call."""

STATEMENT = 8192
"""The most bytes of a statement that are looked at."""

NESTED = 6
"""How deep brackets are taken out: the WHERE of a subquery holds nothing back."""

_STRING_OR_COMMENT = compiled(rb"'(?:[^'\\]|''|\\.)*'|--[^\n]*|/\*[^*]*\*+(?:[^*/][^*]*\*+)*/")
_ALWAYS = compiled(
    rb"(?i)\b(?:WHERE|OR)[\s(]+(?:1\s*=\s*1|''\s*=\s*''|TRUE|1|NOT\s+FALSE)[\s)]*(?:$|;|\bOR\b|\bRETURNING\b)"
)
_EQUAL = compiled(
    rb"(?i)\b(?:WHERE|OR)[\s(]+([A-Z0-9_.\"`]+)\s*=\s*([A-Z0-9_.\"`]+)[\s)]*(?:$|;|\bOR\b|\bRETURNING\b)"
)
_HELD = compiled(rb"(?i)\b(?:WHERE|LIMIT|TOP)\b")
_NESTED = compiled(rb"\([^()]*\)")
_END = re2.compile(rb"[;\xff]", options())


def is_guarded(data: bytes, start: int) -> bool:
    """Whether the statement that starts at `start` has a WHERE that can be false, or a LIMIT."""
    cut = data[start : start + STATEMENT]
    cut = _STRING_OR_COMMENT.sub(b"''", cut)
    end = _END.search(cut)
    statement = cut[: end.start()] if end else cut
    if _ALWAYS.search(statement) is not None or _is_tautology(statement):
        return False
    for _ in range(NESTED):
        if b"(" not in statement:
            break
        statement = _NESTED.sub(b"", statement)
    return _HELD.search(statement) is not None


def _is_tautology(statement: bytes) -> bool:
    """`WHERE id = id`: a comparison with itself, and with nothing else beside it."""
    same = _EQUAL.search(statement)
    return same is not None and same.group(1).lower() == same.group(2).lower()
