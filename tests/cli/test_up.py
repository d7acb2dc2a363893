"""`manage.py up`, whole: started in an empty folder, beaten, stopped, started again."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import psutil
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

HOME = Path(__file__).resolve().parents[2]
CHILDREN = {"postgres", "broker", "web", "worker"}

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("up")]


def free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        port: int = tried.getsockname()[1]
        return port


def environ() -> dict[str, str]:
    """A newcomer's: nothing of riskgate in it, except the PostgreSQL that the tests were told to use."""
    ours = ("RISKGATE_", "DJANGO_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    kept.pop("DATABASE_URL", None)
    if chosen := os.environ.get("RISKGATE_PG_BIN"):
        kept["RISKGATE_PG_BIN"] = chosen
    return kept


def manage(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=HOME,
        env=environ() | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


class Up:
    """One `up`, and what it said so far."""

    def __init__(self, data: Path, *options: str, **environ: str) -> None:
        self.data, self.port, self.options, self.environ = data, free_port(), options, environ
        self.log = data.with_name(data.name + ".log")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Up":
        self.launch()
        self.wait_for(lambda: "Ctrl-C stops it" in self.said)
        return self

    def launch(self) -> "Up":
        argv = [sys.executable, "manage.py", "up", "--port", str(self.port), "--data", str(self.data)]
        argv += self.options
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                argv, cwd=HOME, env=environ() | self.environ, stdout=log, stderr=log
            )
        return self

    @property
    def said(self) -> str:
        return self.log.read_text()

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def wait_for(self, condition: Callable[[], bool], seconds: float = 180) -> None:
        assert self.process is not None
        deadline = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.1)

    def everybody(self) -> list[psutil.Process]:
        return psutil.Process(self.pid).children(recursive=True)

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.pid).children()

    def child(self, mark: str) -> psutil.Process:
        """The one direct child whose command line holds the mark; the dead have none. Raises ValueError."""
        (found,) = (each for each in self.children() if mark in command_of(each))
        return found

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://localhost:{self.port}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def end(self, number: int = signal.SIGINT) -> int:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(60)


def command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return ""


def all_gone(processes: list[psutil.Process], seconds: float = 20) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    return not [each for each in alive if each.status() != psutil.STATUS_ZOMBIE]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    started = Up(tmp_path_factory.mktemp("house") / "var")
    try:
        yield started.start()
    finally:
        started.end()


def test_it_says_where_it_is_and_how_to_come_in(up: Up) -> None:
    assert f"ready: http://localhost:{up.port}\n" in up.said
    assert f"http://localhost:{up.port}/welcome/" in up.said
    assert up.is_ready()


def test_its_secrets_are_closed_to_others(up: Up) -> None:
    assert stat.S_IMODE(up.data.stat().st_mode) & 0o007 == 0
    for name in ("secret.key", "signing.jwk", "settings.env", "lock"):
        assert stat.S_IMODE((up.data / name).stat().st_mode) == 0o600, name


def test_only_the_console_listens_to_the_network_and_only_to_this_machine(up: Up) -> None:
    listening = {
        each.laddr
        for process in up.everybody()
        for each in process.net_connections(kind="inet")
        if each.status == psutil.CONN_LISTEN
    }
    assert {(address.ip, address.port) for address in listening} == {("127.0.0.1", up.port)}


def test_other_commands_find_its_settings(up: Up) -> None:
    done = manage("check", "--database", "default", RISKGATE_DATA=str(up.data))
    assert done.returncode == 0, done.stderr
    done = manage("migrate", "--check", RISKGATE_DATA=str(up.data))
    assert done.returncode == 0, done.stderr


def test_a_second_one_on_the_same_folder_says_so(up: Up) -> None:
    done = manage("up", "--data", str(up.data), "--port", str(free_port()))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "already running" in done.stderr


def test_a_taken_port_is_named(up: Up, tmp_path: Path) -> None:
    done = manage("up", "--data", str(tmp_path / "var"), "--port", str(up.port))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"Port {up.port} is taken by another program: choose one with --port.\n"


@pytest.mark.parametrize(
    "mark",
    ["granian", "celery", "valkey-server", "bin/postgres"],
    ids=["web", "worker", "broker", "postgres"],
)
def test_whoever_is_killed_comes_back(up: Up, mark: str) -> None:
    killed = up.child(mark)
    brood = killed.children(recursive=True)
    killed.kill()
    assert all_gone([killed, *brood])
    up.wait_for(lambda: up.is_ready() and len(up.children()) == len(CHILDREN))
    assert up.child(mark).pid != killed.pid


def test_the_web_server_s_worker_comes_back_as_well(up: Up) -> None:
    (worker,) = (each for each in up.child("granian").children() if "granian" in " ".join(each.cmdline()))
    worker.kill()
    assert all_gone([worker])
    up.wait_for(up.is_ready)


def test_the_clock_comes_back_as_well(up: Up) -> None:
    (clock,) = up.child("celery").children()
    clock.kill()
    assert all_gone([clock])

    def another() -> bool:
        try:
            return any(each.pid != clock.pid for each in up.child("celery").children())
        except (ValueError, psutil.NoSuchProcess):
            return False

    up.wait_for(another)


def test_it_works_in_a_folder_whose_path_is_too_long_for_a_socket(tmp_path: Path) -> None:
    up = Up(tmp_path / ("deep and spaced " * 6) / "var")
    up.data.parent.mkdir()
    up.start()
    assert up.end() == 0


@pytest.fixture
def own_database() -> Iterator[str]:
    """An empty database on the server of the tests, as somebody who runs one would give it."""
    url, name = os.environ["DATABASE_URL"], f"own_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield make_conninfo(url, dbname=name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_servers_of_one_s_own_are_used_and_none_is_started(tmp_path: Path, own_database: str) -> None:
    parts = conninfo_to_dict(own_database)
    name = parts.pop("dbname")
    url = f"postgresql:///{name}?{urlencode(parts)}"
    broker = os.environ["RISKGATE_BROKER_URL"]
    up = Up(tmp_path / "var", DATABASE_URL=url, RISKGATE_BROKER_URL=broker).start()
    assert up.is_ready()
    assert len(up.children()) == 2
    assert not (up.data / "postgres").exists()
    assert up.end() == 0


def test_help_names_both_commands() -> None:
    done = manage("help")
    assert done.returncode == 0
    assert "`up`" in done.stdout
    assert "`test`" in done.stdout
