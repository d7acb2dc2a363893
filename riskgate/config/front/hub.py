"""Hears from the database which calls changed, once for the whole process, and wakes those who wait for them.

One connection listens. Whoever waits takes a `mark` before reading the state to wait on: what was heard since
that mark counts, so that nothing is lost between reading and waiting. A connection that was away may have
missed anything: then everybody looks again.
"""

import asyncio
import json
import logging
import random
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo

from riskgate.config.front.limits import Limits

log = logging.getLogger("riskgate.front")

CHANNEL = "riskgate"
REFRESH = b"event: refresh\ndata: {}\n\n"

_REMEMBERED = 4_096  # calls; more than change while a request is being answered
_PROBE_SECONDS = 20
_PROBE_TIMEOUT = 5
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 5.0
_STATUS = re.compile(r"[a-z_]{1,32}")

W = TypeVar("W", bound="Waiter")


class Full(Exception):
    """There are as many waiters as one process takes on."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment in what was heard."""

    session: int
    number: int


@dataclass(frozen=True, slots=True)
class Change:
    """One notification: that a call of a team is at this revision now."""

    team: str
    call: str
    event: bytes
    """As an open console gets it."""


def change_of(payload: str) -> Change | None:
    """None for what is not of the form {"team": uuid, "call": uuid, "status": text, "revision": number}."""
    try:
        told = json.loads(payload)
        team, call = str(UUID(told["team"])), str(UUID(told["call"]))
        status, revision = told["status"], told["revision"]
        if type(revision) is not int or not _STATUS.fullmatch(status):
            return None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    data = json.dumps({"call": call, "status": status, "revision": revision}, separators=(",", ":"))
    return Change(team, call, f"event: queue\ndata: {data}\n\n".encode())


class Waiter:
    """Something that sleeps until it is woken. A wake that comes before the sleep counts."""

    __slots__ = ("_woken",)

    def __init__(self) -> None:
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def sleep(self, seconds: float) -> None:
        """Return when woken, or after so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()


class Listener(Waiter):
    """An open console: what changed and was not taken yet, the newest of each call.

    It begins with a refresh: something may have changed since the page was made that now listens.
    """

    __slots__ = ("_backlog", "_most")

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._backlog: dict[str, bytes] | None = None  # None: too much, or unknown
        self.wake()

    def tell(self, change: Change) -> None:
        if self._backlog is not None:
            self._backlog.pop(change.call, None)
            self._backlog[change.call] = change.event
            if len(self._backlog) > self._most:
                self._backlog = None
        self.wake()

    def refresh(self) -> None:
        self._backlog = None
        self.wake()

    def take(self) -> bytes:
        """What there is to say since the last time, as events; empty if nothing."""
        said = REFRESH if self._backlog is None else b"".join(self._backlog.values())
        self._backlog = {}
        return said


class Hub:
    """`database` is one of Django's DATABASES. Everything runs on the loop that called `start`."""

    def __init__(self, database: Mapping[str, Any], limits: Limits) -> None:
        self._conninfo = _conninfo(database)
        self._limits = limits
        self._waiters: dict[str, set[Waiter]] = {}
        self._listeners: dict[str, set[Listener]] = {}
        self._waiting = self._open = 0
        self._session = self._number = self._forgotten = 0
        self._heard: OrderedDict[str, int] = OrderedDict()
        self._task: asyncio.Task[None] | None = None
        self.listening = False
        self.closing = False

    def start(self) -> None:
        self._task = asyncio.create_task(self._listen(), name="hub")

    def close(self) -> None:
        """Wake everybody for the last time: `closing` says why."""
        self.closing = True
        self._wake_waiters()
        self._refresh_listeners()

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def mark(self) -> Mark:
        return Mark(self._session, self._number)

    @contextmanager
    def waiter(self, call: str, since: Mark) -> Iterator[Waiter]:
        """Woken by every change of the call after the mark. Raises Full."""
        around = self._waiters.get(call, ())
        if self._waiting >= self._limits.held or len(around) >= max(1, self._limits.held // 2):
            raise Full
        waiter = Waiter()
        if self._missed(call, since):
            waiter.wake()
        self._waiting += 1
        self._waiters.setdefault(call, set()).add(waiter)
        try:
            yield waiter
        finally:
            self._waiting -= 1
            _leave(self._waiters, call, waiter)

    @contextmanager
    def listener(self, team: str) -> Iterator[Listener]:
        """Told of every change in the team from now on. Raises Full."""
        around = self._listeners.get(team, ())
        if self._open >= self._limits.streams or len(around) >= max(1, self._limits.streams // 2):
            raise Full
        listener = Listener(self._limits.stream_backlog)
        self._open += 1
        self._listeners.setdefault(team, set()).add(listener)
        try:
            yield listener
        finally:
            self._open -= 1
            _leave(self._listeners, team, listener)

    def _missed(self, call: str, since: Mark) -> bool:
        return (
            since.session != self._session
            or self._forgotten > since.number
            or self._heard.get(call, 0) > since.number
            or self.closing
        )

    def _hear(self, payload: str) -> None:
        change = change_of(payload)
        if change is None:
            log.warning("a notification on the channel %s was not understood", CHANNEL)
            return
        self._number += 1
        self._heard[change.call] = self._number
        self._heard.move_to_end(change.call)
        if len(self._heard) > _REMEMBERED:
            _, self._forgotten = self._heard.popitem(last=False)
        for waiter in self._waiters.get(change.call, ()):
            waiter.wake()
        for listener in self._listeners.get(change.team, ()):
            listener.tell(change)

    def _wake_waiters(self) -> None:
        for waiters in self._waiters.values():
            for waiter in waiters:
                waiter.wake()

    def _refresh_listeners(self) -> None:
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.refresh()

    async def _listen(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            try:
                opening = psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
                async with await opening as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    if self._session:
                        log.info("notifications are heard again")
                    self._session += 1
                    self.listening = True
                    self._wake_waiters()
                    self._refresh_listeners()
                    pause = _FIRST_PAUSE
                    await self._hear_all(connection)
            except (psycopg.Error, OSError, TimeoutError) as error:
                told = log.debug if pause > _FIRST_PAUSE else log.warning
                reason = " ".join(str(error).split()) or type(error).__name__
                told("notifications cannot be heard: %s", reason)
            if self.listening:
                self.listening = False
                self._session += 1
                self._wake_waiters()  # they look for themselves until it is heard again
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _hear_all(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Until the connection is lost. A silent one is asked now and then whether it is still there."""
        while True:
            async for notification in connection.notifies(timeout=_PROBE_SECONDS):
                self._hear(notification.payload)
            async with asyncio.timeout(_PROBE_TIMEOUT):
                await connection.execute("SELECT 1")


def _leave(waiting: dict[str, set[W]], key: str, waiter: W) -> None:
    waiting[key].discard(waiter)
    if not waiting[key]:
        del waiting[key]


def _conninfo(database: Mapping[str, Any]) -> str:
    """libpq's description of one of Django's databases; the settings of Django's own pool are not for us."""
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    parts = {name: database[key] for key, name in names.items() if database.get(key)}
    options = {name: value for name, value in database.get("OPTIONS", {}).items() if isinstance(value, str)}
    return make_conninfo(**{"connect_timeout": "5", **options, **parts, "application_name": "riskgate hub"})
