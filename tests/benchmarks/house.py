"""A real `manage.py up` in a folder of its own, as it is started by everybody, and the people and agents in it.

Its PostgreSQL syncs every commit to the disk. What is measured goes through its one port; what it is compared with
talks to the same PostgreSQL.
"""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from tests.people import World

HOME = Path(__file__).parents[2]
UNLIMITED = "1000000"  # requests a second: the limit on a flood is not what is measured


@dataclass(frozen=True)
class House:
    folder: Path
    port: int
    process: subprocess.Popen[bytes]
    database: str
    world: "World"
    """Everybody of tests/people.py."""

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(self.database, autocommit=True)

    def keys_of_new_agents(self, team: str, count: int) -> list[str]:
        """An API key for each of so many agents, in a team that nobody else is in."""
        from riskgate.core.roles import Role
        from riskgate.services import agents, teams
        from tests.people import PASSWORD, utcnow

        team_id = teams.create(name=team, now=utcnow())
        email = f"{team_id}@example.com"
        admin_id = teams.add_member(
            team_id=team_id, email=email, name="Admin", password=PASSWORD, role=Role.ADMIN, now=utcnow()
        )
        (admin,) = teams.memberships(user_id=admin_id)
        made = [
            agents.register(member=admin, name=f"agent-{number}", environment="production", now=utcnow())
            for number in range(count)
        ]
        return [agents.make_key(member=admin, agent_id=agent_id, now=utcnow()) for agent_id in made]

    @contextmanager
    def worker_at_rest(self) -> Iterator[None]:
        """Nobody works off what is written. What was meant for it meanwhile is dropped."""
        pids = [pid for pid in _children(self.process.pid) if "celery" in _command(pid)]
        pids += [child for pid in pids for child in _children(pid)]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
            with self.connect() as connection:
                connection.execute(
                    "UPDATE storage_outbox SET delivered_at = now() WHERE delivered_at IS NULL"
                )
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def web_process(self) -> int:
        """The process that answers requests."""
        for pid in _children(self.process.pid):
            if "granian" in _command(pid):
                workers = [each for each in _children(pid) if "resource_tracker" not in _command(each)]
                if len(workers) == 1:
                    return workers[0]
        raise RuntimeError("the web server is not there")

    def web_memory(self) -> int:
        """Bytes of main memory that it has now."""
        pages = int(Path(f"/proc/{self.web_process()}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def close(self) -> None:
        from django.db import connection

        connection.close()
        connection.close_pool()
        try:
            end(self.process)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def start(data: Path, port: int) -> tuple[subprocess.Popen[bytes], float]:
    """`up`, and the seconds until /readyz said yes."""
    ours = ("RISKGATE_", "DJANGO_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environ.pop("DATABASE_URL", None)
    if chosen := os.environ.get("RISKGATE_PG_BIN"):
        environ["RISKGATE_PG_BIN"] = chosen
    environ |= {"RISKGATE_API_KEY_RATE": UNLIMITED, "RISKGATE_API_TEAM_RATE": UNLIMITED}
    command = [sys.executable, "manage.py", "up", "--port", str(port), "--data", str(data)]
    began = time.monotonic()
    with data.with_suffix(".log").open("wb") as log:
        process = subprocess.Popen(command, cwd=HOME, env=environ, stdout=log, stderr=log)
    while not _ready(port):
        if process.poll() is not None or time.monotonic() - began > 60:
            end(process)
            raise RuntimeError(data.with_suffix(".log").read_text())
        time.sleep(0.02)
    return process, time.monotonic() - began


def end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()  # its children end with it
        raise


def _ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/readyz", headers={"Host": f"localhost:{port}"})
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


@cache
def the_house() -> House:
    """The one that all lines share; started when the first of them needs it. Django is set up in this process as well,
    on the same database.
    """
    folder = Path(tempfile.mkdtemp(prefix="riskgate-bench-"))
    port = free_port()
    process, _ = start(folder / "var", port)
    try:
        for line in (folder / "var" / "settings.env").read_text().splitlines():
            name, _, value = line.partition("=")
            os.environ[name] = value
        os.environ["DJANGO_SETTINGS_MODULE"] = "riskgate.config.settings"
        import django

        django.setup()
        from tests import people

        house = House(folder, port, process, os.environ["DATABASE_URL"], people.make_world())
        with house.connect() as connection:
            for name in ("fsync", "synchronous_commit"):
                if connection.execute(f"SHOW {name}").fetchone() != ("on",):
                    raise RuntimeError(f"{name} is not on: nothing here would mean anything")
        return house
    except BaseException:
        end(process)
        raise


def close() -> None:
    if the_house.cache_info().currsize:
        the_house().close()
        the_house.cache_clear()
