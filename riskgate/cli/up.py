"""`manage.py up`: everything that riskgate needs, in one data folder, under one supervisor, until Ctrl-C."""

import argparse
import errno
import hashlib
import http.client
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from riskgate.cli.embedded import process, secrets
from riskgate.cli.embedded.binaries import PostgresError
from riskgate.cli.embedded.broker import Broker, BrokerError
from riskgate.cli.embedded.folder import DataFolder, FolderError
from riskgate.cli.embedded.postgres import Cluster
from riskgate.cli.embedded.schema import code, fingerprint
from riskgate.cli.embedded.supervisor import Child, Interrupted, Service, Supervisor

HOME = Path(__file__).resolve().parents[2]
LOCAL = {"localhost": "127.0.0.1", "127.0.0.1": "127.0.0.1", "::1": "::1"}
PATIENCE_FOR_PORT = 15.0  # seconds that a killed predecessor's children may take to let go of it
OPEN_FILES = 65536
SUPERUSER = "You're running the worker with superuser privileges"  # in a container, that is how it is


class UpError(Exception):
    """One sentence for the person at the terminal."""


@dataclass(frozen=True)
class Options:
    host: str
    port: int
    data: Path
    demo: bool

    @property
    def address(self) -> str:
        """What the web server binds. `localhost` is a name for passkeys; it listens on the address alone."""
        return LOCAL.get(self.host, self.host)

    @property
    def public_url(self) -> str:
        return os.environ.get("RISKGATE_PUBLIC_URL") or f"http://{_in_url(self.host)}:{self.port}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="manage.py up", description=__doc__)
    parser.add_argument("--host", default="localhost", help="where to listen (default: localhost)")
    parser.add_argument("--port", type=int, default=8000, help="default: 8000")
    data = Path(os.environ.get("RISKGATE_DATA") or HOME / "var")
    parser.add_argument("--data", type=Path, default=data, help="the data folder (default: var)")
    parser.add_argument("--demo", action="store_true", help="make demo accounts, and let a demo agent work")
    given = parser.parse_args(arguments)
    options = Options(given.host, given.port, given.data.expanduser().resolve(), given.demo)
    try:
        _refuse_open_door(options)
        return _run(options)
    except (UpError, FolderError, PostgresError, BrokerError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        where = f" at {error.filename}" if error.filename else ""
        print(
            f"{options.data} cannot be used ({error.strerror}{where}): make room, or name another folder with --data.",
            file=sys.stderr,
        )
        return 1


def _refuse_open_door(options: Options) -> None:
    """Another machine may come in only by the name and over the TLS that a public URL promises."""
    url = urlsplit(os.environ.get("RISKGATE_PUBLIC_URL", ""))
    if options.host not in LOCAL and url.scheme != "https":
        raise UpError(
            f"--host {options.host} opens riskgate to other machines: "
            "set RISKGATE_PUBLIC_URL to the https:// address of the proxy in front of it."
        )


def _run(options: Options) -> int:
    folder = DataFolder(options.data)
    folder.enter()
    try:
        _reserve_port(options, PATIENCE_FOR_PORT if folder.left_in_a_hurry else 0.0)
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        soft = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        _House(options, folder).run()
    finally:
        folder.leave()
    return 0


def _reserve_port(options: Options, patience: float) -> None:
    """See that the port is free before anything is started. Raises UpError."""
    if not 1 <= options.port <= 65535:
        raise UpError(f"Cannot listen on port {options.port}: a port is a number from 1 to 65535.")
    deadline = time.monotonic() + patience
    while True:
        try:
            found = socket.getaddrinfo(options.address, options.port, type=socket.SOCK_STREAM)
            family, kind, number, _, address = found[0]
            with socket.socket(family, kind, number) as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind(address)
                return
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UpError(f"Cannot listen on {options.host}, port {options.port}: {error}.") from error
        if time.monotonic() > deadline:
            raise UpError(f"Port {options.port} is taken by another program: choose one with --port.")
        time.sleep(0.2)


class _House:
    """One run of `up`, from the first child to the last."""

    def __init__(self, options: Options, folder: DataFolder) -> None:
        self.options = options
        self.data = folder.path
        sockets = folder.sockets()
        self.cluster = None if os.environ.get("DATABASE_URL") else Cluster(self.data / "postgres", sockets)
        self.broker = None if os.environ.get("RISKGATE_BROKER_URL") else Broker(sockets)
        self.supervisor = Supervisor({**os.environ, "PYTHONUNBUFFERED": "1", **self._settings()}, HOME)
        self.serving: list[Child] = []
        self.ground: list[Child] = []

    def _settings(self) -> dict[str, str]:
        """What the children find in their environment, and other commands in `settings.env`."""
        given = {
            "DATABASE_URL": self.cluster.url() if self.cluster else "",
            "RISKGATE_BROKER_URL": self.broker.url() if self.broker else "",
            "RISKGATE_SECRET_KEY": secrets.secret_key(self.data / "secret.key"),
            "RISKGATE_SIGNING_KEY_FILE": str(secrets.signing_key(self.data / "signing.jwk")),
            "RISKGATE_PUBLIC_URL": self.options.public_url,
            "RISKGATE_STATIC_ROOT": str(self.data / "static"),
            "RISKGATE_LOG_FORMAT": "console",
        }
        settings = {name: os.environ.get(name) or value for name, value in given.items()}
        secrets.write_private(
            self.data / "settings.env", "".join(f"{name}={value}\n" for name, value in settings.items())
        )
        return settings

    def run(self) -> None:
        with self.supervisor.listening():
            try:
                self._start_ground()
                self._migrate()
                self._collect_static()
                if self.options.demo:
                    self._manage("demo", "--data", str(self.data), "--url", self.options.public_url)
                self._start_serving()
                self._welcome()
                self.supervisor.keep()
            except Interrupted:
                pass
            finally:
                self._stop()

    def _start_ground(self) -> None:
        if self.cluster:
            # SIGINT is its fast stop, SIGQUIT the one that needs a recovery afterwards.
            service = Service("postgres", self.cluster.prepare, signal.SIGINT, signal.SIGQUIT, patience=60)
            self.ground.append(self.supervisor.start(service))
        if self.broker:
            self.ground.append(self.supervisor.start(Service("broker", self.broker.prepare)))
        if self.cluster and not self.supervisor.wait(self.cluster.answers, 60):
            raise PostgresError("PostgreSQL did not answer within a minute: what it said stands above.")
        if self.cluster:
            self.cluster.create_database()
        if self.broker and not self.supervisor.wait(self.broker.answers, 20):
            raise BrokerError("The broker did not answer within 20 seconds: what it said stands above.")

    def _manage(self, command: str, *arguments: str, told_as: str = "") -> None:
        """Run a command of manage.py to its end. Raises UpError."""
        code = self.supervisor.run(told_as or command, _python(str(HOME / "manage.py"), command, *arguments))
        if code != 0:
            raise UpError(f"`manage.py {command}` failed: what it said stands above.")

    def _migrate(self) -> None:
        """Bring the database to what this version knows, unless it was there at the last start and still is."""
        stamp = self.data / "migrated"
        brought = code()
        if self.cluster and stamp.exists() and stamp.read_text() == fingerprint(self.cluster.url(), brought):
            return
        self._manage("migrate", "--no-input", "--verbosity", "0")
        if self.cluster:
            # Of the code as it was before: to what came in its place meanwhile, nobody has migrated.
            stamp.write_text(fingerprint(self.cluster.url(), brought))

    def _collect_static(self) -> None:
        """Gather the static files under hashed names, when they are not what they were."""
        stamp = self.data / "static" / ".sources"
        static = sorted(each for each in (HOME / "static").rglob("*") if each.is_file())
        sources = [HOME / "requirements.lock", *static]
        told = [f"{each}:{each.stat().st_size}:{each.stat().st_mtime_ns}" for each in sources]
        digest = hashlib.sha256("\n".join(told).encode()).hexdigest()
        if not stamp.exists() or stamp.read_text() != digest:
            self._manage("collectstatic", "--no-input", "--clear", "--verbosity", "0")
            stamp.write_text(digest)

    def _start_serving(self) -> None:
        web = _python("-m", "granian", "--interface", "asgi", "--host", self.options.address)
        web += ["--port", str(self.options.port), "--http", "1", "--no-ws", "--backpressure", "5000"]
        web += ["--workers-kill-timeout", "8", "--log-level", "warning", "riskgate.config.web:application"]
        (self.data / "beat").mkdir(mode=0o700, exist_ok=True)
        worker = _python(
            "-W", f"ignore:{SUPERUSER}", "-m", "celery", "-q", "-A", "riskgate.config.celery", "worker"
        )
        worker += ["-P", "threads", "-c", "4", "-B", "-s", str(self.data / "beat" / "schedule")]
        worker += ["--without-gossip", "--without-mingle"]
        for name, argv in (("web", web), ("worker", worker)):
            self._serve(name, argv)

    def _serve(self, name: str, argv: list[str]) -> None:
        self.serving.append(self.supervisor.start(Service(name, lambda: argv)))

    def _ready(self) -> bool:
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.options.address, self.options.address)
        connection = http.client.HTTPConnection(here, self.options.port, timeout=2)
        try:
            connection.request("GET", "/readyz", headers={"Host": urlsplit(self.options.public_url).netloc})
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _welcome(self) -> None:
        """Say where it is and how to come in, as soon as it is so."""
        while not self.supervisor.wait(self._ready, 60):
            self.supervisor.say("up", "not ready after a minute, still trying: what is wrong stands above")
        self.supervisor.say("up", f"ready: {self.options.public_url}")
        if self.options.demo:
            config = self.data / "demo.json"
            bob = json.loads(config.read_text())["users"]["bob"]
            self.supervisor.say("up", f"sign in as {bob['email']} with the password {bob['password']}")
            self.supervisor.say("up", f"the other accounts stand in {config}")
            self._serve("agent", _python("-m", "riskgate.client.demo_agent", "--config", str(config)))
        else:
            self._manage("first_admin", told_as="up")
        self.supervisor.say("up", "Ctrl-C stops it")

    def _stop(self) -> None:
        """First what people and agents talk to, then what it stands on."""
        if any(child.running for child in self.serving):
            self.supervisor.say("up", "stopping; Ctrl-C again does not wait")
        self.supervisor.stop(*self.serving)
        for child in reversed(self.ground):
            self.supervisor.stop(child)


def _python(*arguments: str) -> list[str]:
    return process.command([sys.executable, *arguments])


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
