"""Runs a WSGI application in a fixed number of threads, and hands what it answers to the event loop.

A response whose reader is slow would keep its thread; so a thread may run ahead of its reader by some bytes,
and when it has to wait all the same, it leaves its place to another request. A third of the threads may stand
waiting like this; beyond that, downloads are turned away, and the other requests still have their places.
"""

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from riskgate.config.front.limits import Limits
from riskgate.config.front.protocol import Headers
from riskgate.config.front.replies import broken, busy
from riskgate.config.front.requests import Environ

log = logging.getLogger("riskgate.front")

Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

_BODILESS = frozenset({204, 304})


class Abandoned(Exception):
    """The reader of a response has left."""


class Truncated(Exception):
    """A response broke off after its beginning had been sent."""


@dataclass(slots=True)
class Answer:
    """A response: all of its body, or the first part and what gives the others."""

    status: int
    headers: Headers
    body: bytes
    rest: "Rest | None" = None

    def drop(self) -> None:
        """Nobody will read it."""
        if self.rest is not None:
            self.rest.abandon()


class Rest:
    """The parts of a body after the first, on their way from a thread to the loop."""

    def __init__(self, bridge: "Bridge") -> None:
        self._bridge = bridge
        self._changed = threading.Condition()
        self._parts: deque[bytes] = deque()
        self._size = 0
        self._over = self._failed = self._gone = False
        self._there = asyncio.Event()

    async def next(self) -> bytes | None:
        """The next part, None after the last. Raises Truncated."""
        while True:
            with self._changed:
                if self._parts:
                    part = self._parts.popleft()
                    self._size -= len(part)
                    self._changed.notify()
                    return part
                if self._failed:
                    raise Truncated
                if self._over:
                    return None
                self._there.clear()
            await self._there.wait()

    def abandon(self) -> None:
        """Have the thread stop. Whoever asks for the next part all the same is told that it broke off."""
        with self._changed:
            self._gone = True
            self._parts.clear()
            self._changed.notify()

    def put(self, part: bytes, stalled: Callable[[], None]) -> None:
        """From the thread: pass a part on, perhaps after waiting for the reader. Raises Abandoned."""
        with self._changed:
            if self._full(part):
                stalled()
                while self._full(part):
                    self._changed.wait()
            if self._gone:
                raise Abandoned
            self._parts.append(part)
            self._size += len(part)
        self._bridge.loop.call_soon_threadsafe(self._there.set)

    def end(self, *, failed: bool) -> None:
        """On the loop: there are no more parts."""
        self._over, self._failed = True, failed
        self._there.set()

    def _full(self, part: bytes) -> bool:
        return not self._gone and bool(self._parts) and self._size + len(part) > self._bridge.run_ahead()


class _Run:
    """One call of the application. `environ` is its own."""

    def __init__(self, bridge: "Bridge", environ: Environ) -> None:
        self._bridge = bridge
        self._environ = environ
        self._status = ""
        self._headers: list[tuple[str, str]] = []
        self._written: list[bytes] = []
        self._told_of_stall = False
        self.answered: asyncio.Future[Answer] = bridge.loop.create_future()
        self.rest: Rest | None = None
        self.has_place = True

    def __call__(self) -> None:
        """In the thread."""
        answer: Answer | None = None
        failed = True
        try:
            result = self._bridge.app(self._environ, self._start_response)
            try:
                answer = self._answer(result)
                failed = False
            finally:
                close = getattr(result, "close", None)
                if close is not None:
                    close()
        except Abandoned:
            pass
        except BaseException:  # a thread that ended here would be missed, and so would the answer
            asked = self._environ["REQUEST_METHOD"], self._environ["PATH_INFO"]
            log.exception("the application failed: %s %r", *asked)
        self._bridge.loop.call_soon_threadsafe(self._bridge.finished, self, answer, failed)

    def _start_response(
        self, status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], None]:
        if exc_info and self.rest is not None:
            raise exc_info[1].with_traceback(exc_info[2])
        if self._status and not exc_info:
            raise RuntimeError("start_response was called twice")
        self._status, self._headers = status, headers
        return self._written.append

    def _answer(self, result: Iterable[bytes]) -> Answer:
        whole = isinstance(result, list | tuple) or getattr(result, "streaming", True) is False
        if whole:
            body = b"".join(result)
            status, headers, bodiless = self._head()
            return Answer(status, headers, b"" if bodiless else b"".join(self._written) + body)
        parts = iter(result)
        first = next((part for part in parts if part), b"")
        status, headers, bodiless = self._head()
        first = b"".join(self._written) + first
        if bodiless:
            return Answer(status, headers, b"")
        length = next((value for name, value in headers if name == b"content-length"), None)
        if length is not None and len(first) >= int(length):
            return Answer(status, headers, first)
        self.rest = rest = Rest(self._bridge)
        begun = Answer(status, headers, first, rest)
        self._bridge.loop.call_soon_threadsafe(self._bridge.begun, self, rest, begun)
        for part in parts:
            if part:
                rest.put(part, self._stalled)
        return begun

    def _head(self) -> tuple[int, Headers, bool]:
        """Status, headers, and whether there is no body whatever the application says. Raises ValueError."""
        if not self._status:
            raise ValueError("the application did not start its response")
        status = int(self._status[:3])
        headers: Headers = []
        for name, value in self._headers:
            if "\n" in value or "\r" in value or "\0" in value:
                raise ValueError(f"the header {name} holds a control character")
            headers.append((name.lower().encode("ascii"), value.encode("latin-1")))
        return status, headers, status in _BODILESS or self._environ["REQUEST_METHOD"] == "HEAD"

    def _stalled(self) -> None:
        if self.rest is not None and not self._told_of_stall:
            self._told_of_stall = True
            self._bridge.loop.call_soon_threadsafe(self._bridge.stall, self, self.rest)


