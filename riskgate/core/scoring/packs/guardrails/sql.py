"""Floors for statements that empty or drop what a table, a schema or a database holds."""

from riskgate.core.levels import Level
from riskgate.core.scoring.rules import Part, Rule
from riskgate.core.scoring.structure.sql import GAP, START

NAME = (
    rb"(?:\"[^\"\xff]+\"|`[^`\xff]+`|\[[^\]\xff]+\]|[A-Za-z0-9_$@:{}\xc0\xe0])"
    rb"[A-Za-z0-9_$@:{}.\"`\[\]\xc0\xe0-]*"
)


def sql(text: bytes) -> bytes:
    """A pattern where a blank stands for one or more gaps and NAME for a name."""
    text = text.replace(b" ", rb"%s+" % GAP).replace(b"NAME", NAME)
    return rb"%s(?:%s)*((?i:%s))" % (START, GAP, text)


SQL = (
    Rule(
        id="guardrails.sql.drop-database",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"DROP (?:DATABASE|SCHEMA)(?: IF EXISTS)? NAME")
        + rb"(?:(?:%s)*(?:$|[\xff;,)\"'`]|--)|%s+(?i:CASCADE|RESTRICT|WITH))" % (GAP, GAP),
        floor=Level.CRITICAL,
        sentence="Dropping a database or a schema cannot be undone and takes everything in it.",
        phrase="drops a whole database",
        match=("DROP DATABASE shop", "drop schema if exists app cascade;", "SELECT 1; DROP/**/DATABASE x"),
        no_match=(
            "SELECT 'DROP DATABASE x'",
            "Drop database maintenance from the agenda",
            "CREATE DATABASE x",
        ),
    ),
    Rule(
        id="guardrails.sql.drop-table",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"DROP (?:FOREIGN )?TABLE(?: IF EXISTS)? NAME")
        + rb"(?:(?:%s)*(?:$|[\xff;,)\"'`]|--)|%s+(?i:CASCADE|RESTRICT|PURGE))" % (GAP, GAP),
        floor=Level.CRITICAL,
        sentence="Dropping a table cannot be undone and takes every row.",
        phrase="drops a table: every row",
        match=(
            "DROP TABLE users",
            "drop table if exists a.b, c;",
            'psql -c "DROP TABLE users"',
            "-- x\nDROP TABLE t",
        ),
        no_match=(
            "drop me a line",
            "SELECT * FROM drop_table",
            "DROP INDEX i",
            "Drop table reservations for tonight",
        ),
    ),
    Rule(
        id="guardrails.sql.drop-column",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"ALTER TABLE(?: IF EXISTS)?(?: ONLY)? NAME DROP COLUMN(?: IF EXISTS)? NAME"),
        floor=Level.HIGH,
        sentence="Dropping a column cannot be undone and takes its values in every row.",
        phrase="drops a column",
        match=("ALTER TABLE users DROP COLUMN email",),
        no_match=("ALTER TABLE users ADD COLUMN email text", "ALTER TABLE users DROP CONSTRAINT x"),
    ),
    Rule(
        id="guardrails.sql.truncate",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"TRUNCATE(?: TABLE(?: ONLY)?)? NAME")
        + rb"(?:(?:%s)*(?:$|[\xff;,)\"'`]|--)|%s+(?i:CASCADE|RESTRICT|RESTART|CONTINUE))" % (GAP, GAP),
        floor=Level.CRITICAL,
        sentence="Truncating a table cannot be undone and takes every row.",
        phrase="truncates a table: every row",
        match=("TRUNCATE TABLE users", "truncate orders cascade", "TRUNCATE a, b;"),
        no_match=(
            "truncate",
            "truncate the text to ten words",
            "SELECT truncate(1.5)",
            "truncate -s 0 x.log",
        ),
    ),
    Rule(
        id="guardrails.sql.delete-all",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"DELETE FROM(?: ONLY)? NAME")
        + rb"(?:(?:%s)*(?:$|[\xff;)\"'`]|--)|%s+(?i:RETURNING|USING|WHERE|AS|ORDER)[\s\x0b(])" % (GAP, GAP),
        guarded=True,
        floor=Level.CRITICAL,
        sentence="A DELETE without WHERE takes every row of the table, and cannot be undone.",
        phrase="DELETE without WHERE: every row",
        match=(
            "DELETE FROM users",
            "delete from users;",
            "DELETE FROM t WHERE 1=1",
            "DELETE FROM t WHERE id=3 OR true",
        ),
        no_match=(
            "DELETE FROM t WHERE id=1",
            "SELECT deleted_at FROM t",
            "Delete from my calendar the meeting at three",
            "DELETE FROM t AS x WHERE x.id = 1",
            "DELETE FROM logs WHERE note = 'OR 1=1'",
            "INSERT INTO t VALUES ('DELETE FROM t')",
        ),
    ),
    Rule(
        id="guardrails.sql.update-all",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"UPDATE(?: ONLY)? NAME(?: AS)?(?: NAME)? SET NAME") + rb"(?:%s)*=" % GAP,
        guarded=True,
        floor=Level.CRITICAL,
        sentence="An UPDATE without WHERE overwrites every row of the table, and cannot be undone.",
        phrase="UPDATE without WHERE: every row",
        match=(
            "UPDATE orders SET status = 'x'",
            "update t set a=1, note='where'",
            "UPDATE t SET a=1 -- WHERE id=1",
        ),
        no_match=("UPDATE t SET a=1 WHERE id=2", "Update the docs set by Bob", "UPDATE t SET a=1 LIMIT 1"),
    ),
    Rule(
        id="guardrails.database.delete-everything",
        family="guardrails.sql",
        part=Part.TEXT,
        pattern=rb"(\bdb\.[A-Za-z0-9_.]+\.drop\(\s*\)|\.getCollection\([^)\xff]*\)\.drop\(\s*\)|\bdb\.drop_all\("
        rb"|\.dropDatabase\(\s*\)|\.(?:deleteMany|remove)\(\s*\{\s*\}\s*[,)])"
        rb"|(?:^|[\xff\n])\s*((?i:FLUSHALL|FLUSHDB)(?:\s+(?i:A?SYNC))?)\s*(?:$|[\xff\n;])"
        rb"|(redis-cli(?:[ ][^\xff;|\n ]+)*[ ](?i:FLUSHALL|FLUSHDB)\b)",
        floor=Level.CRITICAL,
        sentence="This empties a whole database or collection, and cannot be undone.",
        phrase="empties a whole database",
        match=(
            "db.dropDatabase()",
            "db.users.deleteMany({})",
            "FLUSHALL",
            "db.users.drop()",
            "redis-cli -h cache flushdb",
        ),
        no_match=(
            "db.users.deleteMany({active: false})",
            "What does FLUSHALL do?",
            "db.getCollection('x')",
            "df.drop()",
        ),
    ),
)
