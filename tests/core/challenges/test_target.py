"""Typing the target, as the call names it."""

import random

import pytest

from riskgate.core.challenges import Paper, build, grade
from riskgate.core.challenges.naming import names
from riskgate.core.challenges.operands import of_command, of_statement

from .calls import CALLS, DELETE_USER, call, subject_of


def paper_of(sample, kind="confirm", type_target=True, asked=()):
    return build(kind, subject_of(sample), [], random.Random(1), asked, type_target=type_target)


def target_of(sample):
    return paper_of(sample).questions[-1]


@pytest.mark.parametrize(
    ("sample", "prompt", "answer"),
    [
        (
            call("run_shell", command="kubectl delete ns payments --force", cluster="prod-eu-1"),
            "Type the target, as `command` names it",
            "payments",
        ),
        (call("execute_sql", "DROP TABLE users"), "Type the target, as the first argument names it", "users"),
        (DELETE_USER, "Type the target, as the first argument names it", "usr_123"),
        (
            call("transfer_funds", from_account="acct_1", to_account="acct_2", amount=5),
            "Type the target, as `to_account` names it",
            "acct_2",
        ),
        (call("set_limit", amount=12.5), "Type the target, as `amount` names it", "12.5"),
        (
            call("delete_namespace", cluster="prod", namespace="payments"),
            "Type the target, as `namespace` names it",
            "payments",
        ),
        (
            call("terminate_instances", instance_ids=["i-1", "i-2"]),
            "Type the target, as `instance_ids` names it",
            "i-1",
        ),
        (
            call("run_shell", command="terraform destroy -auto-approve"),
            "Type the whole command, as `command` holds it",
            "terraform destroy -auto-approve",
        ),
        (call("ping"), "Type the name of the function", "ping"),
        (call("delete_user", "usr\u200b_1"), "Type the name of the function", "delete_user"),
        (call("delete_user", "x" * 81), "Type the name of the function", "delete_user"),
    ],
)
def test_the_target_is_what_the_call_acts_on(sample, prompt, answer):
    question = target_of(sample)
    assert (question.prompt, question.answer) == (prompt, answer)
    assert (question.kind, question.options, question.subject) == ("typed", (), "target")


def test_a_masked_target_is_not_asked():
    sample = call("revoke_token", token="tok_12345", masked=["token"])
    assert target_of(sample).answer == "revoke_token"


def test_carol_types_the_target_to_confirm():
    paper = paper_of(DELETE_USER)
    assert grade(paper, ["usr_123"]).passed
    assert grade(paper, ["  usr_123 "]).passed
    for typed in ([], ["usr_124"], ["USR_123"], [""], ["usr_123", "usr_123"]):
        verdict = grade(paper, typed)
        assert not verdict.passed
        assert verdict.why
        assert "usr_123" not in verdict.why


def test_an_accent_may_be_composed_or_not():
    paper = paper_of(call("delete_user", "jos\u00e9"))
    assert grade(paper, ["jose\u0301"]).passed
    assert not grade(paper, ["jose"]).passed


@pytest.mark.parametrize("sample", CALLS, ids=lambda sample: sample.action.function_name)
def test_a_quiz_with_a_target_is_the_same_quiz_and_one_question_more(sample):
    plain, typed = paper_of(sample, "quiz", type_target=False), paper_of(sample, "quiz")
    assert typed.questions[:-1] == plain.questions
    right = [question.answer for question in typed.questions]
    assert grade(typed, right).passed
    assert not grade(typed, [*right[:-1], "something else"]).passed
    assert not grade(typed, right[:-1]).passed
    assert not grade(plain, right).passed
    again = paper_of(sample, "quiz", asked=(typed,))
    assert again.questions[:-1] == paper_of(sample, "quiz", type_target=False, asked=(plain,)).questions


def test_a_target_question_comes_back_from_the_database():
    paper = paper_of(DELETE_USER, "quiz")
    assert Paper.from_json(paper.as_json()) == paper


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("rm -rf /srv/a /srv/b", ["/srv/a", "/srv/b"]),
        ("sudo chmod -R 777 /var/www", ["/var/www"]),
        ("git push --force origin +HEAD:refs/heads/main", ["main"]),
        ("kubectl -n shop delete pod/web-1", ["web-1"]),
        ("kubectl delete pods --all -n shop", ["shop"]),
        ("aws rds delete-db-instance --db-instance-identifier orders --region eu-west-1", ["orders"]),
        ("dd if=/dev/zero of=/dev/sda", ["/dev/sda"]),
        ("FOO=1 sudo -E systemctl stop auditd", ["auditd"]),
        ("psql -c 'DROP TABLE users'", ["users"]),
        ("helm uninstall checkout > /dev/null", ["checkout"]),
        ("kubectl delete ns backup", ["backup"]),
        ("kubectl rollout restart deployment web", ["web"]),
        ("service nginx stop", ["nginx"]),
        ("> /var/log/auth.log", ["/var/log/auth.log"]),
        ("cat image 2>/dev/null > /dev/sdb", ["/dev/sdb"]),
        ("gcloud sql instances delete orders --project shop", ["orders"]),
        ("terraform destroy", []),
        ("echo 'unbalanced", ["'unbalanced"]),
        ("", []),
    ],
)
def test_a_command_acts_on_what_is_neither_verb_nor_option(command, found):
    what, where = of_command(command)
    assert (what or where) == found


def test_the_step_of_a_command_that_raised_the_score_is_read():
    text = "cd /srv && rm -rf releases; echo done"
    assert of_command(text, text.index("rm"))[0] == ["releases"]
    assert of_command(text)[0] == ["/srv"]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ('DELETE FROM "public"."orders" WHERE id = 1', ["public.orders"]),
        ("drop table if exists a.b, c", ["a.b", "c"]),
        ("UPDATE accounts SET x = (SELECT 1 FROM rates)", ["accounts"]),
        ("SELECT * FROM users u JOIN orders o ON o.user = u.id", ["users", "orders"]),
        ("DROP DATABASE shop", ["shop"]),
        ("VACUUM", []),
    ],
)
def test_a_statement_acts_on_what_it_changes(statement, found):
    assert of_statement(statement) == found


@pytest.mark.parametrize(
    ("value", "said", "unsaid"),
    [
        ("usr_123", "123", "usr"),
        ("anna.miller@example.com", "anna miller", "example com"),
        ("/srv/app/releases", "releases", "srv"),
        ("48200", "48 200", "482"),
        ("s3://acme-logs/2025", "acme logs", "s3"),
        ("10.20.4.117", "10 20 4 117", "117"),
        ("checkoutWorker", "checkout worker", "worker"),
        ("/", "root", "home"),
        ("public.orders", "orders", "table"),
    ],
)
def test_people_name_a_value_by_the_part_that_tells_it_from_others(value, said, unsaid):
    assert said in names(value)
    assert unsaid not in names(value)
