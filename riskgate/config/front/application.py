"""What the server calls for every request, and at the beginning and the end of the process."""

import asyncio
import logging
import resource
from collections.abc import Mapping
from typing import Any

from riskgate.config.front.bridge import Answer, Bridge, Truncated, Wsgi
from riskgate.config.front.ending import Ending
from riskgate.config.front.hub import Hub
from riskgate.config.front.limits import Limits
from riskgate.config.front.protocol import Receive, Scope, Send, until_gone
from riskgate.config.front.replies import Refused, send_refusal
from riskgate.config.front.requests import Bodies, ClientGone, environ_of
from riskgate.config.front.streams import STREAM, Streams, team_of
from riskgate.config.front.waiting import WAIT, Waiting, wait_of

log = logging.getLogger("riskgate.front")

WAITED = "riskgate.waited"
"""The environ's key that tells the application that this request has waited: it is answered for good."""

_HANDOVER = frozenset({WAIT, STREAM})


class Front:
    """An ASGI application around a WSGI one, which `threads` threads call.

    `database` is one of Django's DATABASES. The application asks for what only a coroutine can do cheaply by
    headers, which no client ever sees:

    * `X-Riskgate-Wait: <call> <seconds>` on the answer to a GET: hold it until that call changes, then ask
      again; when the seconds have passed, ask a last time, with `riskgate.waited` in the environ.
    * `X-Riskgate-Stream: team:<id>` on a 200 to a GET: tell the client of every change in that team, as
      server-sent events. The request is asked again every minute; another answer ends the stream.
    """

    def __init__(
        self,
        app: Wsgi,
        *,
        database: Mapping[str, Any],
        threads: int,
        public_url: str,
        limits: Limits | None = None,
    ) -> None:
        limits = limits or Limits()
        self._public_url = public_url
        self._limits = limits
        self._bodies = Bodies(limits)
        self._bridge = Bridge(app, threads=threads, limits=limits)
        self._hub = Hub(database, limits)
        self._waiting = Waiting(self._hub, limits)
        self._streams = Streams(self._hub, limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1000})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self._bodies.read(scope, receive)
            try:
                await self._answer(scope, body, receive, send)
            finally:
                self._bodies.release(body)
        except Refused as refused:
            await send_refusal(send, refused, public_url=self._public_url)
        except ClientGone:
            return

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        since = self._hub.mark()
        answer = await self._bridge.run(environ_of(scope, body))
        if not any(name in _HANDOVER for name, _ in answer.headers):
            await self._send(answer, receive, send)
            return

        async def ask(last: bool) -> Answer:
            environ = environ_of(scope, body)
            if last:
                environ[WAITED] = True
            return await self._bridge.run(environ, again=True)

        if scope["method"] == "GET":
            if (wait := wait_of(answer)) is not None:
                later = await self._waiting.hold(answer, wait, since, ask, receive)
                if later is None:
                    return
                answer = later
            elif (team := team_of(answer)) is not None:

                async def allowed() -> bool:
                    try:
                        again = await ask(False)
                    except Refused:
                        return False
                    again.drop()
                    return team_of(again) == team

                await self._streams.serve(answer, team, allowed, receive, send)
                return
        answer.headers = [each for each in answer.headers if each[0] not in _HANDOVER]
        await self._send(answer, receive, send)

    async def _send(self, answer: Answer, receive: Receive, send: Send) -> None:
        rest = answer.rest
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        if rest is None:
            await send({"type": "http.response.body", "body": answer.body})
            return
        gone = asyncio.create_task(until_gone(receive))
        gone.add_done_callback(lambda _: rest.abandon())
        try:
            part: bytes | None = answer.body
            while part is not None:
                async with asyncio.timeout(self._limits.send_seconds):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                part = await rest.next()
            await send({"type": "http.response.body", "body": b""})
        except (Truncated, TimeoutError):
            if not gone.done():
                raise  # the server cuts the connection, so that nobody takes a part for the whole
        finally:
            rest.abandon()
            gone.cancel()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        _allow_files(self._limits.held + self._limits.streams + 1_000)
        self._bridge.start()
        self._hub.start()
        ending = Ending(self._hub.close)
        ending.watch()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        ending.unwatch()
        self._hub.close()
        await self._hub.stop()
        self._bridge.stop()
        await send({"type": "lifespan.shutdown.complete"})


def _allow_files(count: int) -> None:
    """Every connection is an open file; many systems start with 1,024 of them, and allow more to who asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
