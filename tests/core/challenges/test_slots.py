"""Made-up answers look like the real one."""

import random
from datetime import date

import pytest

from riskgate.core.challenges.options import six
from riskgate.core.challenges.slots import joined, parse, vary


def neighbours(text, kind="", count=60):
    rng = random.Random(4)
    return {joined(vary(parse(text, kind), rng)) for _ in range(count)}


def shape(text):
    return "".join("9" if c.isdigit() else "a" if c.islower() else "A" if c.isupper() else c for c in text)


@pytest.mark.parametrize(
    "text", ["usr_123", "ord-90210", "4711", "12500", "49.99", "0.25", "v2.14.3", "T-0042"]
)
def test_a_number_keeps_its_shape(text):
    assert {shape(other) for other in neighbours(text)} == {shape(text)}
    assert len(neighbours(text)) >= 6


def test_a_round_number_stays_as_round_as_it_is():
    for other in neighbours("12500"):
        assert other.endswith("00")
        assert not other.endswith("000")


def test_a_round_number_never_becomes_nothing():
    assert neighbours("30") == {f"{n}0" for n in range(1, 10)}


def test_a_date_stays_a_date():
    for other in neighbours("2028-02-29"):
        date.fromisoformat(other)


def test_an_address_stays_one():
    for other in neighbours("10.20.4.17"):
        parts = [int(part) for part in other.split(".")]
        assert len(parts) == 4
        assert all(0 <= part <= 255 for part in parts)


def test_a_uuid_keeps_its_version():
    assert {other[14] for other in neighbours("6f1c2c9e-64b2-4d2e-9f0a-2f7d6a1b9c33")} == {"4"}


def test_the_flags_and_the_program_of_a_command_stay():
    for other in neighbours("rm -rf /srv/app/releases/2025-11-14", "command"):
        assert other.startswith("rm -rf /srv/app/releases/")


def test_the_language_of_a_statement_stays():
    for other in neighbours("DELETE FROM orders WHERE user = 7", "sql"):
        assert other.startswith("DELETE FROM ")
        assert " WHERE user = " in other


def test_capitals_stay():
    assert all(other.isupper() for other in neighbours("PRODUCTION"))
    assert all(other.istitle() for other in neighbours("Invoices"))


def test_an_unknown_word_has_no_neighbours():
    assert six("zorblax", {}, random.Random(1)) is None


def test_switches_are_only_switched():
    for other in neighbours("fast true, refund false, loud true", "switches"):
        assert other.replace("true", "x").replace("false", "x") == "fast x, refund x, loud x"
