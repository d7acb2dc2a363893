"""The parts of a text that may be asked for alone: a table, a path in a command, a link in a letter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from riskgate.core.challenges.text import rendered
from riskgate.core.challenges.values import Leaf, secret_looking
from riskgate.core.challenges.vocabulary import PEERS

_MOST = 12

_NAME = r"[\"`\[]?([A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)*)"

_SQL: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "table",
        re.compile(
            r"(?i)\b(?:from|into|update|join|truncate(?:\s+table)?|table(?:\s+if\s+(?:not\s+)?exists)?)\s+(?:only\s+)?"
            + _NAME
        ),
    ),
)

_COMMON: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("url", re.compile(r"(?<!\w)([a-z][a-z0-9+.-]{1,12}://[^\s\"'<>|;)]{3,70})")),
    ("email", re.compile(r"(?<![\w.])([\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,20}){1,3})(?!\w)")),
    ("path", re.compile(r"(?<![\w/:.~])((?:~|\.{1,2})?/[\w.@-]+(?:/[\w.@*-]+)*)(?![\w/])")),
    ("uuid", re.compile(r"(?i)\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b")),
    ("ip", re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?![\w.])")),
    ("date", re.compile(r"(?<![\w-])(\d{4}-\d\d-\d\d)(?![\w-])")),
    ("id", re.compile(r"(?<![\w./-])((?:[A-Za-z]{1,12}[_#-])?[A-Za-z]{0,12}\d{3,16}\w{0,12})(?![\w./-])")),
    ("number", re.compile(r"(?<![\w./:-])(\d{1,12}(?:\.\d{1,4})?)(?![\w/:-]|\.\d)")),
    ("name", re.compile(r"(?<=\s)([a-z][a-z0-9]{2,20}(?:-[a-z0-9]{2,20}){1,4})(?=\s|$)")),
)

_WORD = re.compile(r"(?<![\w/.@-])([A-Za-z]{5,16})(?![\w/@-])")

_WHAT = {
    "table": "Which table",
    "url": "Which link",
    "email": "Which e-mail address",
    "path": "Which path",
    "uuid": "Which id",
    "ip": "Which IP address",
    "date": "Which date",
    "id": "Which id",
    "number": "Which number",
    "name": "Which name",
    "word": "Which of these words",
}

_WHERE = {"sql": "in the statement", "command": "in the command", "url": "in the link", "path": "in the path"}


@dataclass(frozen=True, slots=True)
class Part:
    """`start` and `end` are code points of the value; `text` is the part as rendered."""

    kind: str
    start: int
    end: int
    text: str

    def prompt(self, kind: str) -> str:
        """The question for it in a value of this kind."""
        what = _WHAT["number" if self.text.isdecimal() else self.kind]
        return f"{what} is {_WHERE.get(kind, 'in the text')}?"


def parts(leaf: Leaf) -> list[Part]:
    """The parts of a text value, the most telling first, none overlapping another, at most twelve."""
    if not isinstance(leaf.value, str) or leaf.kind not in {"sql", "command", "text", "url", "path", "email"}:
        return []
    found: list[Part] = []
    candidates = list(islice(_candidates(leaf), 4 * _MOST))
    if leaf.focus:
        candidates.sort(key=lambda part: abs(part.start - leaf.focus))
    for part in candidates:
        if len(found) == _MOST:
            break
        if all(part.end <= other.start or other.end <= part.start for other in found):
            found.append(part)
    return found


def _candidates(leaf: Leaf) -> Iterator[Part]:
    text = leaf.raw
    patterns = (*(_SQL if leaf.kind == "sql" else ()), *_COMMON)
    for kind, pattern in patterns:
        if kind == leaf.kind:
            continue
        for match in pattern.finditer(text):
            part = match.group(1)
            if 0 < len(part) <= 60 and not secret_looking("", part):
                yield _part(leaf, kind, match)
    if leaf.kind == "text" and len(text) > 40:
        for match in _WORD.finditer(text):
            if match.group(1).lower() in PEERS:
                yield _part(leaf, "word", match)


def _part(leaf: Leaf, kind: str, match: re.Match[str]) -> Part:
    return Part(kind, leaf.start + match.start(1), leaf.start + match.end(1), rendered(match.group(1)))
