"""Each audit event is one sentence, and what an agent wrote in it stays a piece of text."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.roles import ActorKind
from riskgate.services.shapes import EventView
from riskgate.web.presenters import PLACES, SENTENCES, Segment, duration, present, present_all

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
BOB = UUID(int=1)
CALL = UUID(int=7)


def happened(kind: Event, by: str = "Bob", actor: ActorKind = ActorKind.USER, **given: Any) -> EventView:
    values: dict[str, Any] = {
        "id": uuid4(),
        "at": NOON,
        "kind": kind,
        "actor_kind": actor,
        "actor_id": BOB if actor is ActorKind.USER else None,
        "actor_name": by,
        "call_id": CALL,
        "session_id": None,
        "agent_name": "support-copilot",
        "function_name": "delete_user",
        "signature": 'delete_user("usr_123")',
        "level": Level.HIGH,
        "score": 720_000,
        "environment": "production",
        "policy_version": 3,
        "data": {},
    }
    return EventView(**(values | given))


def said(event: EventView, **how: Any) -> str:
    return present(event, reader_id=None, **how).text


@pytest.mark.parametrize("kind", Event)
def test_every_event_has_a_sentence_even_when_it_holds_nothing_else(kind: Event) -> None:
    bare = happened(
        kind, agent_name="", function_name="", signature="", level=None, score=None, policy_version=None,
        environment="", call_id=None,
    )  # fmt: skip
    for actor in ActorKind:
        line = present(happened(kind, actor=actor), reader_id=None)
        assert line.text == line.text.strip()
        assert line.text[0].isupper() or line.segments[0].kind != "plain"
        assert "{" not in line.text + line.second_text
        assert present(bare, reader_id=None).text


def test_the_last_sentence_of_an_event_always_holds() -> None:
    for sentences in SENTENCES.values():
        assert sentences[-1].when.__name__ == "_always"


def test_no_place_is_left_without_a_use() -> None:
    every = [each for sentences in SENTENCES.values() for each in sentences]
    patterns = "".join("".join((each.main, each.clause, *each.seconds, *each.aside)) for each in every)
    assert [place for place in PLACES if "{" + place + "}" not in patterns] == []


def test_bob_approved_after_a_while() -> None:
    event = happened(Event.APPROVED, data={"seconds": 67.2})
    assert said(event) == 'Bob approved delete_user("usr_123") after 1 min 07 s'
    assert present(event, reader_id=None).segments[:3] == (
        Segment("Bob", "person"),
        Segment(" approved "),
        Segment('delete_user("usr_123")', "call"),
    )


def test_bob_reads_that_he_did_it_himself() -> None:
    line = present(happened(Event.DENIED, data={"seconds": 41}), reader_id=BOB)
    assert line.text == 'You denied delete_user("usr_123") after 41 s'


def test_the_reason_stands_below() -> None:
    line = present(happened(Event.RETURNED, data={"reason": "Name the volumes."}), reader_id=None)
    assert line.second_text == "“Name the volumes.”"


def test_nothing_stands_below_where_nobody_gave_a_reason() -> None:
    assert present(happened(Event.DENIED), reader_id=None).second == ()


def test_a_rule_refuses_without_a_person() -> None:
    data = {"rule": "own.no-ledger-writes", "reason": "the ledger is append-only"}
    line = present(happened(Event.DENIED, "riskgate", ActorKind.SYSTEM, data=data), reader_id=None)
    assert line.text == 'A rule refused delete_user("usr_123")'
    assert line.second_text == "Rule own.no-ledger-writes: the ledger is append-only"


def test_the_clock_tells_undecided_from_unclaimed() -> None:
    undecided = happened(Event.EXPIRED, "riskgate", ActorKind.SYSTEM, data={"seconds": 3600})
    assert said(undecided) == 'Nobody decided delete_user("usr_123") in 1 h; it expired'
    unclaimed = happened(
        Event.EXPIRED, "riskgate", ActorKind.SYSTEM, data={"reason_code": "expired_unclaimed"}
    )
    assert (
        said(unclaimed)
        == 'support-copilot did not claim delete_user("usr_123") in time; the approval expired'
    )


def test_a_failed_quiz_does_not_tell_how_many_were_right() -> None:
    event = happened(Event.CHALLENGE_FAILED, data={"kind": "quiz", "right": 2, "of": 3, "attempt": 1})
    assert said(event) == 'Bob failed the quiz for delete_user("usr_123")'
    assert present(event, reader_id=None).second_text == "It was the first attempt."


def test_the_owner_withdraws_and_the_agent_cancels() -> None:
    line = present(happened(Event.CANCELLED, "Alice", data={"seconds": 41}), reader_id=None)
    assert line.text == 'Alice withdrew delete_user("usr_123") after 41 s'
    assert line.second_text == "As the owner of support-copilot."
    agents_own = present(happened(Event.CANCELLED, "support-copilot", ActorKind.AGENT), reader_id=None)
    assert (agents_own.text, agents_own.second_text) == (
        'support-copilot cancelled delete_user("usr_123")', "",
    )  # fmt: skip


def test_a_key_that_takes_the_place_of_another_says_so() -> None:
    made = happened(Event.KEY_MADE, data={"key": "rg_new", "scopes": []})
    assert present(made, reader_id=None).second_text == "It begins with rg_new."
    data = {"key": "rg_new", "scopes": [], "replaces": "rg_old"}
    line = present(happened(Event.KEY_MADE, data=data), reader_id=None)
    assert line.second_text == "It begins with rg_new and replaces rg_old, which works until it is revoked."


def test_a_session_is_named_so_that_a_page_can_lead_to_it() -> None:
    event = happened(Event.SESSION_OPENED, call_id=None, session_id=CALL, data={"session": "run-7"})
    line = present(event, reader_id=None)
    assert line.segments[-1] == Segment("run-7", "session")
    assert line.session_id == CALL


def test_where_the_call_stands_above_it_is_not_said_again() -> None:
    assert said(happened(Event.OPENED), call_shown=True) == "Bob opened it"
    assert (
        said(happened(Event.APPROVED, actor=ActorKind.SYSTEM), call_shown=True) == "It was approved at once"
    )


def test_braces_in_a_call_are_only_braces() -> None:
    assert said(happened(Event.OPENED, signature="f({who})")) == "Bob opened f({who})"


def test_an_error_of_the_agent_is_code_and_text() -> None:
    line = present(happened(Event.FAILED, data={"error": "<b>boom</b>"}), reader_id=None)
    assert line.second == (Segment("<b>boom</b>", "code"),)


@pytest.mark.parametrize("newest_first", [True, False])
def test_a_submission_is_told_with_its_score_in_one_line(newest_first: bool) -> None:
    agent = {"by": "support-copilot", "actor": ActorKind.AGENT}
    events = [
        happened(Event.SUBMITTED, **agent),
        happened(
            Event.SCORED,
            "riskgate",
            ActorKind.SYSTEM,
            data={"floor": "core.sql.drop", "score_level": "MEDIUM"},
        ),
        happened(Event.OPENED, at=NOON + timedelta(seconds=9)),
    ]
    if newest_first:
        events.reverse()
    lines = present_all(events, reader_id=None)
    assert sorted(line.text for line in lines) == [
        'Bob opened delete_user("usr_123")',
        'support-copilot submitted delete_user("usr_123"); scored 0.720 with policy 3',
    ]
    assert "MEDIUM by score; floor core.sql.drop raises it to HIGH." in [line.second_text for line in lines]


def test_an_action_that_needs_nobody_is_one_line() -> None:
    events = [
        happened(Event.APPROVED, "riskgate", ActorKind.SYSTEM, level=Level.LOW),
        happened(Event.SCORED, "riskgate", ActorKind.SYSTEM, level=Level.LOW),
        happened(Event.SUBMITTED, "support-copilot", ActorKind.AGENT, level=Level.LOW),
    ]
    (line,) = present_all(events, reader_id=None)
    assert line.text.endswith(
        'submitted delete_user("usr_123"); scored 0.720 with policy 3, approved at once'
    )
    assert line.second_text == "Nobody is needed at LOW."


@pytest.mark.parametrize("newest_first", [True, False])
def test_the_quiz_that_approved_is_told_below_the_approval(newest_first: bool) -> None:
    passed = {"kind": "quiz", "attempt": 2, "seat": 1, "right": 3, "of": 3, "seconds": 38}
    events = [
        happened(Event.CHALLENGE_PASSED, data=passed),
        happened(Event.VOTED, data={"seat": 1}),
        happened(Event.APPROVED, data={"seconds": 67, "approvals": 1, "kind": "quiz"}),
    ]
    if newest_first:
        events.reverse()
    (line,) = present_all(events, reader_id=None)
    assert line.text == 'Bob approved delete_user("usr_123") after 1 min 07 s'
    assert line.second_text == "Quiz passed at the second attempt."


def test_a_vote_that_was_not_the_last_is_told_as_a_vote() -> None:
    passed = {"kind": "teach_back", "seat": 1}
    events = [happened(Event.VOTED, data={"seat": 1}), happened(Event.CHALLENGE_PASSED, data=passed)]
    (line,) = present_all(events, reader_id=None)
    assert line.text == 'Bob voted to approve delete_user("usr_123") in seat 1'
    assert line.second_text == "Teach-back passed."


def test_two_members_added_at_once_are_two_lines() -> None:
    events = [happened(Event.MEMBER_ADDED, call_id=None), happened(Event.MEMBER_ADDED, call_id=None)]
    assert len(present_all(events, reader_id=None)) == 2


def test_a_score_whose_submission_is_on_another_page_stands_alone() -> None:
    (line,) = present_all([happened(Event.SCORED, "riskgate", ActorKind.SYSTEM)], reader_id=None)
    assert line.text == 'delete_user("usr_123") scored 0.720 with policy 3'


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (41.4, "41 s"), (67, "1 min 07 s"), (120, "2 min"), (3600, "1 h"), (7500, "2 h 05 min"),
     (86_400, "1 d"), (97_200, "1 d 3 h"), (59.6, "1 min")],
)  # fmt: skip
def test_durations_take_at_most_two_units(seconds: float, words: str) -> None:
    assert duration(seconds) == words
