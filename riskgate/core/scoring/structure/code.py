"""Commands inside program text: what Python, JavaScript and their like hand to a shell as a literal."""

from collections.abc import Iterator

from riskgate.core.scoring.matching import compiled

MOST = 50
"""How many such calls of a text are looked at."""

_CALL = compiled(
    rb"(?:(?:os|__import__\([\"']os[\"']\))\.(?:system|popen|exec[a-z]*)|(?:subprocess|__import__\([\"']subprocess[\"']\))\.[a-zA-Z_]+|Popen|shell_exec|passthru|proc_open"
    rb"|exec(?:File)?(?:Sync)?|spawn(?:Sync)?|system|Runtime\.getRuntime\(\)\.exec|Command)"
    rb"\(\s*(\[\s*)?[rbf]{0,2}([\"'`])"
)
_SPACES = str.maketrans("\"'`,", "    ")


def run_by_code(text: str) -> Iterator[tuple[str, int]]:
    """Each literal that a call in a text would run, and where it starts; a list of words as one command."""
    if "(" not in text:
        return
    data, position = text.encode("latin-1"), 0
    for _ in range(MOST):
        call = _CALL.search(data, position)
        if call is None:
            return
        start = call.end()
        end = text.find("]" if call.start(1) >= 0 else chr(data[start - 1]), start)
        end = end if end >= 0 else len(text)
        literal = text[start:end]
        yield (literal.translate(_SPACES) if call.start(1) >= 0 else literal), start
        position = max(end, start)
