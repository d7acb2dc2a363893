"""Learns from the signal itself that the process is to end.

The server waits for open requests before it says so, and those that are held here would stay open for as long
as they may. And a signal can be lost: asyncio passes it through the pipe that also carries every call from a
thread, and drops it when that pipe is full. So it is raised again, every second, until the server says that the
process ends.
"""

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_REMIND_SECONDS = 1.0


class Ending:
    """`begin` is called once, on the loop. Whatever else handles the signals still does."""

    def __init__(self, begin: Callable[[], None]) -> None:
        self._begin = begin
        self._before: dict[int, Any] = {}
        self._loop: asyncio.AbstractEventLoop
        self._reminder: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """On the loop. Outside the main thread there are no signals, and nothing is watched."""
        self._loop = asyncio.get_running_loop()
        if threading.current_thread() is not threading.main_thread():
            return
        for number in _SIGNALS:
            self._before[number] = signal.getsignal(number)
            signal.signal(number, self._handle)
            signal.siginterrupt(number, False)

    def unwatch(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._reminder is not None:
            self._reminder.cancel()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._loop.call_soon_threadsafe(self._heard, number)
        handler = self._before[number]
        if callable(handler):
            handler(number, frame)

    def _heard(self, number: int) -> None:
        if self._reminder is None:
            self._begin()
            self._reminder = self._loop.call_later(_REMIND_SECONDS, self._remind, number)

    def _remind(self, number: int) -> None:
        self._reminder = self._loop.call_later(_REMIND_SECONDS, self._remind, number)
        signal.raise_signal(number)