class Bridge:
    """Everything here runs on the loop, but for what says otherwise."""

    def __init__(self, app: Wsgi, *, threads: int, limits: Limits) -> None:
        self.app = app
        self.loop: asyncio.AbstractEventLoop
        self._limits = limits
        self._most_stalled = threads // 3
        self._places = threads - self._most_stalled
        self._stalled = 0
        self._streaming: set[Rest] = set()
        self._queue: deque[asyncio.Future[None]] = deque()
        self._jobs: SimpleQueue[_Run | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, name=f"request-{number}", daemon=True)
            for number in range(threads)
        ]

    def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let the threads end. Whoever is being streamed to is cut off."""
        for rest in self._streaming:
            rest.abandon()
        for _ in self._threads:
            self._jobs.put(None)

    async def run(self, environ: Environ, *, again: bool = False) -> Answer:
        """The application's answer. One that has a `rest` is taken to its end, or the rest abandoned.

        Raises Refused; a request that was let in before (`again`) is not turned away because many wait.
        """
        if self._places:
            self._places -= 1
        else:
            if not again and len(self._queue) >= self._limits.queued:
                raise busy("Too many requests at once", retry_after=2)
            await self._place()
        run = _Run(self, environ)
        self._jobs.put(run)
        return await run.answered

    def run_ahead(self) -> int:
        """From any thread: how many bytes may wait for the reader of one response."""
        many = len(self._streaming) > self._limits.many
        return self._limits.run_ahead_when_many if many else self._limits.run_ahead

    def begun(self, run: _Run, rest: Rest, answer: Answer) -> None:
        self._streaming.add(rest)
        if run.answered.cancelled():
            rest.abandon()
        elif self._stalled >= self._most_stalled > 0:
            rest.abandon()
            run.answered.set_exception(busy("Too many downloads at once", retry_after=30))
        else:
            run.answered.set_result(answer)

    def stall(self, run: _Run, rest: Rest) -> None:
        """A thread waits for its reader: another request may have its place, unless too many wait already."""
        if self._stalled < self._most_stalled:
            self._stalled += 1
            run.has_place = False
            self._give_place()
        elif self._most_stalled:
            rest.abandon()

    def finished(self, run: _Run, answer: Answer | None, failed: bool) -> None:
        if run.has_place:
            self._give_place()
        else:
            self._stalled -= 1
        if run.rest is not None:
            self._streaming.discard(run.rest)
            run.rest.end(failed=failed)
        if run.answered.done():
            return
        if answer is None:
            run.answered.set_exception(broken())
        else:
            run.answered.set_result(answer)

    async def _place(self) -> None:
        turn: asyncio.Future[None] = self.loop.create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_place()
            raise

    def _give_place(self) -> None:
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._places += 1

    def _work(self) -> None:
        while (run := self._jobs.get()) is not None:
            run()
            del run
