"""The words of ASGI that are used here."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

UUID_FORM = rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""An id as the application writes it."""


async def until_gone(receive: Receive) -> None:
    """Return when the client has left. The request's body has been read, or is not of interest."""
    while (await receive())["type"] != "http.disconnect":
        pass
