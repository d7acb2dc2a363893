"""The values of a call, one by one: where each stands, what it is, and whether it may be shown."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from riskgate.core.action import Action, Json, pointer, tokens
from riskgate.core.challenges.text import SHORT, cut, rendered

LEAVES = 200
"""Values of one call that are looked at; a call of thousands is not walked to its end."""

WINDOW = 4000
"""Code points of a long text that are looked at."""

_SECRET_NAME = re.compile(
    r"(?i)passw|passphrase|secret|token|credential|api[_-]?key|private[_-]?key|access[_-]?key|signing[_-]?key"
    r"|authorization|bearer|cookie|\bpin\b|\botp\b|\bcvv\b|\bpwd\b|\bauth\b"
)
_SECRET_TEXT = re.compile(
    r"\b(?:sk|pk|rk|rg|ghp|gho|ghs|ghu|glpat|xox[abprs]|whsec|npm|pypi|hf|shpat|dop)[_-][A-Za-z0-9_-]{8}"
    r"|github_pat_|\b(?:AKIA|ASIA|AIza)[A-Za-z0-9_-]{8}|\beyJ[A-Za-z0-9_-]{8}|-----BEGIN"
    r"|://[^/\s:@]{1,64}:[^/\s@]{1,64}@"
    r"|(?i:\b(?:pass|passwd|password|pwd|secret|token|api_?key|apikey|bearer|basic|authorization)\b"
    r"\s{0,4}[=: ]\s{0,4}\S)"
)
_UUID = re.compile(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_DENSE = re.compile(r"[A-Za-z0-9+/=_-]{20,}")

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("boolean", re.compile(r"true|false|null")),
    ("number", re.compile(r"[-+]?\d{1,20}(?:[.,]\d{1,12})?")),
    ("uuid", _UUID),
    ("date", re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]*)?")),
    ("ip", re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2}|:\d{1,5})?")),
    ("version", re.compile(r"v?\d{1,4}(?:\.\d{1,4}){2}(?:[-+.][\w.-]{1,20})?")),
    ("email", re.compile(r"[^\s@/:]+@[^\s@/:]+\.[A-Za-z]{2,}")),
    ("url", re.compile(r"[a-z][a-z0-9+.-]{1,20}://\S+")),
    (
        "sql",
        re.compile(r"(?is)(?:select|insert|update|delete|drop|truncate|alter|create|grant|revoke|with)\s.+"),
    ),
    ("path", re.compile(r"(?:~|\.{1,2})?/\S*|[\w.-]+(?:/[\w.-]+)+|[A-Za-z]:\\\S*|[\w-]+\.[a-z]{2,4}")),
    ("host", re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d{1,5})?")),
    ("id", re.compile(r"(?=\S*\d)[\w.:#@-]+")),
    ("word", re.compile(r"\S+")),
)

_COMMAND = re.compile(
    r"(?:sudo\s+)?(?:rm|rmdir|mv|cp|ls|cat|chmod|chown|chgrp|kill|pkill|killall|git|kubectl|docker|terraform|aws|gcloud|az"
    r"|curl|wget|ssh|scp|rsync|tar|find|grep|sed|awk|systemctl|service|apt|apt-get|yum|dnf|pip|npm|psql|mysql|mkdir|dd"
    r"|mkfs\S*|shred|helm|ansible\S*|python3?|bash|sh|echo|touch|head|tail|truncate|shutdown|reboot)\s.+",
    re.DOTALL,
)
_ENVIRONMENT_NAME = re.compile(r"(?i)(?:\w*_)?(?:env|environment|stage)")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value that holds no others.

    text   how it is rendered; "" where it is too long to be shown whole
    focus  the code point at which the evidence starts
    """

    at: str
    name: str
    value: str | float | bool | None
    text: str
    kind: str
    focus: int = 0

    @property
    def start(self) -> int:
        """The code point of the value at which `raw` starts."""
        return max(0, self.focus - WINDOW // 2)

    @property
    def raw(self) -> str:
        """The text, or the window of it around what raised the score."""
        return self.value[self.start : self.start + WINDOW] if isinstance(self.value, str) else self.text


def leaves(action: Action, limit: int = LEAVES) -> Iterator[Leaf]:
    """The scalar values, in the order that the call is written in; at most `limit`."""
    found: list[tuple[str, str, Json]] = [
        (pointer("args", i), "", value) for i, value in enumerate(islice(action.args, limit))
    ]
    found += [(pointer("kwargs", name), name, value) for name, value in islice(action.kwargs.items(), limit)]
    return islice(_walk([*reversed(found)]), limit)


def below(action: Action, at: str) -> list[Leaf]:
    """The value at a JSON Pointer, or the first few of those that it holds; none where there is nothing."""
    value: Json = {"args": action.args, "kwargs": action.kwargs}
    name = ""
    for token in tokens(at):
        if isinstance(value, Mapping) and token in value:
            value, name = value[token], token
        elif isinstance(value, Sequence) and not isinstance(value, str) and _index(token) < len(value):
            value = value[int(token)]
        else:
            return []
    return list(islice(_walk([(at, "" if name in {"args", "kwargs"} else name, value)]), 8))


def _index(token: str) -> float:
    return int(token) if token.isascii() and token.isdecimal() and len(token) < 10 else float("inf")


def _walk(waiting: list[tuple[str, str, Json]]) -> Iterator[Leaf]:
    while waiting:
        at, name, value = waiting.pop()
        if isinstance(value, Mapping):
            members = list(islice(value.items(), LEAVES))
            waiting += [(at + pointer(key), str(key), member) for key, member in reversed(members)]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            waiting += [(at + pointer(i), name, value[i]) for i in reversed(range(min(len(value), LEAVES)))]
        else:
            yield leaf(at, name, value)


def leaf(at: str, name: str, value: str | float | bool | None) -> Leaf:
    long = isinstance(value, str) and (len(value) > SHORT or "\n" in value.strip())
    text = "" if long else rendered(value)
    return Leaf(at, name, value, text if len(text) <= SHORT else "", kind_of(value, name))


def kind_of(value: str | float | bool | None, name: str = "") -> str:
    """What sort of thing it is: one of the keys of `_KINDS`, or "environment", "command" or "text"."""
    if isinstance(value, bool) or value is None:
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    text = value[:WINDOW].strip()
    if _ENVIRONMENT_NAME.fullmatch(name) and re.fullmatch(r"[\w-]{1,30}", text):
        return "environment"
    if _COMMAND.fullmatch(text):
        return "command"
    for kind, pattern in _KINDS:
        if (kind == "sql" or len(text) <= 400) and pattern.fullmatch(text):
            return kind
    return "text"


def hidden(at: str, masked: frozenset[str]) -> bool:
    """Is this value, or one that it is part of, masked?"""
    return bool(masked) and any(at == mask or at.startswith(mask + "/") for mask in masked)


def secret_looking(name: str, text: str) -> bool:
    """Might this be a secret? Rather one too many: nothing is lost but a question."""
    if _SECRET_NAME.search(name[:200]) or _SECRET_TEXT.search(text):
        return True
    for match in _DENSE.finditer(_UUID.sub(" ", text)):
        run = match.group()
        classes = sum(bool(re.search(pattern, run)) for pattern in ("[a-z]", "[A-Z]", "[0-9]"))
        if len(set(run)) >= 12 and (classes == 3 or (classes == 2 and not re.search(r"[_/-]", run))):
            return True
    return False


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def place(at: str) -> str:
    """Where a value stands, in words: "The first argument", "The argument user, at address.city"."""
    kind, head, *rest = tokens(at)
    if kind == "args":
        index = int(head)
        said = (
            f"The {_ORDINALS[index]} argument" if index < len(_ORDINALS) else f"Argument number {index + 1}"
        )
    else:
        said = f"The argument {cut(rendered(head), 40)}"
    if rest:
        steps = "".join(f"[{step}]" if step.isdecimal() else f".{rendered(step)}" for step in rest)
        said += f", at {cut(steps.removeprefix('.'), 60)}"
    return said
