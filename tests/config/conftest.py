"""A real server with the front in it, and a database of its own that changes behind its back."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

HOME = Path(__file__).parents[2]


@dataclass(frozen=True)
class World:
    """The database: calls that somebody decides, and what the application remembers."""

    url: str

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(self.url, autocommit=True)

    def prepare(self) -> None:
        with self.connect() as connection:
            connection.execute("CREATE TABLE calls (id uuid PRIMARY KEY, status text NOT NULL)")
            connection.execute("CREATE TABLE memory (what text NOT NULL)")

    def pending(self) -> UUID:
        call = uuid4()
        with self.connect() as connection:
            connection.execute("INSERT INTO calls (id, status) VALUES (%s, 'pending')", [call])
        return call

    def decide(self, call: UUID, *, team: UUID | None = None, status: str = "approved") -> float:
        """Change a call as the services do; returns when the commit was done."""
        note = {"team": str(team or uuid4()), "call": str(call), "status": status, "revision": 2}
        with self.connect() as connection, connection.transaction():
            connection.execute("UPDATE calls SET status = %s WHERE id = %s", [status, call])
            connection.execute("SELECT pg_notify('riskgate', %s)", [json.dumps(note)])
        return time.monotonic()

    def notify(self, payload: str) -> None:
        with self.connect() as connection:
            connection.execute("SELECT pg_notify('riskgate', %s)", [payload])

    def hubs(self) -> list[int]:
        """The database's side of every connection that listens."""
        with self.connect() as connection:
            found = connection.execute(
                "SELECT pid FROM pg_stat_activity "
                "WHERE application_name = 'riskgate hub' AND datname = current_database()"
            )
            return [int(str(row[0])) for row in found]

    def connections(self) -> int:
        with self.connect() as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE datname = current_database() AND backend_type = 'client backend'"
            ).fetchone()
        return int(str(row and row[0]))

    def end_hubs(self) -> None:
        with self.connect() as connection:
            for pid in self.hubs():
                connection.execute("SELECT pg_terminate_backend(%s)", [pid])


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    name = f"front_{os.getpid()}"
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    world = World(make_conninfo(server, dbname=name))
    world.prepare()
    yield world
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@dataclass(frozen=True)
class Server:
    """granian with one worker that runs `front_app`."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def worker(self) -> int:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        named = [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        return int((named or children)[-1])

    def memory(self) -> int:
        """Bytes of main memory that the worker has now."""
        return int(Path(f"/proc/{self.worker()}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def cpu(self) -> float:
        """Seconds of processor time that the worker has had."""
        fields = Path(f"/proc/{self.worker()}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(world: World, folder: Path, **limits: float) -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "server.log"
    environ = {**os.environ, "FRONT_DATABASE_URL": world.url, "FRONT_LIMITS": json.dumps(limits)}
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--port", str(port), "--no-ws"]
    command += ["--backpressure", "5000", "tests.config.front_app:application"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=HOME, env=environ, stdout=file, stderr=file, start_new_session=True
        )
    try:
        server = Server(process, port, log)
        until(lambda: _answers(server) and bool(world.hubs()), 20)
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its worker as well
            process.wait()
            raise


def _answers(server: Server) -> bool:
    try:
        return httpx.get(f"{server.url}/echo").status_code == 200
    except httpx.TransportError:
        return False


def until(true: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def server(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(world, tmp_path_factory.mktemp("front")) as server:
        yield server


@pytest.fixture(autouse=True)
def forgetful(request: pytest.FixtureRequest) -> None:
    if "world" in request.fixturenames:
        with request.getfixturevalue("world").connect() as connection:
            connection.execute("TRUNCATE memory")
