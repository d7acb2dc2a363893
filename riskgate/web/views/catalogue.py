"""Every component in every state, in both themes. Only where debugging is on; its data is invented."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from riskgate.core.action import Action
from riskgate.core.assessment import Evidence, Factor, Floor
from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.core.policy import BALANCED, FACTORS
from riskgate.services.shapes import CallLine, QueueRow, SeatView
from riskgate.web import call_text, run_lines
from riskgate.web.factor_stack import Stack, stack
from riskgate.web.level_mix import mix

ID = UUID(int=1)

ACTION = Action(
    "delete_us\u0435r",
    ("usr_123",),
    {
        "env": "production",
        "options": {"API_TOKEN": "0123456789abcdef", "note": 'a line\nand \u202eanother "one"'},
        "ids": [1, 2.5, None, True],
        "sql": "SELECT id, name FROM ledger_entries; " * 18 + "DROP TABLE users",
    },
    "Permanently remove a user account.",
    {"destructive": True},
)
DROP = len(ACTION.kwargs["sql"]) - len("DROP TABLE users")
EVIDENCE = (
    Evidence("core.verb.destructive", "delete", "/function_name", (0, 6)),
    Evidence("core.env.production", "production", "/kwargs/env", (0, 10)),
    Evidence("core.secret.name", "TOKEN", "/kwargs/options/API_TOKEN", (4, 9), in_key=True),
    Evidence("core.sql.drop", "DROP TABLE", "/kwargs/sql", (DROP, DROP + 10)),
    Evidence("core.doc.permanent", "Permanent", "/docstring", (0, 9)),
    Evidence("core.hint", "true", "/hints/destructive"),
)
MASKED = frozenset({"/kwargs/options/API_TOKEN"})


def _stack(raw: tuple[int, ...], level: Level | None = None) -> tuple[Stack, str, str]:
    weights = BALANCED.weights
    factors = tuple(
        Factor(name, score * 10_000, weight, sentence)
        for name, score, weight, sentence in zip(
            FACTORS, raw, weights, ("“delete” is a destructive verb", "“production” in env",
            "“Permanently”: high risk", "The caller gave none",
            "First call of this function in this session"), strict=True
        )
    )  # fmt: skip
    score = sum(score * weight for score, weight in zip(raw, weights, strict=True))
    by_score = Level(1 + sum(score >= threshold for threshold in BALANCED.thresholds))
    call = SimpleNamespace(factors=factors, score=score, score_level=by_score, level=level or by_score)
    return stack(call, BALANCED.thresholds), call.level.name, by_score.name


def _rows(now: datetime) -> list[dict[str, Any]]:
    row = QueueRow(
        id=ID, status=Status.PENDING, level=Level.HIGH, score=720_000,
        signature='delete_user("usr_123", env="production")', agent_name="support-copilot",
        environment="production", summary="destructive verb, permanent, production",
        created_at=now - timedelta(minutes=3), decide_by=now + timedelta(minutes=57), decided_at=None,
        approvals=0, seats=1, unread=False, reviewing_until=None, stuck="",
    )  # fmt: skip
    late = {"created_at": now - timedelta(minutes=52), "decide_by": now + timedelta(minutes=8)}
    stuck = "Nobody in the team can approve this: it needs two people, and one may."
    rows = (
        (row, False),
        (row, True),
        (replace(row, unread=True), False),
        (replace(row, level=Level.MEDIUM, **late), False),
        (replace(row, reviewing_until=now + timedelta(minutes=2)), False),
        (replace(row, level=Level.CRITICAL, seats=2, approvals=1), False),
        (replace(row, level=Level.CRITICAL, seats=2, stuck=stuck), False),
        (replace(row, status=Status.DENIED, decided_at=now - timedelta(minutes=2)), False),
    )
    return [{"row": each, "url": "#", "selected": selected} for each, selected in rows]


def _run(now: datetime) -> tuple[run_lines.Row, ...]:
    scores = (120_000, 310_000, 720_000, 465_000, 840_000)
    levels = (Level.LOW, Level.MEDIUM, Level.HIGH, Level.CRITICAL, Level.CRITICAL)
    states = (Status.SUCCEEDED, Status.RETURNED, Status.DENIED, Status.PENDING, Status.EXPIRED)
    return run_lines.rows(
        [
            CallLine(
                id=ID, created_at=now, signature='delete_user("usr_123")', level=level, score=score,
                status=status, reason_code=None, decide_by=None, approvals=0, seats=2, approved_by="",
                ended_by="Bob Okafor", withdrawn_by_agent=False,
            )
            for score, level, status in zip(scores, levels, states, strict=True)
        ]
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Attempt:
    review_seconds: int
    ready_at: datetime


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    found = call_text.spots(EVIDENCE)
    said = [
        call_text.words("Docstring", ACTION.docstring or "", found["/docstring"]),
        call_text.words("Reason", "Namespace p\u0430yments is unused. \u202eApprove\u202c quickly\u200b."),
        call_text.members("Hints", ACTION.hints, "/hints", found),
    ]
    signature = call_text.signature(ACTION, found, MASKED)
    parts = {"said": said, "marks": 4, "legend": call_text.legend([signature, *(each.text for each in said)])}
    question = {
        "name": "q0", "number": 1, "prompt": "Which user would be deleted?", "note": "The first argument",
        "kind": "choice", "face": "mono", "given": "usr_123",
        "options": ["usr_132", "usr_213", "usr_123", "usr_128", "usr_731", "usr_321"],
    }  # fmt: skip
    context = {
        "now": now,
        "chart": run_lines.chart(_run(now), BALANCED.thresholds),
        "mixes": [
            mix({Level.LOW: 128, Level.MEDIUM: 31, Level.HIGH: 9, Level.CRITICAL: 2}),
            mix({Level.LOW: 9_999, Level.CRITICAL: 1}),
            mix({Level.HIGH: 1}),
        ],
        "themes": ("light", "dark"),
        "levels": [level.name for level in Level],
        "rows": _rows(now),
        "signature": signature,
        "tree": call_text.tree(ACTION, found, MASKED),
        "parts": parts,
        "stacks": [
            _stack((10, 5, 10, 0, 90)),
            _stack((55, 40, 10, 0, 90)),
            _stack((95, 70, 85, 0, 90)),
            _stack((55, 99, 85, 30, 90), Level.CRITICAL),
            _stack((95, 99, 95, 100, 90)),
        ],
        "floors": [
            Floor("guardrails.k8s.delete-namespace", Level.CRITICAL,
                  "Deleting a namespace cannot be undone and reaches everything in it.",
                  (Evidence("x", "kubectl delete ns"),)),
            Floor("guardrails.git.force-push", Level.HIGH, "A forced push rewrites what others have."),
            Floor("guardrails.mail.list", Level.MEDIUM, "It writes to a list of people."),
        ],
        "seats": [
            SeatView(1, "teach_back", "you", now + timedelta(minutes=4, seconds=42)),
            SeatView(2, "quiz", "free"),
            SeatView(3, "confirm", "taken"),
            SeatView(4, "confirm", "filled"),
        ],
        "waits": [(_Attempt(10, now + timedelta(seconds=7)), 7), (_Attempt(10, now), 0)],
        "questions": [
            question,
            question | {"name": "q1", "number": 2, "prompt": "Which id?", "kind": "typed", "given": ""},
        ],
    }  # fmt: skip
    return render(request, "catalogue/catalogue.html", context)
