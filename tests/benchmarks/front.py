"""What the front costs: the same Django views behind it and behind the server's own WSGI."""

import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from riskgate.cli.embedded import postgres
from tests.benchmarks import clients
from tests.benchmarks.house import free_port
from tests.benchmarks.table import Row

HOME = Path(__file__).parents[2]
CLIENTS, THREADS = 8, 10
VIEWS = (
    ("nothing", "does nothing", 4000),
    ("work", "takes 0.6 ms of Python", 1500),
    ("big", "sends 256 KiB", 1500),
)


def rows(quick: bool) -> Iterator[Row]:
    with postgres.throwaway() as database:
        plain, plain_port = _start(
            "wsgi", "tests.benchmarks.front_views:django", database, "--blocking-threads", str(THREADS)
        )
        front, front_port = _start("asgi", "tests.benchmarks.front_views:front", database)
        try:
            for path, name, requests in VIEWS:
                each = 2 if quick else requests // CLIENTS
                for port in (plain_port, front_port):
                    _rate(port, path, max(1, each // 5))
                pairs = [
                    (_rate(front_port, path, each), _rate(plain_port, path, each))
                    for _ in range(1 if quick else 5)
                ]
                yield Row(
                    f"front against plain WSGI, a view that {name}",
                    statistics.median(pair[0] for pair in pairs),
                    "req/s",
                    statistics.median(pair[1] for pair in pairs),
                    statistics.median(pair[0] / pair[1] for pair in pairs),
                )
        finally:
            for server in (plain, front):
                server.send_signal(signal.SIGTERM)
                server.wait()


def _rate(port: int, path: str, each: int) -> float:
    request = f"GET /{path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".encode()
    return CLIENTS * each / clients.seconds_for(clients.ask, [(port, [[request] * each] * CLIENTS, 200)])


def _start(interface: str, target: str, database: str, *more: str) -> tuple[subprocess.Popen[bytes], int]:
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "granian",
        "--interface",
        interface,
        "--port",
        str(port),
        "--no-ws",
        *more,
    ]
    server = subprocess.Popen(
        [*command, "--no-log", target], cwd=HOME, env={**os.environ, "FRONT_DATABASE_URL": database}
    )
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return server, port
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"{target} did not start")
