"""How a text is split into words, folded, and pointed back at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskgate.core.scoring.matching import compiled
from riskgate.core.scoring.views import Leaf
from riskgate.core.scoring.words import disguises, split_words, word_pattern


def folded_text(text: str) -> Leaf:
    return Leaf((None, "args"), text, False)


def words(text: str) -> list[str]:
    folded = folded_text(text)
    return [folded.data[start:end].lower() for start, end in split_words(folded.data)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deleteUser", ["delete", "user"]),
        ("HTTPDelete", ["http", "delete"]),
        ("delete2users", ["delete", "2", "users"]),
        ("delete_user-now", ["delete", "user", "now"]),
        ("ｄｅｌｅｔｅ_x", ["delete", "x"]),
        ("dеlеtе_user", ["delete", "user"]),
        ("de\u200blete", ["delete"]),
        ("d\u0336e\u0336l\u0336e\u0336t\u0336e\u0336", ["delete"]),
        ("ԁеӏеtе", ["delete"]),
        ("", []),
    ],
)
def test_a_name_is_split_where_people_see_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "text", ["key", "KEY", "myKey", "APIKey", "api_key", "KEYName", "key2", "kEy", "2key", "a.key!"]
)
def test_the_pattern_of_a_word_finds_it(text: str) -> None:
    assert compiled(word_pattern("key")).search(text.encode("latin-1")) is not None


@pytest.mark.parametrize("text", ["monkey", "keyboard", "Keyed", "KEYED", "mKEYs", ""])
def test_the_pattern_of_a_word_leaves_others_alone(text: str) -> None:
    assert compiled(word_pattern("key")).search(text.encode("latin-1")) is None


@given(st.text(max_size=60))
def test_pattern_and_splitting_agree(text: str) -> None:
    folded = folded_text(text + " dropTable " + text)
    assert ("drop" in words(folded.text)) == (
        compiled(word_pattern("drop")).search(folded.data.encode("latin-1")) is not None
    )


@given(st.text(max_size=80))
def test_folded_text_fits_its_bytes_and_goes_back(text: str) -> None:
    folded = folded_text(text)
    folded.data.encode("latin-1")
    for at in range(len(folded.data)):
        start, end = folded.original(at, at + 1)
        assert 0 <= start < end <= len(text)
        assert folded.data[at] in folded_text(text[start:end]).data


def test_ordinary_foreign_text_is_no_disguise() -> None:
    for text in (
        "Удалить пользователя",
        "ユーザーを削除",
        "Benutzer löschen",
        "naïve café",
        "حذف می‌کند",
        "👩‍👩‍👧",
    ):
        assert disguises(text, 3) == []


@pytest.mark.parametrize(
    ("text", "spans"),
    [("dеlete", [(1, 2)]), ("de\u200blete", [(2, 3)]), ("ｒm", [(0, 1)]), ("𝐝rop", [(0, 1)]), ("plain", [])],
)
def test_a_disguise_is_pointed_at(text: str, spans: list[tuple[int, int]]) -> None:
    assert disguises(text, 3) == spans
