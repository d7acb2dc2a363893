"""Brokers that a test may start, kill and start again: the embedded one, Redis, RabbitMQ.

Each is a process of its own in a folder of its own, on an address that nobody else has, and keeps that address when it
is started again. `RISKGATE_TESTS_BROKER` says which kind carries the tests.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from riskgate.cli.embedded import process
from riskgate.cli.embedded.broker import Broker as Valkey

CHOSEN = "RISKGATE_TESTS_BROKER"
PATIENCE = 60  # seconds for a start


class Broker(ABC):
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def url(self) -> str: ...

    @abstractmethod
    def _command(self) -> list[str]: ...

    @abstractmethod
    def answers(self) -> bool: ...

    def _environ(self) -> dict[str, str]:
        return dict(os.environ)

    def start(self) -> None:
        """Returns when it answers."""
        log = (self.folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(
                self._command(),
                env=self._environ(),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + PATIENCE
        while not self.answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the broker did not start: {(self.folder / 'log').read_text()}")
            time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL, as a lost machine would."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.kill()


class Embedded(Broker):
    """What `up` starts."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._valkey = Valkey(folder)

    @property
    def url(self) -> str:
        return self._valkey.url()

    def _command(self) -> list[str]:
        return self._valkey.prepare()

    def answers(self) -> bool:
        return self._valkey.answers()


class Redis(Broker):
    """The system's redis-server, on a port of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._port = _free_port()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    def _command(self) -> list[str]:
        options = ["--bind", "127.0.0.1", "--port", str(self._port), "--dir", str(self.folder)]
        return process.command([_program("redis-server"), *options, "--save", "", "--appendonly", "no"])

    def answers(self) -> bool:
        return _answered(self._port, b"PING\r\n", b"+PONG")


class RabbitMQ(Broker):
    """The system's rabbitmq-server as a node of its own. What it keeps lies in the folder, and so does its cookie."""

    SCRIPT = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")  # the one in sbin insists on the system's own node

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._port, self._peers, self._names = _free_port(), _free_port(), _free_port()
        (folder / "enabled_plugins").write_text("[].\n")
        (folder / "node.conf").write_text("")
        # Erlang's name server would be started as a daemon, and stay.
        epmd = [_program("epmd"), "-port", str(self._names), "-address", "127.0.0.1"]
        quiet = subprocess.DEVNULL
        self._epmd = subprocess.Popen(process.command(epmd), stdin=quiet, stdout=quiet, stderr=quiet)

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self._port}//"

    def _command(self) -> list[str]:
        return process.command([self.SCRIPT if self.SCRIPT.exists() else _program("rabbitmq-server")])

    def _environ(self) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("RABBITMQ_", "ERL_"))
        }
        return kept | {
            "HOME": str(self.folder),
            "ERL_EPMD_PORT": str(self._names),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"riskgate-{self._port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self._port),
            "RABBITMQ_DIST_PORT": str(self._peers),
            "RABBITMQ_MNESIA_BASE": str(self.folder / "data"),
            "RABBITMQ_LOG_BASE": str(self.folder / "logs"),
            "RABBITMQ_PID_FILE": str(self.folder / "pid"),
            "RABBITMQ_CONF_ENV_FILE": str(self.folder / "node.conf"),
            "RABBITMQ_CONFIG_FILE": str(self.folder / "rabbitmq"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "enabled_plugins"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 2:2 -kernel inet_dist_use_interface {127,0,0,1}",
        }

    def answers(self) -> bool:
        return _answered(self._port, b"AMQP\x00\x00\x09\x01", b"\x01")  # a frame: connection.start

    def close(self) -> None:
        super().close()
        self._epmd.terminate()
        self._epmd.wait()


KINDS: dict[str, type[Broker]] = {"embedded": Embedded, "redis": Redis, "rabbitmq": RabbitMQ}


@contextmanager
def running() -> Iterator[Broker]:
    """One of the chosen kind, as long as the block."""
    folder = Path(tempfile.mkdtemp(prefix="riskgate-"))
    try:
        broker = KINDS[os.environ.get(CHOSEN) or "embedded"](folder)
        try:
            broker.start()
            yield broker
        finally:
            broker.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _program(name: str) -> str:
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if found is None:
        raise RuntimeError(f"{CHOSEN} asks for {name}, which is not installed here.")
    return found


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _answered(port: int, question: bytes, answer: bytes) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(question)
            return connection.recv(4096).startswith(answer)
    except OSError:
        return False
