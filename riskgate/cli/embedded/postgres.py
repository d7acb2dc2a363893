"""A PostgreSQL server of one's own: made, started as a direct child, reachable by one unix socket only.

Everybody who can open the socket is trusted, so it lies in a folder of mode 0700.
"""

import locale
import os
import pwd
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

from riskgate.cli.embedded import process
from riskgate.cli.embedded.binaries import OWN_SERVER, Binaries, PostgresError, find_binaries

ROLE = "riskgate"
DATABASE = "riskgate"
SOCKET_NAME = ".s.PGSQL.5432"
NOBODY_S_PID = 2**31 - 1
# Only ever for throw-away servers: a crash of the machine loses everything.
CARELESS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


@dataclass(frozen=True)
class Cluster:
    """One data folder and the socket folder its server listens in, both private to the user who runs it."""

    data: Path
    sockets: Path
    durable: bool = True
    environ: Mapping[str, str] | None = None

    def url(self, database: str = DATABASE) -> str:
        return f"postgresql://{ROLE}@/{database}?host={quote(str(self.sockets), safe='')}"

    def prepare(self) -> list[str]:
        """Make the cluster where there is none, clear what a crash left, and return the command that starts
        it.

        Raises PostgresError.
        """
        environ = os.environ if self.environ is None else self.environ
        version = self.data / "PG_VERSION"
        major = int(version.read_text()) if version.exists() else None
        binaries = find_binaries(environ, major=major)
        identity = process.unprivileged_identity([binaries.program("postgres"), "--version"])
        if identity is None:
            raise PostgresError(
                "PostgreSQL refuses to run as root, and this machine allows neither a user namespace "
                f"nor the user nobody: start as another user, or {OWN_SERVER}."
            )
        if major is None:
            self._initialise(binaries, identity)
        self._own(self.data, identity)
        self._own(self.sockets, identity)
        self._clear_stale()
        return self._command(binaries, identity)

    def _initialise(self, binaries: Binaries, identity: process.Identity) -> None:
        """initdb into a folder beside, then rename: a cluster is there whole or not at all."""
        making = self.data.with_name(self.data.name + ".making")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(mode=0o700, parents=True)
        self._own(making, identity)
        options = [
            "-D",
            making,
            "-U",
            ROLE,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-instructions",
            *_locale(binaries.major),
        ]
        if not self.durable:
            options.append("--no-sync")
        argv = process.command([binaries.program("initdb"), *options], identity=identity)
        made = subprocess.run(argv, capture_output=True, text=True, check=False, cwd="/")
        if made.returncode != 0:
            shutil.rmtree(making, ignore_errors=True)
            said = " ".join(made.stderr.split())
            raise PostgresError(
                f"PostgreSQL could not make its data folder {self.data} ({said}): {OWN_SERVER}."
            )
        making.rename(self.data)

    def _own(self, folder: Path, identity: process.Identity) -> None:
        """Let `folder` and what it holds belong to whom the server's files belong to, and to nobody else."""
        if os.geteuid() != 0:
            return
        owner = pwd.getpwnam("nobody") if identity == "nobody" else pwd.getpwuid(0)
        if (
            identity == "nobody"
        ):  # the way in: the group may pass through the folder above, and see nothing of it
            os.chown(folder.parent, -1, owner.pw_gid)
            folder.parent.chmod(0o710)
        if folder.stat().st_uid == owner.pw_uid:
            return
        for root, folders, files in os.walk(folder):
            for each in (root, *(os.path.join(root, name) for name in (*folders, *files))):
                os.chown(each, owner.pw_uid, owner.pw_gid, follow_symlinks=False)

    def _clear_stale(self) -> None:
        """See a server off that a killed launcher left behind, and what a killed server left behind.

        The caller holds the lock of the data folder: nobody else can have started one. The note of the server's
        pid stays: by it the next one sees for itself that nobody has the old shared memory open any more.
        """
        note = self.data / "postmaster.pid"
        deadline = time.monotonic() + 20
        while (pid := _noted_pid(note)) is not None and _serves(pid, self.data):
            _end(pid, signal.SIGINT, self.data, deadline)
        # They finish what they were asked before they look whether their server lives; a new one beside them
        # would write to the same files.
        for pid in _left_behind(self.data):
            while _works_in(pid, self.data):
                _end(pid, signal.SIGKILL, self.data, deadline)
        if pid := _noted_pid(note):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, 0)  # another program's by now: the server would take it for its predecessor
                note.write_text(note.read_text().replace(str(pid), str(NOBODY_S_PID), 1))

    def _command(self, binaries: Binaries, identity: process.Identity) -> list[str]:
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={self.sockets}",
            "unix_socket_permissions=0700",
            "max_connections=100",
            "timezone=UTC",
            "log_timezone=UTC",
            "log_line_prefix=",
            "log_checkpoints=off",
            # What was refused is told to who asked; a log of statements would be a log of secrets.
            "log_min_messages=log",
            "log_min_error_statement=panic",
            *(() if self.durable else CARELESS),
        ]
        argv: list[str | Path] = [binaries.program("postgres"), "-D", self.data]
        for each in settings:
            argv += ["-c", each]
        return process.command(argv, identity=identity, on_parent_death=signal.SIGINT)

    def answers(self) -> bool:
        """Whether the server accepts a session now: it answers a start-up packet with "authentication ok".

        It is asked only once its own note says that it is ready, since a refusal stands in its log.
        """
        try:
            if "ready" not in (self.data / "postmaster.pid").read_text():
                return False
        except OSError:
            return False
        asked = b"".join(part.encode() + b"\0" for part in ("user", ROLE, "database", "postgres")) + b"\0"
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            try:
                connection.connect(str(self.sockets / SOCKET_NAME))
                connection.sendall(struct.pack("!ii", len(asked) + 8, 3 << 16) + asked)
                answer = connection.recv(1)
                connection.sendall(b"X\0\0\0\4")
            except OSError:
                return False
        return answer == b"R"

    def create_database(self) -> None:
        """Make the database where it is not there yet. The server answers."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if known is None:
                connection.execute(f"CREATE DATABASE {DATABASE}")


def _locale(major: int) -> list[str]:
    """Sorting by code point, and case that knows Unicode: the same on every machine."""
    if major >= 17:
        return ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    except locale.Error:
        return ["--locale=C"]
    finally:
        locale.setlocale(locale.LC_CTYPE, before)
    return ["--locale=C.UTF-8"]


def _noted_pid(note: Path) -> int | None:
    try:
        return int(note.read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None


def _serves(pid: int, data: Path) -> bool:
    """Whether `pid` is a running server on this data: not a zombie (which has no arguments any more),
    not another program that got its number.
    """
    if sys.platform.startswith("linux"):
        try:
            arguments = Path(f"/proc/{pid}/cmdline").read_text().rstrip("\0").split("\0")
        except OSError:
            return False
    else:
        asked = ["ps", "-o", "args=", "-p", str(pid)]
        arguments = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()
    return bool(arguments) and Path(arguments[0]).name == "postgres" and str(data) in arguments


def _left_behind(data: Path) -> list[int]:
    """The processes of a server on this data that lost it. Where there is no /proc, the next server waits for them."""
    return [int(each.name) for each in Path("/proc").glob("[0-9]*") if _works_in(int(each.name), data)]


def _works_in(pid: int, data: Path) -> bool:
    """Whether this is a process of a server on this data. Zombies are in no folder any more."""
    try:
        there = os.readlink(f"/proc/{pid}/cwd") == os.path.realpath(data)
        return there and Path(f"/proc/{pid}/comm").read_text().strip() == "postgres"
    except OSError:
        return False


def _end(pid: int, number: int, data: Path, deadline: float) -> None:
    """Asks once, and gives it a moment. Raises PostgresError after the deadline."""
    if time.monotonic() > deadline:
        raise PostgresError(f"A PostgreSQL process ({pid}) still uses {data}: end it, then try again.")
    with suppress(ProcessLookupError):
        os.kill(pid, number)
    time.sleep(0.1)


def wait_until(answers: Callable[[], bool], server: subprocess.Popen[bytes], *, seconds: float = 30) -> None:
    """Return when the server answers. Raises PostgresError when it ends or stays silent."""
    deadline = time.monotonic() + seconds
    while not answers():
        if server.poll() is not None:
            raise PostgresError(f"PostgreSQL ended at once, with code {server.returncode}.")
        if time.monotonic() > deadline:
            raise PostgresError(f"PostgreSQL did not answer within {seconds:.0f} seconds.")
        time.sleep(0.02)


@contextmanager
def throwaway() -> Iterator[str]:
    """A server that lives as long as the block and keeps nothing; yields its database's URL. Raises
    PostgresError.
    """
    folder = Path(tempfile.mkdtemp(prefix="riskgate-"))
    try:
        sockets = folder / "run"
        sockets.mkdir(mode=0o700)
        cluster = Cluster(folder / "postgres", sockets, durable=False)
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                cluster.prepare(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
            )
        try:
            wait_until(cluster.answers, server)
            cluster.create_database()
            yield cluster.url()
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
