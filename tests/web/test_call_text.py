"""What an agent wrote is shown as it is: matches marked, hidden characters spelled out, nothing folded over a match."""

import json
import re

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from riskgate.core.action import Action, Json
from riskgate.core.assessment import Evidence
from riskgate.core.rendering import signature
from riskgate.web import call_text
from riskgate.web.call_text import Pieces, pieces, spots

HELD = frozenset({"/kwargs/api_token"})


def written(parts: Pieces) -> str:
    return "".join(part.text for part in parts)


def ascii_name(text: str) -> str:
    return ascii(text[:2])[1:-1]


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
    shown = pieces("a" + "\u0301" * 10)
    assert [(part.text, part.times) for part in shown] == [("a\u0301\u0301", 1), ("U+0301 × 8", 8)]


def test_a_run_of_the_same_hidden_character_is_one_chip() -> None:
    (chip,) = pieces("\u202e" * 80_000)
    assert (chip.text, chip.kind, chip.times) == ("U+202E × 80,000", "chip", 80_000)


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
        back += chr(int(part.code[2:], 16)) * part.times if part.kind == "chip" else part.text
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


def test_three_hundred_values_are_all_in_the_tree() -> None:
    assert len(call_text.tree(Action("f", tuple(range(300))), {}, ())) == 300


def test_of_a_thousand_values_the_tree_says_how_many_it_leaves_out() -> None:
    action = Action("f", tuple(range(1000)))
    *rows, last = call_text.tree(action, {}, ())
    assert len(rows) == 300
    assert last.note == "700 more values: see the raw call"
    assert "980 more" in written(call_text.signature(action, {}, ()))


def test_a_long_list_hides_neither_what_stands_after_it_nor_a_match_in_it() -> None:
    many: list[Json] = [0] * 120_000
    many[77_777] = "DROP TABLE users"
    found = spots([Evidence("core.sql.drop", "DROP TABLE", "/kwargs/z/77777", (0, 10))])
    *rows, last = call_text.tree(Action("f", (), {"z": many, "target": "production"}), found, ())
    assert len(rows) == 300
    assert last.note == "119,702 more values: see the raw call"
    shown = {written(row.key): row for row in rows}
    assert written(shown["target"].value) == '"production"'
    assert marked(shown["77777"].value) == ["DROP TABLE"]


def test_where_too_many_values_match_it_is_said_how_many_are_not_shown() -> None:
    found = spots(Evidence("core.sql.drop", "DROP", f"/args/{i}", (0, 4)) for i in range(1000))
    *_, last = call_text.tree(Action("f", ("DROP",) * 1000), found, ())
    assert last.note == "700 more values, 700 of them matched: see the raw call"


def test_where_too_much_of_one_text_matches_it_is_said_how_much_is_not_shown() -> None:
    text = ("DROP TABLE a; " + "x" * 86) * 2000
    found = spots(
        Evidence("core.sql.drop", "DROP", "/args/0", (at, at + 4)) for at in range(0, len(text), 100)
    )
    shown = call_text.signature(Action("f", (text,)), found, ())
    assert 8 <= len(marked(shown)) <= 10
    assert re.search(r"\d characters, 1,99\d more matched …", written(shown))


def in_bytes(parts: Pieces) -> int:
    return len(render_to_string("components/pieces.html", {"pieces": parts}).encode())


ODD = ("\u202e" * 80_000, "\u202e\u200b" * 40_000, "a\u202e" * 60_000, '"' * 240_000, 'a"' * 80_000, "<" * 240_000,
       "\u0430a" * 80_000, "a\u0301\u0300" * 50_000, "\n" * 120_000, "".join(map(chr, range(0xE0000, 0xE1000))) * 14,
       "Удалить " * 15_000, "\u0430" * 120_000)  # fmt: skip


@pytest.mark.parametrize("text", ODD, ids=ascii_name)
def test_whatever_a_long_text_is_made_of_its_place_on_the_page_is_small(text: str) -> None:
    action = Action("f", (text,))
    (row,) = call_text.tree(action, {}, ())
    assert in_bytes(row.value) + in_bytes(row.rest) < 12_000
    assert in_bytes(call_text.signature(action, {}, ())) < 2_000
    said = call_text.words("Docstring", text)
    assert in_bytes(said.text) + in_bytes(said.rest) < 12_000
    assert in_bytes(call_text.brief(text)) < 1_000
    assert len(signature(action)) <= 120


