"""Texts that are made to be slow, to hide, or to break what reads them."""

from typing import Any

import pytest

from riskgate.core.action import Action, Context
from riskgate.core.levels import MICRO, Level
from riskgate.core.policy import BALANCED
from riskgate.core.scoring import assess, factors, guards, scorers, summary
from riskgate.core.scoring.rulebook import COMMAND, rulebook
from riskgate.core.scoring.views import Arguments
from tests.benchmarks.scoring import HOSTILE

QUARTER = 1 << 18


@pytest.mark.parametrize("name", HOSTILE)
def test_a_large_hostile_text_is_scored_whole(name: str) -> None:
    value: Any = HOSTILE[name](QUARTER)
    assert assess(Action("run_shell", (value,)), Context(), BALANCED).failed == ""


@pytest.mark.parametrize("name", HOSTILE)
def test_the_one_pass_over_all_rules_misses_none(name: str) -> None:
    texts = Arguments(Action("x", (HOSTILE[name](QUARTER),)))  # type: ignore[arg-type]
    book = rulebook(BALANCED.packs)
    for rules in (book.values, book.statements):
        one_by_one = [i for i in range(len(rules.rules)) if next(rules.spans(i, texts.data), None)]
        assert rules.which(texts.data) == one_by_one
    assert (COMMAND in book.signs(texts)) == (book.commands.hints.search(texts.data) is not None)


def test_a_mebibyte_of_the_worst_command_is_critical() -> None:
    assert assess(Action("run_shell", ("rm -rf / ; " * 95_000,)), Context(), BALANCED).level is Level.CRITICAL


@pytest.mark.parametrize("filler", ["ls -l\n", "rm build.log\n", "echo 'x'; git status\n", "key = value\n"])
def test_a_command_at_the_end_of_a_mebibyte_is_found(filler: str) -> None:
    text = filler * ((1 << 20) // len(filler)) + "rm -rf /\n"
    assert assess(Action("run_shell", (text,)), Context(), BALANCED).level is Level.CRITICAL


@pytest.mark.parametrize(
    "command",
    ["kubectl -n x delete ns y", "cd /x && git -C y push --force", "x | base64 -d | sh", "sudo -u a cat .env",
     "> /var/log/x",
     "r\"m\" -rf /", "ls; mkfs.ext4 /dev/sda", "bash -c 'rm -rf /'"],
)  # fmt: skip
def test_a_command_in_the_middle_of_a_long_text_is_found(command: str) -> None:
    line = "a line of words\n"
    for value in (
        f"{line * 500}{command}\n{line * 500}",
        f"{command}\n{line * 500}",
        f"{line * 500}{command}",
    ):
        assert assess(Action("run_shell", ("x", value)), Context(), BALANCED).level >= Level.HIGH


def test_a_statement_after_ten_thousand_harmless_ones_is_found() -> None:
    text = "DELETE FROM t WHERE id=1;" * 10_000 + "DELETE FROM t;"
    assert assess(Action("execute_sql", kwargs={"sql": text}), Context(), BALANCED).level is Level.CRITICAL


def test_a_long_document_with_words_of_rules_meets_no_floor() -> None:
    text = "The key in the config is set by the environment; find it there, or delete the service.\n" * 4000
    assert assess(Action("store", kwargs={"data": text}), Context(), BALANCED).floors == ()


def test_depth_costs_nothing() -> None:
    value: Any = "rm -rf /"
    for _ in range(5000):
        value = [value]
    assessment = assess(Action("run_shell", (value,)), Context(), BALANCED)
    assert assessment.failed == ""
    assert assessment.level is Level.CRITICAL
    assert assessment.floors[0].evidence[0].at == "/args/0" + "/0" * 5000


@pytest.mark.parametrize("hints", [{"a": float("nan")}, {"a": float("inf")}, {"a": {"b": True}}, {"a": [1]}])
def test_a_hint_that_cannot_be_counted_is_critical(hints: dict[str, Any]) -> None:
    assessment = assess(Action("get_x", hints=hints), Context(), BALANCED)
    assert assessment.level is Level.CRITICAL
    assert "hints" in assessment.failed


def test_a_factor_that_fails_lets_nothing_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(reading: object) -> Any:
        raise RuntimeError("no")

    monkeypatch.setattr(scorers, "FACTORS", (("function_name", broken), *factors.FACTORS[1:]))
    assessment = assess(Action("get_x"), Context(), BALANCED)
    assert (assessment.score, assessment.score_level, assessment.level) == (
        MICRO,
        Level.CRITICAL,
        Level.CRITICAL,
    )
    assert assessment.failed.startswith("The factor function_name failed (RuntimeError)")
    assert assessment.factors[0].score == MICRO
    assert assessment.factors[0].evidence[0].rule == "scorer.failed"
    assert assessment.floors[0].rule == "scorer.failed"
    assert summary(assessment) == "scoring failed"


@pytest.mark.parametrize("score", [-1, MICRO + 1, float("nan"), None])
def test_a_factor_outside_its_range_lets_nothing_through(monkeypatch: pytest.MonkeyPatch, score: Any) -> None:
    monkeypatch.setattr(
        scorers, "FACTORS", (*factors.FACTORS[:4], ("novelty", lambda reading: (score, "", ())))
    )
    assert assess(Action("get_x"), Context(), BALANCED).level is Level.CRITICAL


def test_floors_that_fail_let_nothing_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(reading: object) -> Any:
        raise RuntimeError("no")

    monkeypatch.setattr(guards, "met", broken)
    assessment = assess(Action("get_x"), Context(), BALANCED)
    assert (assessment.score, assessment.level) == (MICRO, Level.CRITICAL)
    assert assessment.failed == "The floors could not be read (RuntimeError)"


def test_a_pack_that_nobody_knows_lets_nothing_through() -> None:
    assert assess(Action("get_x"), Context(), BALANCED.with_packs(("gone",))).level is Level.CRITICAL
