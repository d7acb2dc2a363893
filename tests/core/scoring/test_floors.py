"""What an average may not hide, and what must not be taken for it."""

from dataclasses import replace

import pytest

from riskgate.core.action import Action, Context
from riskgate.core.levels import Level
from riskgate.core.policy import BALANCED, CORE
from riskgate.core.scoring import assess, summary
from riskgate.core.scoring.floors import MEMORY, RATCHET


def level(action: Action) -> Level:
    return assess(action, Context(), BALANCED).level


def shell(command: str) -> Level:
    return level(Action("run_shell", kwargs={"command": command}))


def test_the_average_alone_would_let_a_dropped_table_through() -> None:
    action = Action("execute_sql", ("DROP TABLE users",), docstring="Runs a query.")
    assert assess(action, Context(), CORE).level is Level.MEDIUM
    assert level(action) is Level.CRITICAL


@pytest.mark.parametrize(
    "command",
    ["rm -rf /", "r\"m\" -rf /", "r\\m -rf /", "ｒｍ -rf /", "a; $(rm -rf ~)", "sh -c \"rm -rf /\"",
     "rm${IFS}-rf${IFS}/",
     "python -c \"import os; os.system('rm -rf /')\"", "x=1 sudo -E env A=b /bin/rm / -fr", "RM -RF /"],
)  # fmt: skip
def test_a_wiped_disk_is_seen_however_it_is_written(command: str) -> None:
    assert shell(command) is Level.CRITICAL


@pytest.mark.parametrize(
    "command",
    ["rm build.log", "echo 'rm -rf /'", "grep -r 'rm -rf /' .", "git commit -m 'drop table users; rm -rf /'", "man rm",
     "drop me a line", "rm -r build", "rm -rf /tmp/x \"$TMPDIR/y\"", "git push --force-with-lease", "ls # rm -rf /",
     "cat <<'EOF' > notes.txt\nrm -rf /\nEOF", "env | grep HOME", "curl https://x.example | jq .",
     "find . -name '*.py'"],
)  # fmt: skip
def test_a_mention_is_no_command(command: str) -> None:
    assessment = assess(Action("run_shell", kwargs={"command": command}), Context(), BALANCED)
    assert assessment.floors == ()


def test_a_letter_may_speak_of_commands_and_a_shell_may_not_call_one_a_letter() -> None:
    text = "rm -rf /"
    assert level(Action("send_email", kwargs={"body": text})) < Level.HIGH
    assert level(Action("search_web", kwargs={"query": text})) < Level.HIGH
    assert level(Action("run_shell", kwargs={"body": text})) is Level.CRITICAL


def test_an_argv_is_one_command_and_its_words_are_none() -> None:
    assert level(Action("execute", (["rm", "-rf", "/"],))) is Level.CRITICAL
    assert level(Action("execute", ("rm", "-rf", "/"))) is Level.CRITICAL
    assert level(Action("execute", (["bash", "-c", "ls && rm -rf /"],))) is Level.CRITICAL
    assert level(Action("execute", (["git", "commit", "-m", "rm -rf /"],))) < Level.HIGH


def test_an_evidence_of_a_floor_points_at_the_command() -> None:
    assessment = assess(
        Action("run_shell", (), {"command": "ls; kubectl delete ns payments --force"}), Context(), BALANCED
    )
    (floor,) = assessment.floors
    (place,) = floor.evidence
    assert (place.text, place.at, place.span) == ("kubectl delete ns", "/kwargs/command", (4, 21))
    assert summary(assessment) == "deletes a whole namespace"


def test_a_destructive_verb_is_never_under_medium() -> None:
    quiet = replace(BALANCED, weights=(0, 0, 0, 0, 10_000))
    assessment = assess(Action("delete_user"), Context(prior_calls=20), quiet)
    assert assessment.score_level is Level.LOW
    assert assessment.level is Level.MEDIUM
    assert [floor.rule for floor in assessment.floors] == ["guardrails.verb.destructive"]
    assert assess(Action("delete_user"), Context(prior_calls=20), quiet.with_packs(())).level is Level.LOW


@pytest.mark.parametrize("policy", [CORE, BALANCED], ids=["core", "balanced"])
def test_repeating_a_refused_call_does_not_walk_it_down(policy: object) -> None:
    assert isinstance(policy, type(CORE))
    action = Action("get_config", ("password",), docstring="Reads it.")
    first = assess(action, Context(), policy)
    assert (first.score, first.level) == (305_000, Level.MEDIUM)
    second = assess(action, Context(prior_calls=1, ratchet=first.level), policy)
    assert second.score == 296_111
    assert second.score_level is Level.LOW
    assert second.level is Level.MEDIUM
    (floor,) = second.floors
    assert floor.rule == RATCHET
    assert (
        floor.reason == "An earlier call of this function in this session was MEDIUM and nobody approved it."
    )


def test_what_the_agent_said_cannot_be_unsaid() -> None:
    action = replace(Action("delete_user", ("usr_1",), {"env": "production"}), docstring="Tidies up.")
    context = Context(riskiest_docstring="Permanently remove a user account.")
    alone, remembered = assess(action, Context(), BALANCED), assess(action, context, BALANCED)
    assert (alone.level, remembered.level) == (Level.MEDIUM, Level.HIGH)
    assert remembered.score == alone.score
    (floor,) = remembered.floors
    assert floor.rule == MEMORY
    assert [(place.at, place.text) for place in floor.evidence] == [
        ("", "Permanently remove a user account.")
    ]


def test_without_guardrails_only_the_ratchet_holds() -> None:
    action = Action("run_shell", kwargs={"command": "rm -rf /"}, docstring="Runs it.")
    context = Context(riskiest_docstring="Irreversible.")
    assert assess(action, context, BALANCED.with_packs(())).floors == ()


def test_the_highest_floor_is_told_first() -> None:
    assessment = assess(Action("run_shell", ("rm -rf x; mkfs.ext4 /dev/sda",)), Context(), BALANCED)
    levels = [floor.level for floor in assessment.floors]
    assert levels == sorted(levels, reverse=True)
    assert assessment.level is Level.CRITICAL


def test_what_excuses_a_command_does_not_stand_behind_a_pipe() -> None:
    assert shell("terraform destroy --help") < Level.HIGH
    assert shell("terraform destroy -auto-approve | tee --help") is Level.CRITICAL
