"""The benchmarks still run. How large their numbers are is nobody's business here."""

import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from tests.benchmarks import actions, replay
from tests.benchmarks.table import Row, show
from tests.people import make_world, submit

HOME = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (Row("a", 3, "ms", at_most=4), "goal met"),
        (Row("a", 5, "ms", at_most=4), "missed"),
        (Row("a", 100, "calls/s", 300, 0.33, at_least=0.25), "goal met"),
        (Row("a", 100, "calls/s", 500, 0.2, at_least=0.25), "missed"),
        (Row("a", 5, "s"), "s"),
    ],
)
def test_a_goal_is_about_the_ratio_where_there_is_one(row: Row, verdict: str) -> None:
    (line,) = show([row])
    assert line.endswith(verdict)


@pytest.mark.django_db(transaction=True)
def test_what_one_call_wrote_is_found_and_can_be_written_again(database: str) -> None:
    world = make_world()
    submit(world, actions.medium("recorded", 0))
    with replay.Recorder(database) as recorder:
        recorder.begin()
        call = submit(world, actions.medium("recorded", 0))
        written = recorder.written()
    counted = dict(written.shape)
    assert (counted["storage_call"], counted["storage_outbox"], counted["notes"]) == (1, 1, 1)
    assert counted["storage_auditevent"] >= 2
    before = rows_of_tables()
    by_hand = written.fresh()
    with psycopg.connect(database, autocommit=True) as raw:
        raw.execute(by_hand.statement(), by_hand.parameters(), prepare=True)
    copies, others = written.fresh().copies()
    with psycopg.connect(database) as raw, raw.cursor() as cursor:
        for statement, text in copies:
            with cursor.copy(statement) as target:
                target.write(text)
        for statement, parameters in others:
            cursor.execute(statement, parameters)
    after = rows_of_tables()
    counts_on = {name for name in counted if name in replay.COUNTED}
    assert counts_on
    for name, rows in counted.items():
        if name != "notes":
            assert after[name] - before[name] == (0 if name in counts_on else 2 * rows), name
    assert call.prior_calls == 1
    with connection.cursor() as cursor:
        cursor.execute("SELECT calls FROM storage_functioncount")
        assert cursor.fetchall() == [(4,)]


def rows_of_tables() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'storage_%'")
        names = [name for (name,) in cursor.fetchall()]
        counts = {}
        for name in names:
            cursor.execute(f"SELECT count(*) FROM {name}")
            counts[name] = cursor.fetchone()[0]
    return counts


@pytest.fixture
def database() -> str:
    """The address of the test's own database."""
    return make_conninfo(os.environ["DATABASE_URL"], dbname=connection.settings_dict["NAME"])


LINE = re.compile(r"^(?P<name>\S.{0,64}?) {2,}-?[\d,.]+ ")


@pytest.mark.slow
def test_the_table_is_printed_by_one_command() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.benchmarks",
            "--quick",
            "--only",
            "batches",
            "waiting",
            "pages",
        ],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    machine, _, table = done.stdout.partition("\n\n")
    assert re.search(r"\d+ cores.*Python 3\.\d+.*PostgreSQL \d+\nload average at the start: \d", machine)
    _, *lines = table.splitlines()
    found = [match["name"] for line in lines if (match := LINE.match(line))]
    assert len(found) == len(lines), table
    for begin in (
        "batch of 100",
        "decision committed to answer",
        "queue",
        "review",
    ):
        assert any(name.startswith(begin) for name in found), begin
