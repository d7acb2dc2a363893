"""What is left out to be fast would have found nothing: each shortcut against the same scoring without it."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskgate.core.action import Action, Context
from riskgate.core.assessment import Assessment
from riskgate.core.policy import BALANCED, CORE
from riskgate.core.scoring import assess, decoding, summary
from riskgate.core.scoring.called import called
from riskgate.core.scoring.hiding import Sign
from riskgate.core.scoring.rulebook import COMMAND, Rulebook, rulebook
from riskgate.core.scoring.views import Leaf, Texts
from tests.core.scoring.test_assess import ACTIONS
from tests.core.scoring.test_rules import MATCH, NO_MATCH, as_action

ALL = frozenset({*Sign, COMMAND})
EXAMPLES = [as_action(rule, example) for rule, example in (*MATCH, *NO_MATCH)]
TEXTS = [example for _, example in (*MATCH, *NO_MATCH) if isinstance(example, str)]


@contextmanager
def every_sign() -> Iterator[None]:
    """Every pass is made over every text, whether or not there is a sign for it."""
    with (
        patch.object(Rulebook, "signs", lambda self, texts: ALL),
        patch.object(decoding, "_LIKELY", decoding._BASE64),
    ):
        yield


def the_long_way(action: Action) -> Assessment:
    with every_sign():
        return assess(action, Context(), BALANCED)


def texts_of(text: str) -> Texts:
    return Texts([Leaf((None, "args"), text, False)], [], [])


def hidden(text: str) -> tuple[Any, ...]:
    raw = text.encode("utf-8", "surrogatepass")
    return (
        f"see {base64.b64encode(raw).decode()} there",
        base64.urlsafe_b64encode(raw).decode().rstrip("="),
        base64.encodebytes(b"a line that is long enough to have another one: " + raw).decode(),
        base64.b64encode(text.encode("utf-16-le", "surrogatepass")).decode(),
        json.dumps({"a": [text, {"b": base64.b64encode(raw).decode()}]}),
        "\u2003[" + json.dumps(text) + "]",
        "".join(f"%{byte:02x}" for byte in raw),
        text.replace(" ", "/**/ ", 1),
        f"{text[:2]}'+'{text[2:]}",
        ["x", text, text.split()],
    )


@pytest.mark.parametrize("action", EXAMPLES, ids=lambda action: action.function_name)
def test_no_example_of_a_rule_is_passed_over(action: Action) -> None:
    assert assess(action, Context(), BALANCED) == the_long_way(action)


def test_no_example_is_passed_over_where_it_is_hidden() -> None:
    for text in TEXTS:
        for value in hidden(text):
            action = Action("run_shell", (value,))
            assert assess(action, Context(), BALANCED) == the_long_way(action)


@settings(max_examples=300, deadline=None)
@given(ACTIONS)
def test_nothing_is_passed_over_whatever_an_agent_sends(action: Action) -> None:
    assert assess(action, Context(), BALANCED) == the_long_way(action)


@settings(max_examples=300, deadline=None)
@given(st.text(min_size=4, max_size=40), st.sampled_from(range(10)), st.text(max_size=5))
def test_every_hidden_text_has_its_sign(text: str, how: int, before: str) -> None:
    value = hidden(text)[how]
    action = Action("x", (before + value if isinstance(value, str) else value,))
    assert assess(action, Context(), BALANCED) == the_long_way(action)


@settings(max_examples=500, deadline=None)
@given(st.text(min_size=7, max_size=30).filter(str.isprintable), st.sampled_from(["utf-8", "utf-16-le"]))
def test_base64_of_any_text_is_seen(text: str, encoding: str) -> None:
    piece = base64.b64encode(text.encode(encoding, "surrogatepass")).decode()
    for value in (piece, piece.rstrip("="), f"x={piece}", f"{piece}={piece}"):
        texts = texts_of(value)
        seen = rulebook(BALANCED.packs).signs(texts)
        everything = [leaf.text for leaf in decoding._from_base64(texts.leaves, decoding._BASE64)]
        likely = [leaf.text for leaf in decoding._from_base64(texts.leaves, decoding._LIKELY)]
        assert not everything or seen & {Sign.PACKED, Sign.PACKED_WIDE}
        assert everything == likely or Sign.PACKED_WIDE in seen


def test_signs_are_looked_for_in_what_was_written() -> None:
    """Folded, the letter before it would be a part of the base64."""
    action = Action("get_data", ("é" + base64.b64encode(b"rm -rf / ").decode(),))
    assert {floor.evidence[0].via for floor in assess(action, Context(), BALANCED).floors} == {"base64"}


def test_words_of_a_language_have_no_sign() -> None:
    book = rulebook(BALANCED.packs)
    text = (
        "The documentation describes responsibilities, unfortunately without comprehensive illustrations. "
        * 20
    )
    assert book.signs(texts_of(text)) == frozenset()


def test_no_word_of_a_command_rule_has_a_blank() -> None:
    """Else one that stands across two elements of a list would have no sign in either."""
    rules = rulebook(BALANCED.packs).commands.rules
    assert [word for rule in rules for word in (*rule.words, *rule.heads) if word.split() != [word]] == []


def test_what_is_remembered_of_a_function_is_the_same_every_time() -> None:
    action = Action("delete_user", ("x",), docstring="Permanently.")
    first = assess(action, Context(), BALANCED)
    assert assess(action, Context(), CORE).floors == ()
    other = Action("delete_user", ("x",), docstring="Careful.")
    assert summary(assess(other, Context(), BALANCED)) == "destructive verb, careful, first call"
    assert assess(action, Context(), BALANCED) == first


@pytest.mark.parametrize("length", [255, 256, 5000])
def test_long_names_are_read_like_short_ones_and_not_remembered(length: int) -> None:
    name = "delete_" + "x" * (length - 7)
    assert assess(Action(name), Context(), BALANCED).factors[0].score == 950_000
    assert (called(name, BALANCED.packs) is called(name, BALANCED.packs)) == (length <= 255)
