"""The page of a session: the run as a timeline, for everybody in the team."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from riskgate.core.levels import Level
from riskgate.core.lifecycle import ReasonCode, Status
from riskgate.core.policy import BALANCED
from riskgate.services import approvals, sessions
from riskgate.services.shapes import CallLine
from riskgate.web import run_lines
from tests.people import CRITICAL, HIGH, LOW, MEDIUM, World, approve, claim, report, submit, utcnow
from tests.web.agent_pages import words_of
from tests.web.pages import assert_passes_the_content_policy, signed_in


def page(client: Client, session_id: UUID, **query: str) -> str:
    response = client.get(reverse("session", args=[session_id]), query)
    assert response.status_code == 200
    assert_passes_the_content_policy(response)
    return response.content.decode()


def test_erin_who_only_looks_reads_the_run(world: World) -> None:
    first = submit(world, LOW)
    claim(world, first)
    report(world, first)
    denied = submit(world, HIGH)
    approvals.deny(member=world.bob, call_id=denied.id)
    submit(world, MEDIUM)
    shown = page(signed_in(world, "erin"), first.session_id)
    words = words_of(shown)
    assert "Session run-1 A run of support-copilot in production, owned by Alice Lindqvist." in words
    assert "Started just now, still open." in words
    assert "Actions 3 Levels LOW 1 MEDIUM 1 HIGH 1" in words
    assert "get_users() succeeded approved at once" in words
    assert 'delete_user("usr_123", env="production") denied by Bob Okafor Score 0.720' in words
    assert 'delete_draft("d-7") pending waits for a decision' in words
    for call in (first, denied):
        assert reverse("review", args=[call.id]) in shown
    assert reverse("agent", args=[world.agent.agent_id]) in shown


def test_the_chart_is_told_in_words_too(world: World) -> None:
    call = submit(world, LOW)
    submit(world, HIGH)
    shown = page(signed_in(world, "dave"), call.session_id)
    label = re.search(r'role="img" aria-label="([^"]+)"', shown)
    assert label is not None
    assert label[1].startswith("Scores of the actions 1 to 2: between 0.1")
    assert "and 0.720, the highest at action 2, HIGH." in label[1]
    assert shown.count('class="chart-threshold"') == 3


def test_a_closed_session_and_an_empty_one(world: World) -> None:
    view = sessions.create(principal=world.agent, name="empty", idempotency=None, now=utcnow())
    client = signed_in(world, "bob")
    assert "What the agent submits in it will stand here." in words_of(page(client, view.id))
    sessions.close(principal=world.agent, session_id=view.id, now=utcnow())
    words = words_of(page(client, view.id))
    assert "closed just now." in words
    assert "It was closed before a first action." in words


def test_a_long_run_is_read_from_its_end_fifty_at_a_time(world: World) -> None:
    calls = [submit(world, {**LOW, "args": [number]}) for number in range(53)]
    client = signed_in(world, "bob")
    last = page(client, calls[0].session_id)
    assert re.findall(r"get_users\((\d+)\)", words_of(last)) == [str(number) for number in range(3, 53)]
    assert "Scores, actions 4 to 53" in words_of(last)
    before = re.search(r'\?before=([^"]+)"', last)
    assert before is not None
    first = page(client, calls[0].session_id, before=before[1])
    assert re.findall(r"get_users\((\d+)\)", words_of(first)) == ["0", "1", "2"]
    assert "Scores, actions 1 to 3" in words_of(first)
    assert "The last actions" in words_of(first)
    assert "?before=" not in first


def test_a_damaged_page_link_is_said(world: World) -> None:
    path = reverse("session", args=[submit(world, LOW).session_id])
    assert signed_in(world, "bob").get(path, {"before": "nonsense"}).status_code == 422


def test_for_another_team_it_is_not_there(world: World) -> None:
    path = reverse("session", args=[submit(world, LOW).session_id])
    eve = signed_in(world, "eve")
    assert eve.get(path).status_code == 404
    assert eve.get(reverse("session", args=[uuid4()])).status_code == 404
    assert Client().get(path).status_code == 302
    assert eve.post(path).status_code == 405


def test_who_voted_stays_hidden_until_it_is_decided(world: World) -> None:
    call = submit(world, CRITICAL)
    approve(world.bob, call)
    for reader in ("alice", "carol", "dave"):
        words = words_of(page(signed_in(world, reader), call.session_id))
        assert "Bob Okafor" not in words
        assert "pending 1 of 2 approvals" in words
    approve(world.carol, call)
    assert "approved by Bob Okafor and Carol Weber" in words_of(
        page(signed_in(world, "dave"), call.session_id)
    )


def test_a_secret_stays_masked(world: World) -> None:
    call = submit(world, {**HIGH, "kwargs": {"api_token": "tok-9f8e7d6c5b4a"}})
    shown = page(signed_in(world, "bob"), call.session_id)
    assert "tok-9f8e" not in shown
    assert "••••" in shown


def test_the_review_the_history_and_the_agent_lead_here(world: World) -> None:
    call = submit(world, HIGH)
    path = reverse("session", args=[call.session_id])
    client = signed_in(world, "bob")
    for address in (
        reverse("review", args=[call.id]),
        "/history",
        reverse("agent", args=[call.agent_id]),
    ):
        assert f'href="{path}"' in client.get(address).content.decode(), address


def test_the_page_takes_few_queries_however_long_the_run_is(
    world: World, django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        call = submit(world, {**HIGH, "args": [number]})
        approvals.deny(member=world.bob, call_id=call.id)
    client = signed_in(world, "bob")
    with django_assert_max_num_queries(15):
        page(client, call.session_id)


# ------------------------------------------------------------------ words and the chart


def line(status: Status, **more: Any) -> CallLine:
    values: dict[str, Any] = {
        "id": uuid4(),
        "created_at": datetime(2026, 11, 20, 12, tzinfo=UTC),
        "signature": "f()",
        "level": Level.HIGH,
        "score": 720_000,
        "reason_code": None,
        "decide_by": datetime(2026, 11, 20, 12, tzinfo=UTC) + timedelta(hours=1),
        "approvals": 0,
        "seats": 1,
        "approved_by": "",
        "ended_by": "",
        "withdrawn_by_agent": False,
    }
    return CallLine(status=status, **(values | more))


@pytest.mark.parametrize("status", Status)
def test_every_status_is_told(status: Status) -> None:
    told = run_lines.became(line(status))
    assert told.word
    assert told.how


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (line(Status.DENIED, reason_code=ReasonCode.REFUSED_BY_RULE), "denied by a rule"),
        (line(Status.RETURNED, ended_by="Bob"), "sent back by Bob"),
        (
            line(Status.CANCELLED, ended_by="support-copilot", withdrawn_by_agent=True),
            "withdrawn by the agent",
        ),
        (line(Status.CANCELLED, ended_by="Alice"), "withdrawn by Alice"),
        (line(Status.EXPIRED, reason_code=ReasonCode.EXPIRED_UNDECIDED), "expired nobody decided in time"),
        (
            line(Status.EXPIRED, reason_code=ReasonCode.EXPIRED_UNCLAIMED, approved_by="Bob"),
            "expired approved by Bob, not claimed in time",
        ),
        (line(Status.UNKNOWN), "unknown approved at once, never reported"),
        (line(Status.PENDING, seats=2, approvals=1), "pending 1 of 2 approvals"),
    ],
)
def test_what_became_of_an_action_is_said_in_a_few_words(told: CallLine, words: str) -> None:
    became = run_lines.became(told)
    assert f"{became.word} {became.how}" == words


def test_the_chart_has_a_mark_for_every_action_and_joins_them() -> None:
    scores = (0, 500_000, 1_000_000)
    rows = run_lines.rows([line(Status.PENDING, score=score) for score in scores], first=7)
    chart = run_lines.chart(rows, BALANCED.thresholds)
    assert [float(point.y) for point in chart.points] == [156, 84, 12]
    assert [point.x for point in chart.points] == ["16.67%", "50.00%", "83.33%"]
    assert chart.points[0].joined is None
    assert chart.points[2].joined == (chart.points[1].x, chart.points[1].y)
    assert [(mark.level, mark.label) for mark in chart.thresholds] == [
        ("MEDIUM", "0.3"), ("HIGH", "0.6"), ("CRITICAL", "0.8"),
    ]  # fmt: skip
    assert chart.ends == (("16.67%", "7"), ("83.33%", "9"))


def test_the_chart_of_one_action() -> None:
    chart = run_lines.chart(run_lines.rows([line(Status.PENDING)]), ())
    assert chart.said == "The score of action 1: 0.720, HIGH."
    assert chart.ends == (("50.00%", "1"),)
