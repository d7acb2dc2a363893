"""Agents that wait: a request is held until the call it asks about has changed, then answered afresh."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from riskgate.config.front.bridge import Answer
from riskgate.config.front.hub import Full, Hub, Mark
from riskgate.config.front.limits import Limits
from riskgate.config.front.protocol import UUID_FORM, Receive, until_gone
from riskgate.config.front.replies import Refused

WAIT = b"x-riskgate-wait"
_FORM = re.compile(rb"(" + UUID_FORM + rb") ([0-9]{1,2})")

Ask = Callable[[bool], Awaitable[Answer]]
"""Runs the request again; True says that this is the last time, so that the application answers for good."""


@dataclass(frozen=True, slots=True)
class Wait:
    """What the application says of an answer that may be worth waiting to improve."""

    call: str
    seconds: int


def wait_of(answer: Answer) -> Wait | None:
    for name, value in answer.headers if answer.rest is None else ():
        if name == WAIT and (match := _FORM.fullmatch(value)):
            return Wait(match[1].decode(), int(match[2]))
    return None


class Waiting:
    def __init__(self, hub: Hub, limits: Limits) -> None:
        self._hub = hub
        self._limits = limits
        # While nothing can be heard all look for themselves, and must not crowd out those who do not wait.
        self._rechecks = asyncio.Semaphore(2)

    async def hold(self, first: Answer, wait: Wait, since: Mark, ask: Ask, receive: Receive) -> Answer | None:
        """The answer after waiting; None when the client has left. `since` is older than `first`."""
        try:
            with self._hub.waiter(wait.call, since) as waiter:
                gone = asyncio.create_task(until_gone(receive))
                gone.add_done_callback(lambda _: waiter.wake())
                try:
                    return await self._hold(wait, waiter.sleep, ask, gone)
                finally:
                    gone.cancel()
        except Full:
            return first

    async def _hold(
        self, wait: Wait, sleep: Callable[[float], Awaitable[None]], ask: Ask, gone: asyncio.Task[None]
    ) -> Answer | None:
        clock = asyncio.get_running_loop().time
        deadline = clock() + wait.seconds
        while True:
            left = deadline - clock()
            if not self._hub.closing and left > 0:
                await sleep(left if self._hub.listening else min(left, self._limits.recheck_seconds))
            if gone.done():
                return None
            if self._hub.closing or clock() >= deadline:
                return await ask(True)
            answer = await self._look(ask, deadline)
            if answer is not None and wait_of(answer) is None:
                return answer

    async def _look(self, ask: Ask, deadline: float) -> Answer | None:
        """What the application answers now; None when that could not be asked, or was an answer of no use."""
        if self._hub.listening:
            return await ask(False)
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout_at(deadline):
                    await stack.enter_async_context(self._rechecks)
            except TimeoutError:
                return None
            # A database that cannot be heard cannot be read either: no reason to stop waiting for it.
            try:
                answer = await ask(False)
            except Refused:
                if self._hub.listening:
                    raise
                return None
            if answer.status >= 500 and not self._hub.listening:
                answer.drop()
                return None
            return answer
