"""Open consoles: each is told what changes in its team, for as long as it may know."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from riskgate.config.front.bridge import Answer
from riskgate.config.front.hub import Full, Hub, Listener
from riskgate.config.front.limits import Limits
from riskgate.config.front.protocol import UUID_FORM, Headers, Receive, Send, until_gone
from riskgate.config.front.replies import busy

STREAM = b"x-riskgate-stream"
_FORM = re.compile(rb"team:(" + UUID_FORM + rb")")
_BEGIN = b"retry: 2000\n\n"
_PING = b": ping\n\n"
# They speak of the body that the application gave, which is not sent.
_OF_THE_BODY = frozenset(
    {b"content-type", b"content-length", b"content-encoding", b"cache-control", b"etag", b"last-modified"}
)

Allowed = Callable[[], Awaitable[bool]]


def team_of(answer: Answer) -> str | None:
    """The team whose changes this answer asks to be told, if it does."""
    for name, value in answer.headers if answer.rest is None else ():
        if name == STREAM and answer.status == HTTPStatus.OK and (match := _FORM.fullmatch(value)):
            return match[1].decode()
    return None


class Streams:
    def __init__(self, hub: Hub, limits: Limits) -> None:
        self._hub = hub
        self._limits = limits

    async def serve(self, answer: Answer, team: str, allowed: Allowed, receive: Receive, send: Send) -> None:
        """Until the client leaves, is too slow, may no longer listen, or the process ends. Raises Refused."""
        try:
            if self._hub.closing:
                raise Full
            with self._hub.listener(team) as listener:
                gone = asyncio.create_task(until_gone(receive))
                gone.add_done_callback(lambda _: listener.wake())
                try:
                    await send({"type": "http.response.start", "status": 200, "headers": _headers(answer)})
                    await self._tell(listener, allowed, gone, send)
                    await send({"type": "http.response.body", "body": b""})
                except TimeoutError:  # it loads the page afresh when it comes back
                    return
                finally:
                    gone.cancel()
        except Full:
            raise busy("Too many consoles are open", retry_after=30) from None

    async def _tell(self, listener: Listener, allowed: Allowed, gone: asyncio.Task[None], send: Send) -> None:
        clock = asyncio.get_running_loop().time
        await self._send(_BEGIN, send)
        ping = clock() + self._limits.ping_seconds
        check = clock() + self._next_check()
        while True:
            await listener.sleep(min(ping, check) - clock())
            if gone.done() or self._hub.closing:
                return
            if clock() >= check:
                if not await allowed():
                    return
                check = clock() + self._next_check()
            said = listener.take() or (_PING if clock() >= ping else b"")
            if said:
                await self._send(said, send)
                ping = clock() + self._limits.ping_seconds

    async def _send(self, text: bytes, send: Send) -> None:
        async with asyncio.timeout(self._limits.send_seconds):
            await send({"type": "http.response.body", "body": text, "more_body": True})

    def _next_check(self) -> float:
        """Consoles that were opened in one moment are not all checked in one."""
        return self._limits.permission_seconds * random.uniform(0.8, 1)


def _headers(answer: Answer) -> Headers:
    return [
        *((name, value) for name, value in answer.headers if name not in _OF_THE_BODY and name != STREAM),
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),  # nginx in front would collect events
    ]