@pytest.mark.parametrize("text", ["x" * 800, "\u202e\u200b" * 400, '"' * 800], ids=ascii_name)
def test_many_long_texts_are_small_together(text: str) -> None:
    action = Action("f", ([text] * 299,), {})
    rows = call_text.tree(action, {}, ())
    assert len(rows) == 300
    assert sum(in_bytes(row.value) + in_bytes(row.rest) for row in rows) < 130_000


def test_a_deep_pile_of_values_makes_a_short_signature() -> None:
    pile: Json = 0
    for _ in range(4):
        pile = [pile] * 20
    assert in_bytes(call_text.signature(Action("f", (pile, "the end")), {}, ())) < 4_000
    assert len(signature(Action("f", [pile] * 20))) <= 120


def test_a_match_is_in_the_signature_though_there_is_no_more_room() -> None:
    texts: list[Json] = ["x" * 239] * 500
    found = spots([Evidence("core.sql.drop", "DROP TABLE", "/kwargs/sql", (0, 10))])
    action = Action("f", [texts] * 19, {"sql": "DROP TABLE users"})
    assert marked(call_text.signature(action, found, ())) == ["DROP TABLE"]


@pytest.mark.parametrize(
    ("action", "shown"),
    [
        (Action("list_files(path='/tmp') # delete", ("/",)), '"list_files(path=\'/tmp\') # delete"("/")'),
        (Action("k8s.apps/v1:delete-ns", ()), "k8s.apps/v1:delete-ns()"),
        (Action("f", (), {"dry_run=true, b": 1}), 'f("dry_run=true, b"=1)'),
        (Action("f", ({"a: 1, b": 2},)), 'f({"a: 1, b": 2})'),
    ],
)
def test_a_name_cannot_look_like_a_call(action: Action, shown: str) -> None:
    assert written(call_text.signature(action, {}, ())) == shown
    assert signature(action) == shown


def test_what_is_left_out_of_a_list_is_said_in_one_line_too() -> None:
    assert signature(Action("f", (list(range(30)),))).endswith("… 10 more])")


def test_a_number_that_is_secret_is_masked_as_well() -> None:
    action, held = Action("unlock", (), {"pin": 1234}), frozenset({"/kwargs/pin"})
    (row,) = call_text.tree(action, {}, held)
    assert (written(row.value), row.note) == ("••••••••", "masked")
    for shown in (
        written(call_text.signature(action, {}, held)),
        call_text.raw(action, held),
        signature(action, held),
    ):
        assert "1234" not in shown


def test_a_long_hint_is_folded_and_whole() -> None:
    said = call_text.members("Hints", {"why": "x" * 3000, "n": 1}, "/hints", {})
    assert written(said.text + said.rest) == 'why: "' + "x" * 3000 + '"\nn: 1'
    assert said.rest_length == len(written(said.rest)) > 2000


def test_six_hundred_hints_say_how_many_are_not_shown() -> None:
    said = call_text.members("Hints", {f"h{i}": "x" * 200 for i in range(600)}, "/hints", {})
    assert "more: see the raw call" in written(said.rest)
    assert in_bytes(said.text) + in_bytes(said.rest) < 12_000


def test_the_raw_call_is_the_call_in_ascii() -> None:
    action = Action("dröp", ("\u202ea",), {"n": [1, 2.5, None, {"k": True}]}, "doc", {"cost": 3})
    raw = call_text.raw(action, (), reason="because", metadata={"ticket": 7})
    assert raw.isascii()
    assert json.loads(raw) == {
        "function_name": "dröp",
        "args": ["\u202ea"],
        "kwargs": {"n": [1, 2.5, None, {"k": True}]},
        "docstring": "doc",
        "hints": {"cost": 3},
        "reason": "because",
        "metadata": {"ticket": 7},
    }


def test_the_legend_names_each_code_point_once() -> None:
    legend = call_text.legend([pieces("\u200ba\u200b"), pieces("\u200b\u202e")])
    assert [each.code for each in legend] == ["U+200B", "U+202E"]


def test_a_legend_of_very_many_kinds_ends() -> None:
    legend = call_text.legend([pieces("".join(map(chr, range(0xE0000, 0xE0080))))])
    assert (len(legend), legend[-1].meaning) == (25, "104 more kinds, each named where it stands")
