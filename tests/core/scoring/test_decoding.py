"""What a text hides is read once more, and the evidence shows where it stands and how it was read."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskgate.core.action import Action, Context
from riskgate.core.assessment import Evidence
from riskgate.core.levels import Level
from riskgate.core.policy import BALANCED, CORE
from riskgate.core.scoring import assess
from riskgate.core.scoring.decoding import decoded
from riskgate.core.scoring.hiding import Sign
from riskgate.core.scoring.views import Arguments

WIPE = b"rm -rf / "


def worst(action: Action) -> tuple[Level, Evidence]:
    assessment = assess(action, Context(), BALANCED)
    assert assessment.failed == ""
    return assessment.level, assessment.floors[0].evidence[0]


@pytest.mark.parametrize(
    ("text", "piece", "via"),
    [
        ("rm%20-rf%20%2F", "rm%20-rf%20%2F", "url-decoded"),
        ("ls; rm%20-rf%20/", "rm%20-rf%20/", "url-decoded"),
        ("x cm0gLXJmIC8= y", "cm0gLXJmIC8=", "base64"),
        (base64.urlsafe_b64encode(b"rm -rf / --no-preserve-root?>").decode().rstrip("="), None, "base64"),
        (
            "-enc " + base64.b64encode("Remove-Item -Recurse C:\\".encode("utf-16-le")).decode(),
            None,
            "base64",
        ),
        ('{"cmd": "rm -rf /"}', "rm -rf /", "json"),
        ('["rm", "-rf", "/"]', "rm", "json"),
        ('{"cmd": "rm\\t-rf /"}', '{"cmd": "rm\\t-rf /"}', "json"),
        ('{"run": "cm0gLXJmIC8="}', "cm0gLXJmIC8=", "base64"),
        ('{"run": "cm0gLXJ\\u006dIC8="}', None, "json, base64"),
        ("dr/**/op ta/**/ble users", "dr/**/op ta/**/ble users", "comments removed"),
        ("/*!50000 DROP TABLE users */", "DROP TABLE users ", "comments removed"),
        ("EXEC('DR'+'OP TABLE users')", "DR'+'OP TABLE users", "quotes removed"),
    ],
)
def test_a_hidden_command_is_found_where_it_stands(text: str, piece: str | None, via: str) -> None:
    level, place = worst(Action("get_data", (text,)))
    assert level >= Level.HIGH
    assert place.via == via
    assert place.at == "/args/0"
    assert place.span is not None
    shown = text[slice(*place.span)]
    assert shown.startswith(place.text)
    assert piece is None or shown.strip() == piece.strip()


def test_what_stands_there_as_it_is_needs_no_decoding() -> None:
    level, place = worst(Action("run_shell", ("rm -rf /; echo %41",)))
    assert (level, place.via) == (Level.CRITICAL, "")


@pytest.mark.parametrize(
    "action",
    [
        Action("get_data", ("c2VsZWN0IDEgZnJvbSB0",)),
        Action("send_email", kwargs={"body": '{"text": "rm -rf /"}'}),
        Action("store", ('{"message": "rm -rf /"}',)),
        Action("search_web", kwargs={"query": "rm%20-rf%20/"}),
        Action("get_data", ("SELECT 1 /* DROP TABLE users */",)),
        Action("execute_sql", ("INSERT INTO t VALUES ('a'||'b')",)),
        Action("format_date", ("2020-01-01", "%Y%m%d")),
        Action("run_shell", ("echo production environment deployment",)),
        Action("get_data", ('{"broken": "rm -rf /"',)),
    ],
)
def test_what_hides_nothing_meets_no_floor(action: Action) -> None:
    assert assess(action, Context(), BALANCED).floors == ()


def test_core_rules_never_see_decoded_text() -> None:
    hidden = Action("get_data", (base64.b64encode(b"sudo rm -rf password").decode(),))
    assert assess(hidden, Context(), CORE).factors[1].score == 50_000


def test_depth_and_numbers_of_a_document_break_nothing() -> None:
    for text in ("[" * 100_000, "[" * 900 + "]" * 900, "[" + "9" * 5000 + "]", '{"a": NaN}', "{}", "[]"):
        assert assess(Action("get_data", (text,)), Context(), BALANCED).failed == ""


@given(st.text(alphabet="rm -f/'\"%20+|*{}[]:,cLXJIC8=é", max_size=60))
def test_any_text_can_be_decoded_and_pointed_into(text: str) -> None:
    for value in (text, json.dumps({"a": text, "b": [text, text]})):
        hidden = decoded(Arguments(Action("x", (value,))), list(Sign))
        for leaf in (*hidden[0].leaves, *hidden[1].leaves) if hidden else ():
            for start in range(len(leaf.data)):
                place = leaf.evidence("x", start, start + 1)
                assert place.span is not None
                assert 0 <= place.span[0] < place.span[1] <= len(value)
                assert value[place.span[0] :].startswith(place.text)
