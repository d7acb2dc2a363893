"""What the front costs: the same Django views behind it and behind the server's own WSGI, in one run.

    python -m tests.benchmarks.bench_front

The servers take turns, round by round, so that whatever else the machine does meets them alike: read the
ratios. The client, both servers and their views share the machine's cores.
"""

import json
import os
import platform
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import psycopg

from riskgate.cli.embedded import postgres

HOME = Path(__file__).parents[2]
CLIENTS, ROUNDS, SECONDS = 8, 5, 1.0
THREADS = 10
AGENTS = 200


class Connection:
    """A kept connection with one request under way."""

    def __init__(self, port: int, path: str) -> None:
        self._request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".encode()
        self._left = 0
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(self._request)

    def read(self) -> int:
        """Take what there is; 1 when that was the end of an answer, and the next request is on its way."""
        part = self.socket.recv(262_144)
        if self._left == 0:
            head, _, body = part.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            self._left = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]) - len(body)
        else:
            self._left -= len(part)
        if self._left:
            return 0
        self.socket.sendall(self._request)
        return 1


def requests_a_second(port: int, path: str, seconds: float = SECONDS) -> float:
    done, watched = 0, selectors.DefaultSelector()
    connections = [Connection(port, path) for _ in range(CLIENTS)]
    for connection in connections:
        watched.register(connection.socket, selectors.EVENT_READ, connection)
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:
        done += sum(key.data.read() for key, _ in watched.select(1))
    for connection in connections:
        connection.socket.close()
    return done / took


def start(interface: str, target: str, database: str, *more: str) -> tuple[subprocess.Popen[bytes], int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
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


def throughput(database: str) -> None:
    plain, plain_port = start(
        "wsgi", "tests.benchmarks.front_views:django", database, "--blocking-threads", str(THREADS)
    )
    front, front_port = start("asgi", "tests.benchmarks.front_views:front", database)
    try:
        print(f"{'view':<22}{'WSGI /s':>12}{'front /s':>12}{'ratio':>9}")
        for path, name in (("/nothing", "does nothing"), ("/work", "0.6 ms of Python"), ("/big", "256 KiB")):
            for port in (plain_port, front_port):
                requests_a_second(port, path, 0.3)
            pairs = [
                (requests_a_second(plain_port, path), requests_a_second(front_port, path))
                for _ in range(ROUNDS)
            ]
            ratio = statistics.median(ours / theirs for theirs, ours in pairs)
            theirs, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
            print(f"{name:<22}{theirs:>12,.0f}{ours:>12,.0f}{ratio:>9.2f}")
    finally:
        for server in (plain, front):
            server.send_signal(signal.SIGTERM)
            server.wait()


def waking(database: str) -> None:
    """Committed decision to answer in the agent's hands, one agent after another of those that wait."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE calls (id uuid PRIMARY KEY, status text NOT NULL)")
        calls = [uuid4() for _ in range(AGENTS)]
        for call in calls:
            connection.execute("INSERT INTO calls VALUES (%s, 'pending')", [call])
        server, port = start("asgi", "tests.config.front_app:application", database, "--backpressure", "5000")
        try:
            agents = []
            for call in calls:
                agent = socket.create_connection(("127.0.0.1", port))
                agent.sendall(f"GET /wait/{call}/50 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                agents.append(agent)
            time.sleep(3)
            late = []
            for call, agent in zip(calls, agents, strict=True):
                note = json.dumps(
                    {"team": str(uuid4()), "call": str(call), "status": "approved", "revision": 2}
                )
                with connection.transaction():
                    connection.execute("UPDATE calls SET status = 'approved' WHERE id = %s", [call])
                    connection.execute("SELECT pg_notify('riskgate', %s)", [note])
                decided = time.perf_counter()
                assert b"approved" in agent.recv(4096)
                late.append((time.perf_counter() - decided) * 1000)
                agent.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    late.sort()
    print(f"\ndecision to answer, {AGENTS} agents wait: p50 {late[len(late) // 2]:.1f} ms, ", end="")
    print(f"p95 {late[len(late) * 95 // 100]:.1f} ms, worst {late[-1]:.1f} ms")


def main() -> None:
    print(f"{platform.node()}: {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{CLIENTS} connections, {THREADS} threads each, {ROUNDS} rounds of {SECONDS:.0f} s, medians\n")
    with postgres.throwaway() as database:
        throughput(database)
        waking(database)


if __name__ == "__main__":
    main()
