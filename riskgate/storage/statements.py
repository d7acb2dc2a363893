"""The hot path's SQL: prepared statements on Django's own connection, in its transaction.

The ORM writes a submission in a dozen statements, each built, bound and planned anew; here rows go as one JSON text
into one prepared statement, for a single call and for a thousand alike.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

import msgspec
import psycopg
from django.db import connection, models

Row: TypeAlias = Mapping[str, Any]

_encode = msgspec.json.Encoder().encode


def fetch(statement: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Runs a statement and answers its rows. Raises django.db's errors; must not be given text from outside."""
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    if connection.queries_logged:
        connection.queries_log.append({"sql": statement, "time": "0"})
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(statement, parameters, prepare=True)
        return cursor.fetchall() if cursor.description else []


Batch: TypeAlias = tuple[type[models.Model], Sequence[Row]]
"""New rows of one table."""


def insert(*batches: Batch) -> None:
    """Inserts rows of several tables in one statement, which sees all of them at once.

    A row has every column of its table but a generated key; values of ExactJSONField are given as its JSON text.
    """
    statement = _insertion(tuple(model for model, _ in batches))
    fetch(statement, [_encode(rows).decode() for _, rows in batches])


@cache
def _insertion(tables: tuple[type[models.Model], ...]) -> str:
    parts = [_insert_one(model) for model in tables]
    before = ", ".join(f"part{number} AS ({part})" for number, part in enumerate(parts[:-1]))
    return f"WITH {before} {parts[-1]}" if before else parts[-1]


def _insert_one(model: type[models.Model]) -> str:
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    columns = ", ".join(str(field.column) for field in fields)
    typed = ", ".join(f"{field.column} {_type(field)}" for field in fields)
    return (
        f"INSERT INTO {model._meta.db_table} ({columns}) "
        f"SELECT {columns} FROM json_to_recordset(%s::json) AS given({typed})"
    )


def _type(field: Any) -> str:
    kind = field.rel_db_type(connection) if field.is_relation else field.db_type(connection)
    return str(kind)
