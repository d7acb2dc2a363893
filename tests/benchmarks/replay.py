"""What one request wrote, seen in the database itself, and the same rows written anew without riskgate.

PostgreSQL notes in every row which transaction wrote it. So the rows of a request are read back whole, whatever the
code that wrote them looks like, and can be written again under fresh ids: by one prepared statement, or by COPY.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import psycopg
from uuid_utils.compat import uuid7

Text = str | None
"""A column's value as PostgreSQL writes it."""

COUNTED = {
    "storage_functioncount": "ON CONFLICT (session_id, function_name) "
    "DO UPDATE SET calls = storage_functioncount.calls + 1"
}
"""Tables whose rows are there already and only count on. Rows of every other table are new."""


@dataclass(frozen=True)
class Table:
    name: str
    columns: tuple[str, ...]
    """Without those that the database fills by itself."""
    types: tuple[str, ...]
    ids: tuple[int, ...]
    """Where in `columns` the row's own id stands."""


@dataclass(frozen=True)
class Written:
    """The rows of one request, and what it notified."""

    rows: tuple[tuple[Table, tuple[tuple[Text, ...], ...]], ...]
    notes: tuple[str, ...]

    @property
    def shape(self) -> tuple[tuple[str, int], ...]:
        return (*((table.name, len(rows)) for table, rows in self.rows), ("notes", len(self.notes)))

    def fresh(self) -> "Written":
        """The same, under other ids, as if it were asked now."""
        changed: dict[str, str] = {}
        for table, rows in self.rows:
            for row in rows:
                for index in table.ids:
                    changed[str(row[index])] = str(uuid7())
                if table.name == "storage_call":
                    changed[str(row[table.columns.index("created_at")])] = f"{datetime.now(UTC)}"

        def anew(value: Text) -> Text:
            if value is None or len(value) < 20:
                return value
            if value in changed:
                return changed[value]
            for old, new in changed.items():
                if old in value:
                    value = value.replace(old, new)
            return value

        rows = tuple(
            (table, tuple(tuple(anew(each) for each in row) for row in rows)) for table, rows in self.rows
        )
        return Written(rows, tuple(str(anew(note)) for note in self.notes))

    def parameters(self) -> list[Text]:
        """For `statement`."""
        values = [value for _, rows in self.rows for row in rows for value in row]
        return [*values, *self.notes]

    def statement(self) -> str:
        """All of it as one statement."""
        parts = []
        for number, (table, rows) in enumerate(self.rows):
            row = "(" + ", ".join(f"%s::{each}" for each in table.types) + ")"
            parts.append(
                f"t{number} AS (INSERT INTO {table.name} ({', '.join(table.columns)}) "
                f"VALUES {', '.join([row] * len(rows))} {COUNTED.get(table.name, '')})"
            )
        notes = ", ".join(["pg_notify('riskgate', %s::text)"] * len(self.notes)) or "1"
        return f"WITH {', '.join(parts)} SELECT {notes}"

    def copies(self) -> tuple[list[tuple[str, bytes]], list[tuple[str, list[Any]]]]:
        """The new rows as COPY statements with their text, and beside them the statements for what COPY cannot do."""
        copies, others = [], []
        for table, rows in self.rows:
            columns = ", ".join(table.columns)
            if table.name in COUNTED:
                arrays = ", ".join(f"%s::{each}[]" for each in table.types)
                others.append(
                    (
                        f"INSERT INTO {table.name} ({columns}) SELECT * FROM unnest({arrays}) "
                        f"{COUNTED[table.name]}",
                        [list(column) for column in zip(*rows, strict=True)],
                    )
                )
            else:
                text = "".join("\t".join(map(_copied, row)) + "\n" for row in rows)
                copies.append((f"COPY {table.name} ({columns}) FROM STDIN", text.encode()))
        others += [("SELECT pg_notify('riskgate', %s)", [note]) for note in self.notes]
        return copies, others


def _copied(value: Text) -> str:
    if value is None:
        return r"\N"
    return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


class Recorder:
    """Looks at the database before and after a request. Nobody else may write meanwhile."""

    def __init__(self, database: str) -> None:
        self._connection = psycopg.connect(database, autocommit=True)
        self._connection.execute("SET timezone = 'UTC'")
        self._connection.execute("LISTEN riskgate")
        self._tables = self._known_tables()
        self._since = 0

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def begin(self) -> None:
        list(self._connection.notifies(timeout=0))
        row = self._connection.execute("SELECT txid_snapshot_xmax(txid_current_snapshot())").fetchone()
        assert row is not None
        self._since = row[0]

    def written(self) -> Written:
        """What was written since `begin`."""
        found = []
        for table in self._tables:
            columns = ", ".join(f"{each}::text" for each in table.columns)
            rows = self._connection.execute(
                f"SELECT {columns} FROM {table.name} WHERE xmin::text::bigint >= %s ORDER BY ctid",
                [self._since],
            ).fetchall()
            if rows:
                found.append((table, tuple(rows)))
        notes = tuple(each.payload for each in self._connection.notifies(timeout=0))
        return Written(tuple(found), notes)

    def _known_tables(self) -> list[Table]:
        told = self._connection.execute(
            "SELECT c.relname, quote_ident(a.attname), format_type(a.atttypid, NULL), a.attidentity <> '', "
            "a.attnum = ANY(i.indkey) AND a.atttypid = 'uuid'::regtype "
            "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
            "LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary "
            "WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY c.oid, a.attnum"
        ).fetchall()
        names = dict.fromkeys(name for name, *_ in told)
        tables = []
        for name in names:
            columns = [each[1:] for each in told if each[0] == name and not each[3]]
            if columns:
                tables.append(
                    Table(
                        name,
                        tuple(column for column, *_ in columns),
                        tuple(kind for _, kind, *_ in columns),
                        tuple(index for index, (*_, own) in enumerate(columns) if own),
                    )
                )
        return tables


def most_common(found: Sequence[Written]) -> list[Written]:
    """Those that wrote as many rows of each table as most did."""
    shapes = [each.shape for each in found]
    usual = max(set(shapes), key=shapes.count)
    return [each for each in found if each.shape == usual]
