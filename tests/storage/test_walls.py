"""What the database itself refuses, whoever asks."""

import importlib

import pytest
from django.db import DatabaseError, connection, transaction

from riskgate.core.lifecycle import ALLOWED, Status
from riskgate.services import approvals
from riskgate.storage.models import AuditEvent, Call, FactorScore, Grant, PolicyVersion, User, Vote
from riskgate.storage.models.fields import uuid7
from tests.people import HIGH, World, approve, claim, submit, utcnow

walls = importlib.import_module("riskgate.storage.migrations.0002_walls")


def refused(sql: str, *values: object, why: str = ".") -> None:
    with pytest.raises(DatabaseError, match=why), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values)


def test_the_migration_lists_the_moves_of_the_state_table() -> None:
    in_database = {(source, target) for source, targets in walls.MOVES for target in targets}
    in_core = {(source.value, target.value) for source, target in ALLOWED if source is not None}
    assert in_database == in_core


@pytest.mark.parametrize("source", list(Status))
@pytest.mark.parametrize("target", list(Status))
def test_only_the_moves_of_the_table_are_possible(world: World, source: Status, target: Status) -> None:
    call = submit(world, HIGH)
    times = {"decide_by": utcnow(), "use_by": utcnow(), "outcome_by": utcnow()}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        Call.objects.filter(id=call.id).update(status=source.value, **times)
        cursor.execute("SET LOCAL session_replication_role = origin")
    if source is target or (source, target) in ALLOWED:
        Call.objects.filter(id=call.id).update(status=target.value)
    else:
        refused("UPDATE storage_call SET status = %s WHERE id = %s", target.value, call.id)


def test_history_votes_scores_grants_and_policies_never_change(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    claim(world, call)
    for model in (AuditEvent, FactorScore, Vote, Grant, PolicyVersion):
        assert model.objects.exists()
        refused(f"UPDATE {model._meta.db_table} SET id = id")
        refused(f"DELETE FROM {model._meta.db_table}")
    refused("DELETE FROM storage_call")


@pytest.mark.parametrize("column", walls.FIXED)
def test_what_was_submitted_does_not_change(world: World, column: str) -> None:
    call = submit(world, HIGH)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column}::text FROM storage_call WHERE id = %s", [call.id])
        value = cursor.fetchone()[0]
    other = "x" + value[1:]
    if column == "created_at":
        other = "2001-01-01T00:00:00Z"
    elif column.endswith("_id"):
        other = str(uuid7())
    elif value.isdigit():
        other = str(int(value) + 1)
    refused(f"UPDATE storage_call SET {column} = %s WHERE id = %s", other, call.id, why="what was submitted")


def test_a_second_vote_of_the_same_person_or_seat_is_refused(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    vote = Vote.objects.get()
    columns = "id, call_id, user_id, attempt_id, seat, action_digest, voted_at"
    for changed in ({"user_id": world.carol.user_id}, {"seat": 2}):
        values = {**{name: getattr(vote, name) for name in columns.split(", ")}, **changed}
        values["id"] = call.id
        refused(f"INSERT INTO storage_vote ({columns}) VALUES (%s, %s, %s, %s, %s, %s, %s)", *values.values())


def test_a_second_grant_of_the_same_call_is_refused(world: World) -> None:
    call = submit(world, HIGH)
    approve(world.bob, call)
    claim(world, call)
    refused(
        "INSERT INTO storage_grant (id, call_id, issued_at, expires_at) VALUES (%s, %s, now(), now())",
        call.id,
        call.id,
    )


def test_an_address_is_kept_in_lower_case_and_once(world: World) -> None:
    refused("UPDATE storage_user SET email = 'Bob@Example.com' WHERE id = %s", world.bob.user_id)
    assert User.objects.get_by_natural_key("BOB@example.com").id == world.bob.user_id


def test_a_level_never_stands_under_its_score_or_floor(world: World) -> None:
    call = submit(world, HIGH)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
    refused("UPDATE storage_call SET level = 1 WHERE id = %s", call.id)
    refused("UPDATE storage_call SET floor_level = 4 WHERE id = %s", call.id)
    refused("UPDATE storage_call SET score = 1000001 WHERE id = %s", call.id)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_a_denied_call_stays_denied(world: World) -> None:
    call = submit(world, HIGH)
    approvals.deny(member=world.bob, call_id=call.id)
    refused("UPDATE storage_call SET status = 'approved' WHERE id = %s", call.id)
