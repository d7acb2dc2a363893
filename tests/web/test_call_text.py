"""What an agent wrote is shown as it is: matches marked, hidden characters spelled out, nothing folded over a match."""

import json

from hypothesis import given
from hypothesis import strategies as st

from riskgate.core.action import Action
from riskgate.core.assessment import Evidence
from riskgate.web import call_text
from riskgate.web.call_text import Pieces, pieces, spots

HELD = frozenset({"/kwargs/api_token"})


def written(parts: Pieces) -> str:
    return "".join(part.text for part in parts)


def marked(parts: Pieces) -> list[str]:
    """The texts of neighbouring pieces that are marked, joined."""
    out: list[str] = []
    before = False
    for part in parts:
        if part.hit:
            out = [*out[:-1], out[-1] + part.text] if before else [*out, part.text]
        before = part.hit
    return out


def test_the_matched_characters_are_marked_and_no_others() -> None:
    assert marked(pieces("permanently drop it", [(0, 9), (12, 16)])) == ["permanent", "drop"]


def test_overlapping_matches_are_one_mark() -> None:
    assert marked(pieces("kubectl delete ns", [(0, 14), (8, 17)])) == ["kubectl delete ns"]


def test_a_right_to_left_override_is_a_chip_with_its_code_point() -> None:
    chips = [part for part in pieces("safe \u202egnihton") if part.kind == "chip"]
    assert [chip.text for chip in chips] == ["U+202E"]
    assert chips[0].title == "right-to-left override, invisible; turned off here"


def test_a_cyrillic_letter_in_a_latin_word_is_pointed_at() -> None:
    looks = [part for part in pieces("p\u0430yments") if part.kind == "look"]
    assert [(part.text, part.code) for part in looks] == [("\u0430", "U+0430")]
    assert looks[0].title == "Cyrillic small letter a, looks like Latin a"


def test_a_word_wholly_of_lookalikes_is_pointed_at_beside_latin_text() -> None:
    assert sum(part.kind == "look" for part in pieces("delete \u0440\u0430\u0443\u0440\u0430")) == 5


def test_russian_is_left_as_it_is() -> None:
    assert {part.kind for part in pieces("Удалить запись пользователя")} == {"text"}


def test_letters_with_accents_and_other_scripts_are_left_as_they_are() -> None:
    assert {part.kind for part in pieces("naïve Zoë 東京 العربية हिन्दी 👍")} == {"text"}


def test_towers_of_combining_marks_are_taken_down() -> None:
    assert sum(part.kind == "chip" for part in pieces("a" + "\u0301" * 10)) == 8


def test_a_value_cannot_look_like_the_end_of_itself() -> None:
    shown = written(call_text.signature(Action("f", ('a", env="staging',)), {}, ()))
    assert shown == 'f("a\\", env=\\"staging")'


def test_a_line_break_cannot_make_a_row_of_its_own() -> None:
    (row,) = call_text.tree(Action("f", ("one\ntwo",)), {}, ())
    assert written(row.value) == '"one\\n\ntwo"'


@given(st.text(), st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40))))
def test_no_text_is_lost_and_none_is_made_up(text: str, spans: list[tuple[int, int]]) -> None:
    back = ""
    for part in pieces(text, spans):
        back += chr(int(part.code[2:], 16)) if part.kind == "chip" and part.code else part.text
    assert back == text


@given(st.text())
def test_quoted_text_holds_no_character_that_is_not_seen(text: str) -> None:
    shown = written(pieces(text, quoted=True, lines=False))
    assert not {"\u202e", "\u200b", "\n", "\x00", "\u2066"} & set(shown)


def test_a_secret_is_masked_everywhere_and_its_length_told() -> None:
    action = Action("connect", (), {"api_token": "sk_live_0123456789"})
    (row,) = call_text.tree(action, {}, HELD)
    assert (written(row.value), row.note) == ("••••••••", "masked, 18 characters")
    assert "sk_live" not in written(call_text.signature(action, {}, HELD))
    assert "sk_live" not in call_text.raw(action, HELD)


def test_the_name_of_a_secret_is_marked_where_the_rule_met_the_name() -> None:
    found = spots([Evidence("core.secret", "token", "/kwargs/api_token", (4, 9), in_key=True)])
    (row,) = call_text.tree(Action("connect", (), {"api_token": "x"}), found, HELD)
    assert marked(row.key) == ["token"]
    assert marked(row.value) == []


def test_a_long_value_is_folded() -> None:
    (row,) = call_text.tree(Action("f", ("x" * 900,)), {}, ())
    assert written(row.value + row.rest) == '"' + "x" * 900 + '"'
    assert (row.rest_length, row.shown) == (540, False)


def test_a_fold_never_hides_a_match() -> None:
    text = "x" * 900 + "DROP TABLE users" + "y" * 900
    found = spots([Evidence("core.sql.drop", "DROP TABLE", "/args/0", (900, 910))])
    (row,) = call_text.tree(Action("f", (text,)), found, ())
    assert row.shown
    assert marked(row.rest) == ["DROP TABLE"]


def test_a_fold_never_hides_a_hidden_character() -> None:
    (row,) = call_text.tree(Action("f", ("x" * 900 + "\u202e",)), {}, ())
    assert row.shown


def test_a_shortened_signature_still_shows_every_match_and_the_end() -> None:
    text = "x" * 900 + "DROP TABLE users" + "y" * 900 + "the end"
    found = spots([Evidence("core.sql.drop", "DROP TABLE", "/args/0", (900, 910))])
    shown = call_text.signature(Action("f", (text,)), found, ())
    assert marked(shown) == ["DROP TABLE"]
    assert written(shown).endswith('the end")')
    assert len(written(shown)) < 400


def test_a_thousand_arguments_are_all_in_the_tree() -> None:
    action = Action("f", tuple(range(1000)))
    assert len(call_text.tree(action, {}, ())) == 1000
    assert "980 more" in written(call_text.signature(action, {}, ()))


def test_the_raw_call_is_the_call_in_ascii() -> None:
    action = Action("dröp", ("\u202ea",), {"n": [1, 2.5, None, {"k": True}]}, "doc", {"cost": 3})
    raw = call_text.raw(action, ())
    assert raw.isascii()
    assert json.loads(raw) == {
        "function_name": "dröp",
        "args": ["\u202ea"],
        "kwargs": {"n": [1, 2.5, None, {"k": True}]},
        "docstring": "doc",
        "hints": {"cost": 3},
    }


def test_the_legend_names_each_code_point_once() -> None:
    legend = call_text.legend([pieces("\u200ba\u200b"), pieces("\u200b\u202e")])
    assert [each.code for each in legend] == ["U+200B", "U+202E"]
