"""What a call does, in words: the right one is true, and the wrong ones are clearly false."""

import pytest

from riskgate.core.challenges import effects
from riskgate.core.challenges.text import spelled
from riskgate.core.challenges.values import leaf


def effect_of(name):
    found = effects.of_name(spelled(name))
    return found.answer if found else None


def effect_in(text):
    found = effects.of_value(leaf("/kwargs/text", "text", text))
    return found.answer if found else None


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("delete_user", "It is removed for good"),
        ("deleteUsers", "They are removed for good"),
        ("purge_queue", "It is removed for good"),
        ("user_delete", "It is removed for good"),
        ("get_deleted_users", "They are read, not changed"),
        ("send_delete_confirmation", "It is sent to somebody"),
        ("update_address", "It is given new values"),
        ("transfer_funds", "It goes to another account"),
        ("refund_payment", "It goes back to the payer"),
        ("rotate_api_key", "It is exchanged for new"),
        ("disable_backups", "They are stopped, disabled"),
    ],
)
def test_a_name_says_what_is_done(name, answer):
    assert effect_of(name) == answer


@pytest.mark.parametrize(
    "name",
    [
        "frobnicate",
        "find_and_delete",
        "create_or_update_user",
        "soft_delete_user",
        "transfer_ownership",
        "",
        "user",
    ],
)
def test_a_name_that_is_not_sure_asks_for_no_effect(name):
    assert effect_of(name) is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("DELETE FROM users WHERE id = 1", "It removes table rows"),
        ("drop table users", "It removes a whole table"),
        ("TRUNCATE payments;", "It empties a whole table"),
        ("SELECT name FROM users", "It only reads rows"),
        ("sudo rm -rf /srv/x", "It removes some files"),
        ("kubectl delete ns prod", "It deletes cloud objects"),
        ("git push origin main", "It uploads new commits"),
    ],
)
def test_a_statement_or_command_says_what_it_does(text, answer):
    assert effect_in(text) == answer


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1; DROP TABLE users",
        "SELECT * INTO copy FROM users",
        "SELECT pg_terminate_backend(7) FROM users",
        "WITH gone AS (DELETE FROM users) SELECT * FROM gone",
        "rm a.txt && curl example.com",
        "ls $(rm -rf x)",
        "cat a > b",
        "git push origin --delete main",
        "git push origin :main",
        "kubectl delete ns prod --dry-run=client",
        "python tidy.py",
    ],
)
def test_several_commands_or_one_that_is_not_sure_ask_for_no_effect(text):
    assert effect_in(text) is None


@pytest.mark.parametrize("table", [effects.THING, effects.MONEY, effects.STATEMENT, effects.COMMAND])
def test_the_effects_of_a_table_are_of_one_length_and_each_has_enough_others(table):
    lengths = [len(text) for text in table.values()]
    assert max(lengths) - min(lengths) <= 6
    assert len(set(table.values())) == len(table)


@pytest.mark.parametrize("verb", sorted(effects.VERBS))
def test_every_verb_has_five_wrong_effects_at_least(verb):
    found = effects.of_name([verb, "payment"])
    assert found is not None
    assert len(set(found.wrong)) >= 5
    assert found.answer not in found.wrong
