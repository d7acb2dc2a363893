"""`up` on a data folder of the first release: its schema, with people, a key and actions in every status."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg import sql

from riskgate.cli.embedded import postgres, secrets
from riskgate.cli.embedded.postgres import Cluster
from riskgate.client import errors
from riskgate.client.http import Client
from riskgate.core.lifecycle import Status
from tests.cli.test_up import HOME, Up, environ
from tests.people import PASSWORD

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("up")]

RELEASED = json.loads((HOME / "tests" / "data" / "released_rows.json").read_text())
"""Rows of the release, by table; `calls` names one action of each status, and `overdue`, whose time has passed."""
CALLS: dict[str, str] = RELEASED["calls"]
LAST_MIGRATION = "0002"

# One table after the other, whatever points to whom; the triggers guard what people do, not a restored copy.
FILL = "INSERT INTO {table} SELECT * FROM jsonb_populate_recordset(NULL::{table}, %s)"
COUNTING = "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_identity = 'YES'"
COUNT_ON = "SELECT setval(pg_get_serial_sequence(%s, {column}), (SELECT max({identifier}) FROM {table}))"


def make_folder(data: Path) -> None:
    """What `up` of the first release left behind."""
    (data / "run").mkdir(mode=0o700, parents=True)
    data.chmod(0o700)
    (data / "lock").touch(mode=0o600)
    (data / "VERSION").write_text("0.1.0\n")
    cluster = Cluster(data / "postgres", data / "run", durable=False)
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(
        cluster.prepare(), stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        postgres.wait_until(cluster.answers, server)
        cluster.create_database()
        settings = {
            "DATABASE_URL": cluster.url(),
            "RISKGATE_BROKER_URL": "redis+socket:///nowhere",
            "RISKGATE_SECRET_KEY": secrets.secret_key(data / "secret.key"),
            "RISKGATE_SIGNING_KEY_FILE": str(secrets.signing_key(data / "signing.jwk")),
            "RISKGATE_PUBLIC_URL": "http://localhost:8000",
        }
        for what in (["storage", LAST_MIGRATION], ["account"], ["sessions"], ["mfa"]):
            argv = [sys.executable, "manage.py", "migrate", "--verbosity", "0", *what]
            subprocess.run(argv, cwd=HOME, env=environ() | settings, check=True)
        with psycopg.connect(cluster.url()) as connection:
            connection.execute("SET session_replication_role = replica")
            for name, rows in RELEASED["rows"].items():
                table = sql.Identifier(name)
                connection.execute(sql.SQL(FILL).format(table=table), [json.dumps(rows)])
                for (column,) in connection.execute(COUNTING, [name]).fetchall():
                    parts = {
                        "column": sql.Literal(column),
                        "identifier": sql.Identifier(column),
                        "table": table,
                    }
                    connection.execute(sql.SQL(COUNT_ON).format(**parts), [name])
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    data = tmp_path_factory.mktemp("old") / "var"
    make_folder(data)
    started = Up(data)
    try:
        yield started.start()
    finally:
        assert started.end() == 0


@pytest.fixture
def agent(up: Up) -> Iterator[Client]:
    with Client(f"http://localhost:{up.port}", RELEASED["api_key"]) as client:
        yield client


@pytest.fixture
def bob(up: Up) -> Iterator[httpx.Client]:
    url = f"http://localhost:{up.port}"
    with httpx.Client(base_url=url, follow_redirects=True, trust_env=False, timeout=30) as browser:
        page = browser.get("/")
        fields = {"login": "bob@example.com", "password": PASSWORD, "csrfmiddlewaretoken": token(page)}
        assert browser.post(page.url, data=fields).url.path == "/"
        yield browser


def token(page: httpx.Response) -> str:
    (found, *_) = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    return str(found)


def test_every_action_is_there_in_its_status(up: Up, agent: Client) -> None:
    assert {Status(row["status"]) for row in RELEASED["rows"]["storage_call"]} == set(Status)
    stored = {row["id"]: row for row in RELEASED["rows"]["storage_call"]}
    for name, call_id in CALLS.items():
        action = agent.get(call_id)
        assert action.status == ("expired" if name == "overdue" else stored[call_id]["status"]), name
        assert action.action_digest == stored[call_id]["action_digest"]
        assert len(action.body["factors"]) == 5
    assert {action.id for action in agent.list()} >= set(CALLS.values())


def test_the_clock_goes_on_with_them(up: Up) -> None:
    def status() -> Any:
        with psycopg.connect(database(up)) as connection:
            return connection.execute(
                "SELECT status FROM storage_call WHERE id = %s", [CALLS["overdue"]]
            ).fetchone()

    up.wait_for(lambda: status() == ("expired",))


def test_the_agent_goes_on_where_it_was(agent: Client) -> None:
    for name in ("approved", "approved_by_carol"):
        action = agent.get(CALLS[name])
        assert agent.claim(action).count(".") == 2
        assert agent.report(action.id, succeeded=True).status == "succeeded"
    assert agent.report(CALLS["executing"], succeeded=False, error="it broke").status == "failed"
    for name in ("denied", "revoked", "succeeded", "unknown"):
        with pytest.raises(errors.WrongState):
            agent.claim(agent.get(CALLS[name]))
    again = agent.submit("get_users", [], docstring="Lists the users.", supersedes=CALLS["returned"])
    assert again.status == "approved"


def test_bob_sees_them_and_denies_one(up: Up, agent: Client, bob: httpx.Client) -> None:
    for page in ("/", "/history", *(f"/review/{call_id}" for call_id in CALLS.values())):
        assert bob.get(page).status_code == 200, page
    review = bob.get(f"/review/{CALLS['pending']}")
    denied = bob.post(f"/review/{CALLS['pending']}/deny", data={"csrfmiddlewaretoken": token(review)})
    assert denied.status_code == 200
    assert agent.get(CALLS["pending"]).status == "denied"


def test_the_vote_that_was_cast_still_counts(agent: Client) -> None:
    assert agent.get(CALLS["pending_two"]).body["progress"] == {"approvals": 1, "of": 2}


def database(up: Up) -> str:
    lines = (up.data / "settings.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)["DATABASE_URL"]
