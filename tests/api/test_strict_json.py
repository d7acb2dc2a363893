"""The strict reading of a body: what it takes, what it refuses, and that it says where."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskgate.api import strict_json
from riskgate.api.strict_json import INTEGER, JsonRefused, LimitExceeded, loads

texts = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=20)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-INTEGER, INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=30,
)


def refused(body: bytes) -> JsonRefused:
    with pytest.raises(JsonRefused) as caught:
        loads(body)
    return caught.value


@given(values, st.booleans())
def test_everything_ordinary_is_read_as_it_is(value: Any, ascii_only: bool) -> None:
    read = loads(json.dumps(value, ensure_ascii=ascii_only).encode())
    assert read == value
    assert json.dumps(read) == json.dumps(value), "1 and 1.0 and true stay apart"


@pytest.mark.parametrize(
    ("body", "offset"),
    [
        (b"", 0),
        (b"   ", 3),
        (b"{", 1),
        (b"[1,]", 3),
        (b'{"a":1,}', 7),
        (b'{"a" 1}', 5),
        (b"[1] 2", 4),
        (b"[01]", 2),
        (b"[1.]", 2),
        (b"['a']", 1),
        (b'["\t"]', 2),
        (b'["\x00"]', 2),
        (b"\x00", 0),
        (b'["abc', 1),
        (b'["\\x"]', 2),
        (b'["\\u12"]', 3),
        (b"\xef\xbb\xbf{}", 0),
        ('["é", x]'.encode(), 7),
        (b'["\xff"]', 2),
        (b'["\xed\xa0\x80"]', 2),
        (b'{"a":"\xc3"}', 6),
        (b'{"a":{"b":1},"c":', 17),
    ],
)
def test_what_is_no_json_is_refused_at_its_byte(body: bytes, offset: int) -> None:
    error = refused(body)
    assert error.details == {"offset": offset}
    assert str(offset) in error.message


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (b'{"a": NaN}', "/a"),
        (b'{"a": [1, Infinity]}', "/a/1"),
        (b'{"a": [1, -Infinity]}', "/a/1"),
        (b'{"a": {"b/c": [0, {"d~": NaN}]}}', "/a/b~1c/1/d~0"),
        (b'{"a": 9007199254740992}', "/a"),
        (b'{"a": -9007199254740992}', "/a"),
        (b'{"a": 1' + b"0" * 5000 + b"}", "/a"),
        (b'{"a": 1e400}', "/a"),
        (b'{"a": -1e400}', "/a"),
        (b'{"a": 1, "a": 2}', "/a"),
        (b'{"a": 1, "\\u0061": 2}', "/a"),
        (b'{"x": [{"a": 1}, {"a": 1, "b": {}, "a": 2}]}', "/x/1/a"),
        (b'{"a": "x\\u0000"}', "/a"),
        (b'{"a": "\\ud800"}', "/a"),
        (b'{"a": "\\udc00"}', "/a"),
        (b'{"a": "\\ud800\\ud800\\udc00"}', "/a"),
        (b'{"a": "\\ud800x\\udc00"}', "/a"),
        (b'{"a": "\\\\ud800\\udc00"}', "/a"),
        (b'{"a": ["", "\\uDBFF\\n"]}', "/a/1"),
        (b'{"b": {"\\u0000": 1}}', "/b"),
        (b'{"b": {"\\ud800": 1}}', "/b"),
        (b"NaN", ""),
        (b"1e999", ""),
    ],
)
def test_what_two_readers_could_understand_differently_is_refused_by_name(body: bytes, pointer: str) -> None:
    assert refused(body).details == {"pointer": pointer}


@pytest.mark.parametrize(
    "body",
    [
        b'{"a": 9007199254740991, "b": -9007199254740991}',
        b'{"a": "\\\\u0000", "b": "\\\\\\\\ud800"}',
        b'{"a": "\\ud83d\\ude00"}',
        b'{"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 1}]}',
        b'{"a": 1e308, "b": 1e-400, "c": -0.0, "d": -0}',
        b" \t\r\n[ ]\n",
        b'{"": 1}',
    ],
)
def test_what_only_looks_like_it_is_taken(body: bytes) -> None:
    assert json.dumps(loads(body)) == json.dumps(json.loads(body))


def test_thirty_two_levels_are_taken_and_no_more() -> None:
    assert loads(b"[" * 32 + b"]" * 32)
    assert loads(b'{"a":' * 32 + b"1" + b"}" * 32)
    assert loads(b'{"a":"' + b"[{" * 500 + b'", "b": "\\"[[[["}'), "brackets in text do not count"
    assert loads(b"[" + b"[[]]," * 5000 + b"[]]"), "nor do those side by side"
    for opened, closed in ((b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]")):
        error = refused(opened * 33 + b"1" + closed * 33)
        assert isinstance(error, LimitExceeded)
    assert isinstance(refused(b"[" * 100_000), LimitExceeded)


def test_a_thousand_names_are_taken_and_no_more() -> None:
    def spread(count: int) -> bytes:
        return json.dumps([{str(index): index} for index in range(count)]).encode()

    assert loads(spread(1000))
    assert isinstance(refused(spread(1001)), LimitExceeded)
    assert isinstance(refused(json.dumps({str(i): i for i in range(1001)}).encode()), LimitExceeded)


def test_a_name_has_255_characters_and_no_more() -> None:
    assert loads(json.dumps({"ü" * 255: 1}).encode())
    assert isinstance(refused(json.dumps({"a": {"x" * 256: 1}}).encode()), LimitExceeded)
    assert refused(json.dumps({"a": {"x" * 256: 1}}).encode()).details == {"pointer": "/a"}


def read_or_refused(body: bytes) -> None:
    """Either the value that everybody reads, or a refusal that says where."""
    try:
        value = loads(body)
    except JsonRefused as refusal:
        error = refusal
    else:
        assert json.loads(body) == value
        return
    assert set(error.details) in ({"pointer"}, {"offset"})
    assert error.message.endswith(".")


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    read_or_refused(body)


pieces = st.sampled_from(
    r"""{ } [ ] , : "a" "b" 1 -1.5e9 NaN true null "\ud83d \ude00" "\u0000" 1e999 99999999999999999""".split()
)


@given(st.lists(pieces, max_size=25))
def test_anything_like_json_is_read_or_refused(parts: list[str]) -> None:
    read_or_refused("".join(parts).encode())


@given(values, st.integers(0, 5))
def test_a_damaged_value_is_named_at_its_place(value: Any, at: int) -> None:
    body = json.dumps({"before": value, "list": [0] * at + [float("inf")], "after": value}).encode()
    assert refused(body).details == {"pointer": f"/list/{at}"}


HALF = strict_json.BODY // 2


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 2 * HALF,
        b"[" + b"{}," * (2 * HALF // 3) + b"NaN]",
        b"[" + b"1," * HALF + b"NaN]",
        b"[" * 40 + b'"' + b'\\"' * HALF,
        b"[" * 40 + b"\\" * 2 * HALF,
        b'["' + b"\\\\" * HALF + b'\\u0000"]',
        b'["' + b"\\ud83d\\ude00" * (HALF // 6) + b'\\ud83d"]',
        b"[" + b" " * 2 * HALF + b"NaN]",
        b"[" + b"1" * 2 * HALF + b"]",
        b"[0." + b"9" * 2 * HALF + b", NaN]",
        b"{" + b'"":1,' * (2 * HALF // 5) + b'"":1}',
    ],
    ids=lambda body: body[:40].decode(errors="replace") if isinstance(body, bytes) else None,
)
def test_the_worst_body_takes_no_longer_than_its_length(body: bytes) -> None:
    def seconds(of: bytes) -> float:
        began = time.process_time()
        refused(of)
        return time.process_time() - began

    assert seconds(body) < 2.0, "a quadratic reading of a quarter of a million bytes takes minutes"
