"""The one strict reading of a body, before anything else looks at it.

Python's own parser does the work, with hooks for what it is too kind about; that costs little more than reading at all.
Only a body that is refused is read a second time, by `_explain`, which knows where it is. Both are linear in the body.
"""

import re
from collections.abc import Callable
from json import JSONDecodeError, JSONDecoder
from math import isinf
from typing import Any, ClassVar, NoReturn

from riskgate.core.action import Json, pointer
from riskgate.core.errors import RiskgateError

DEPTH = 32
KEYS = 1_000
NAME = 255
INTEGER = 2**53 - 1

BODY = 262_144
BODY_MOST = 1_048_576
"""In bytes: what every team may send, and the most that a policy can allow."""


class JsonRefused(RiskgateError):
    """The body is not JSON, or is JSON that two readers could understand differently.

    `details` holds `pointer` (RFC 6901) where a value is to blame, else `offset`, counted in bytes from 0.
    """

    code: ClassVar[str] = "json_refused"


class LimitExceeded(JsonRefused):
    """It is JSON, and larger, deeper or with more members than is taken."""

    code: ClassVar[str] = "limit_exceeded"


class _Suspicious(Exception):
    """A hook saw what may not be; where, `_explain` finds out."""


# An opening quote always matches up to its end or to the end of the text, so that no text is looked at twice.
_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_RISKY_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


def loads(body: bytes) -> Json:
    """The value that `body` stands for. Raises JsonRefused or LimitExceeded."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonRefused(
            f"The body is not UTF-8 at byte {error.start}. Send JSON encoded as UTF-8.", offset=error.start
        ) from None
    if body.count(b"[") + body.count(b"{") > DEPTH and _too_deep(body):
        _explain(text)
    left = KEYS

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal left
        out = dict(pairs)
        left -= len(pairs)
        if len(out) != len(pairs) or left < 0 or (out and max(map(len, out)) > NAME):
            raise _Suspicious
        return out

    decoder = JSONDecoder(
        object_pairs_hook=members, parse_int=_integer, parse_float=_float, parse_constant=_constant
    )
    try:
        value: Json = decoder.decode(text)
    except JSONDecodeError as error:
        raise _syntax(text, error.pos, error.msg) from None
    except (_Suspicious, RecursionError):
        _explain(text)
    if _RISKY_ESCAPE.search(text) and _bad_escape(text):
        _explain(text)
    return value


def _integer(digits: str) -> int:
    if len(digits) <= 17:
        value = int(digits)
        if -INTEGER <= value <= INTEGER:
            return value
    raise _Suspicious


def _float(digits: str) -> float:
    value = float(digits)
    if isinf(value):
        raise _Suspicious
    return value


def _constant(name: str) -> NoReturn:
    raise _Suspicious


def _too_deep(body: bytes) -> bool:
    """Whether brackets nest deeper than DEPTH: each round takes away the innermost pairs."""
    left = _STRINGS.sub(b"", body).translate(_BRACKETS, _NOT_BRACKETS)
    for _ in range(DEPTH):
        left = left.replace(b"[]", b"")
    return b"[" in left


def _bad_escape(text: str) -> bool:
    """Whether an escape stands for NUL or for half of a surrogate pair. Only strings hold backslashes."""
    high_ends = -1
    for escape in _ESCAPE.finditer(text):
        code = int(escape[1], 16) if escape[1] else -1
        low = 0xDC00 <= code <= 0xDFFF
        paired = high_ends == escape.start()
        if code == 0 or low != paired or (high_ends >= 0 and not paired):
            return True
        high_ends = escape.end() if 0xD800 <= code <= 0xDBFF else -1
    return high_ends >= 0


def _syntax(text: str, at: int, what: str) -> JsonRefused:
    offset = len(text[:at].encode())
    what = what.removesuffix(" at")
    return JsonRefused(f"The body is not JSON at byte {offset}: {what}.", offset=offset)


# ------------------------------------------------------------------ where it is that something is wrong

_TOKEN = re.compile(
    r"[ \t\n\r]*+(?:(?P<punctuation>[\[\]{},:])"
    r'|(?P<string>"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*+)(?P<fraction>(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+))"
    r"|(?P<constant>-?Infinity|NaN)|(?P<word>true|false|null))"
)


def _explain(text: str) -> NoReturn:
    """Walks to the first thing that `loads` does not take, and raises what names it."""
    path: list[str | int] = []
    names: list[set[str] | None] = []  # of the objects that are open; None for an array
    keys = at = 0
    name_next = False
    while True:
        token = _TOKEN.match(text, at)
        if token is None:
            raise _syntax(text, at, "Expecting a value")
        at = token.end()
        kind, piece = token.lastgroup, token[0].lstrip(" \t\n\r")
        if token["punctuation"]:
            if piece in "[{":
                path.append(0)
                names.append(set() if piece == "{" else None)
                name_next = piece == "{"
                if len(names) > DEPTH:
                    raise LimitExceeded(
                        f"The body is nested deeper than {DEPTH} levels. Send less nesting.",
                        pointer=pointer(*path[:-1]),
                    )
            elif not names:
                raise _syntax(text, at - 1, "Expecting a value")
            elif piece in "]}":
                path.pop()
                names.pop()
                name_next = False
                if not names:
                    raise _syntax(text, at, "Extra data")
            elif piece == ",":
                last = path[-1]
                name_next = names[-1] is not None
                if isinstance(last, int) and not name_next:
                    path[-1] = last + 1
        elif name_next and token["string"]:
            keys += 1
            name_next = False
            opened = names[-1]
            assert opened is not None
            _check_name(piece, path, opened, keys)
        elif token["string"]:
            _check_text(piece, f"The text at {pointer(*path) or 'the top'}", pointer(*path))
        elif token["number"] is not None and not token["fraction"]:
            if len(piece) > 17 or abs(int(piece)) > INTEGER:
                raise JsonRefused(
                    "A whole number beyond ±9007199254740991 is not the same to every reader. Send it as text.",
                    pointer=pointer(*path),
                )
        elif token["number"] is not None:
            if isinf(float(piece)):
                raise JsonRefused(
                    "This number is too large to be kept. Send it as text.", pointer=pointer(*path)
                )
        elif kind == "constant":
            raise JsonRefused(f"{piece} is not JSON. Send null or text instead.", pointer=pointer(*path))


def _check_name(piece: str, path: list[str | int], opened: set[str], keys: int) -> None:
    """Takes the name of a member into the path. Raises where it may not be one."""
    parent = pointer(*path[:-1])
    _check_text(piece, f"A name of a member of {parent or 'the body'}", parent)
    name = _decode_string(piece)
    path[-1] = name
    if keys > KEYS:
        raise LimitExceeded(f"The body has more than {KEYS} names. Send fewer members.", pointer=parent)
    if len(name) > NAME:
        raise LimitExceeded(
            f"A name of a member is longer than {NAME} characters. Shorten it.", pointer=parent
        )
    if name in opened:
        raise JsonRefused("The same name stands twice in one object. Send it once.", pointer=pointer(*path))
    opened.add(name)


def _check_text(piece: str, what: str, at: str) -> None:
    if _RISKY_ESCAPE.search(piece) and _bad_escape(piece):
        raise JsonRefused(f"{what} holds NUL or half of a surrogate pair. Leave it out.", pointer=at)


_decode_string: Callable[[str], str] = JSONDecoder().decode
