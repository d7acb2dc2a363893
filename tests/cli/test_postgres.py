"""The embedded PostgreSQL: real servers, in folders that go away."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from riskgate.cli.embedded import postgres, process
from riskgate.cli.embedded.binaries import PostgresError
from riskgate.cli.embedded.postgres import Cluster


def in_folder(folder: Path) -> Cluster:
    sockets = folder / "data" / "run"
    sockets.mkdir(parents=True, mode=0o700)
    sockets.parent.chmod(0o700)
    return Cluster(folder / "data" / "postgres", sockets, durable=False)


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return in_folder(tmp_path)


@pytest.fixture
def passable() -> Iterator[Cluster]:
    """In a folder that others may pass through, which pytest's are not."""
    with tempfile.TemporaryDirectory(prefix="riskgate-tests-") as folder:
        Path(folder).chmod(0o711)
        yield in_folder(Path(folder))


@contextmanager
def running(cluster: Cluster) -> Iterator[subprocess.Popen[bytes]]:
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(
        cluster.prepare(), stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        postgres.wait_until(cluster.answers, server)
        yield server
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)


def gone(pid: int, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_server_is_reached_by_its_socket_and_not_by_the_network(cluster: Cluster) -> None:
    with running(cluster):
        cluster.create_database()
        with psycopg.connect(cluster.url()) as connection:
            row = connection.execute(
                "SELECT current_setting('listen_addresses'), upper('straße ä')"
            ).fetchone()
    assert row == ("", "STRASSE Ä") or row == ("", "STRAßE Ä")
    assert not cluster.answers()


def test_what_was_written_is_there_after_a_restart(cluster: Cluster) -> None:
    with running(cluster):
        cluster.create_database()
        with psycopg.connect(cluster.url()) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    with running(cluster):
        cluster.create_database()
        with psycopg.connect(cluster.url()) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_a_server_that_a_killed_launcher_left_is_seen_off_first(cluster: Cluster) -> None:
    with running(cluster) as orphan, running(cluster) as server:
        assert gone(orphan.pid)
        assert server.pid != orphan.pid
        assert cluster.answers()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no /proc to look into")
def test_what_a_killed_server_left_running_is_ended_before_the_next_one_starts(cluster: Cluster) -> None:
    with running(cluster) as server:
        cluster.create_database()
        with psycopg.connect(cluster.url(), autocommit=True) as connection:
            orphan = connection.info.backend_pid
            busy = threading.Thread(target=_keep_busy, args=(connection,))
            busy.start()
            with psycopg.connect(cluster.url()) as other:
                while other.execute(ACTIVE, [orphan]).fetchone() != ("active",):
                    time.sleep(0.02)
                    other.rollback()
            server.kill()
            server.wait()
            try:
                assert not gone(orphan, 0.5), "it was to outlive its server"
                with running(cluster):
                    assert gone(orphan, 1)
                    assert cluster.answers()
            finally:
                with suppress(ProcessLookupError):
                    os.kill(orphan, signal.SIGKILL)
                busy.join()


ACTIVE = "SELECT state FROM pg_stat_activity WHERE pid = %s"


def _keep_busy(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    with suppress(psycopg.OperationalError):
        connection.execute("DO $$ BEGIN LOOP NULL; END LOOP; END $$")


def test_a_note_of_another_program_s_pid_does_not_stop_the_start(cluster: Cluster) -> None:
    with running(cluster):
        pass
    (cluster.data / "postmaster.pid").write_text(f"{os.getpid()}\n")
    with running(cluster):
        assert cluster.answers()


def test_a_half_made_data_folder_is_made_again(cluster: Cluster) -> None:
    making = cluster.data.with_name("postgres.making")
    making.mkdir()
    (making / "PG_VERSION").write_text("18\n")
    with running(cluster):
        assert not making.exists()


def test_killing_the_launcher_ends_the_server() -> None:
    # Not `tmp_path`: under several workers its name leaves no room for the socket's.
    with tempfile.TemporaryDirectory(prefix="riskgate-") as folder:
        _kill_a_launcher(Path(folder))


def _kill_a_launcher(tmp_path: Path) -> None:
    code = (
        "import time\n"
        "from riskgate.cli.embedded import postgres\n"
        "with postgres.throwaway() as url:\n"
        "    print(url, flush=True)\n"
        "    time.sleep(60)\n"
    )
    home = Path(postgres.__file__).parents[3]
    environ = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(home)}
    launcher = subprocess.Popen([sys.executable, "-c", code], env=environ, stdout=subprocess.PIPE, text=True)
    assert launcher.stdout is not None
    with launcher.stdout:
        assert launcher.stdout.readline().startswith("postgresql://")
        (note,) = tmp_path.glob("*/postgres/postmaster.pid")
        pid = int(note.read_text().split()[0])
        launcher.kill()
        launcher.wait()
    assert gone(pid)
    assert not note.exists(), "it was not a fast stop"


@pytest.mark.parametrize("identity", ["namespace", "nobody"])
def test_root_runs_it_as_somebody_who_is_not_root(
    passable: Cluster, identity: process.Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: process.Identity = identity if os.geteuid() == 0 else "self"
    monkeypatch.setattr(process, "unprivileged_identity", lambda _probe: chosen)
    with running(passable):
        passable.create_database()
    assert passable.data.parent.stat().st_mode & 0o007 == 0


def test_a_folder_made_under_one_identity_is_used_under_another(
    passable: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    identities: list[process.Identity] = ["nobody", "namespace", "nobody"] if os.geteuid() == 0 else ["self"]
    for identity in identities:
        monkeypatch.setattr(process, "unprivileged_identity", lambda _probe, chosen=identity: chosen)
        with running(passable):
            assert passable.answers()


def test_an_unfit_folder_of_programs_is_named(cluster: Cluster, tmp_path: Path) -> None:
    wanting = Cluster(cluster.data, cluster.sockets, environ={"RISKGATE_PG_BIN": str(tmp_path / "nowhere")})
    with pytest.raises(PostgresError, match=r"nowhere.*DATABASE_URL"):
        wanting.prepare()


def test_data_of_a_postgresql_that_is_not_here_is_left_alone(cluster: Cluster) -> None:
    cluster.data.mkdir()
    (cluster.data / "PG_VERSION").write_text("99\n")
    with pytest.raises(PostgresError, match="PostgreSQL 99"):
        cluster.prepare()


def test_a_silent_socket_is_not_an_answer(cluster: Cluster) -> None:
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(cluster.sockets / postgres.SOCKET_NAME))
        assert not cluster.answers()
