"""Those who ask: lean, in processes of their own, and all of them ready before the clock starts.

Everything that can be made beforehand is: they share the machine's cores with what is measured.
"""

import multiprocessing
import selectors
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing.synchronize import Barrier
from typing import Any

import psycopg

Waiter = Callable[[], object]
_spawn = multiprocessing.get_context("spawn")


def seconds_for(drive: Callable[..., None], jobs: Sequence[tuple[Any, ...]]) -> float:
    """Runs `drive(*job, ready)` in one process for each job, and answers the seconds from the moment when all were
    ready until the last was done.
    """
    barrier, told = _spawn.Barrier(len(jobs)), _spawn.Queue()
    processes = [_spawn.Process(target=_run, args=(drive, job, barrier, told)) for job in jobs]
    for process in processes:
        process.start()
    times = []
    for _ in processes:
        began, ended, error = told.get(timeout=300)
        if error:
            raise RuntimeError(error)
        times.append((began, ended))
    for process in processes:
        process.join()
    return max(ended for _, ended in times) - min(began for began, _ in times)


def _run(drive: Callable[..., None], job: tuple[Any, ...], barrier: Barrier, told: Any) -> None:
    began = 0.0

    def ready() -> None:
        nonlocal began
        barrier.wait(120)
        began = time.monotonic()

    try:
        drive(*job, ready)
        told.put((began, time.monotonic(), ""))
    except Exception as error:  # the parent tells it
        barrier.abort()
        told.put((0.0, 0.0, f"{type(error).__name__}: {error}"))


def post(path: str, port: int, key: str, body: bytes) -> bytes:
    """A request as it goes over the wire."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class _Connection:
    """A kept connection that sends its requests one after the other."""

    def __init__(self, port: int, requests: list[bytes]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests = iter(requests)
        self._unread = b""
        self._missing = 0

    def send(self) -> bool:
        request = next(self._requests, None)
        if request is not None:
            self.socket.sendall(request)
        return request is not None

    def read(self) -> int:
        """Takes what there is: the status when that was the end of an answer, else 0."""
        part = self.socket.recv(262_144)
        if not part:
            raise RuntimeError("the server hung up")
        self._unread += part
        head, found, rest = self._unread.partition(b"\r\n\r\n")
        if not found:
            return 0
        if not self._missing:
            self._missing = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
        if len(rest) < self._missing:
            return 0
        self._unread, self._missing = b"", 0
        return int(head[9:12])


def ask(port: int, jobs: list[list[bytes]], expected: int, ready: Waiter) -> None:
    """One connection for each list of requests. Raises RuntimeError for an answer that was not expected."""
    watched = selectors.DefaultSelector()
    connections = [_Connection(port, requests) for requests in jobs]
    for each in connections:
        watched.register(each.socket, selectors.EVENT_READ, each)
    ready()
    statuses: Counter[int] = Counter()
    busy = sum(each.send() for each in connections)
    while busy:
        for key, _ in watched.select(30):
            status = key.data.read()
            if status:
                statuses[status] += 1
                busy -= not key.data.send()
    for each in connections:
        each.socket.close()
    if set(statuses) != {expected}:
        raise RuntimeError(f"answers were {dict(statuses)}, not all {expected}")


def _in_threads(work: Callable[..., None], jobs: Sequence[Any], ready: Waiter) -> None:
    """`work(job, wait)` in one thread each; `ready` once all of them wait."""
    prepared = threading.Barrier(len(jobs), action=ready)
    errors: list[Exception] = []

    def guarded(job: Any) -> None:
        try:
            work(job, prepared.wait)
        except Exception as error:
            prepared.abort()
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def execute(database: str, statement: str, jobs: list[list[list[str | None]]], ready: Waiter) -> None:
    """One connection for each list of parameter lists; every execution of the prepared statement is a transaction."""

    def work(job: list[list[str | None]], wait: Waiter) -> None:
        with psycopg.connect(database, autocommit=True) as connection, connection.cursor() as cursor:
            cursor.execute("SET timezone = 'UTC'")
            first, *others = job
            cursor.execute(statement, first, prepare=True)
            wait()
            for parameters in others:
                cursor.execute(statement, parameters)

    _in_threads(work, jobs, ready)


Batch = tuple[list[tuple[str, bytes]], list[tuple[str, list[Any]]]]
"""What one transaction copies, as (COPY statement, its text), and the statements with parameters beside it."""


def copy(database: str, jobs: list[list[Batch]], ready: Waiter) -> None:
    """One connection for each list of batches; every batch is a transaction."""

    def work(job: list[Batch], wait: Waiter) -> None:
        with psycopg.connect(database) as connection, connection.cursor() as cursor:
            wait()
            for copies, others in job:
                for statement, text in copies:
                    with cursor.copy(statement) as target:
                        target.write(text)
                for statement, parameters in others:
                    cursor.execute(statement, parameters, prepare=True)
                connection.commit()

    _in_threads(work, jobs, ready)
