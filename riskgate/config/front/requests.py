"""From an ASGI scope to a WSGI environ (PEP 3333), and the body that belongs to it."""

import asyncio
import sys
from functools import lru_cache
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.util import FileWrapper

from riskgate.config.front.limits import Limits
from riskgate.config.front.protocol import Receive, Scope
from riskgate.config.front.replies import Refused, busy

Environ = dict[str, Any]

FILE_PART = 1 << 16
_BODILESS = frozenset({"GET", "HEAD", "OPTIONS"})


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


class _File(FileWrapper):
    """Files go out in parts of one size; the 4 KiB that Django asks for cost more than they save."""

    def __init__(self, filelike: Any, blksize: int = FILE_PART) -> None:
        super().__init__(filelike, FILE_PART)


@lru_cache(maxsize=512)
def _key(name: bytes) -> str | None:
    """The environ's key of a header. None: `a_b` could pass for `a-b`, which a proxy may have set."""
    if b"_" in name:
        return None
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


def environ_of(scope: Scope, body: bytes) -> Environ:
    """The environ of a request. Raises Refused for one that names its host twice."""
    raw_path = scope.get("raw_path")
    path = unquote_to_bytes(raw_path) if raw_path else scope["path"].encode("utf-8", "surrogateescape")
    client, server = scope.get("client"), scope.get("server") or ("localhost", 80)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": path.decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0] if client else "",
        "REMOTE_PORT": str(client[1]) if client else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
        "wsgi.file_wrapper": _File,
    }
    for name, value in scope["headers"]:
        key = _key(name)
        if key is None:
            continue
        text = value.decode("latin-1")
        if key not in environ:
            environ[key] = text
        elif key == "HTTP_HOST":
            raise Refused(HTTPStatus.BAD_REQUEST, "More than one host is named: send one Host header.")
        else:
            environ[key] += (";" if key == "HTTP_COOKIE" else ",") + text
    # The body is whole by now, however it came.
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    if body or "CONTENT_LENGTH" in environ:
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


class Bodies:
    """Reads the bodies of requests into memory, each and all together within their bounds."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held = 0

    async def read(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body; the caller gives its size back with `release`. Raises Refused and ClientGone."""
        length = None
        expected = scope["method"] not in _BODILESS or scope["http_version"] not in ("1.1", "1.0")
        for name, value in scope["headers"]:
            if name == b"content-length":
                length = int(value) if value.isdigit() else 0
                expected = True
            elif name == b"transfer-encoding":
                expected = True
        if not expected:
            return b""
        if length is not None and length > self._limits.body:
            raise self._too_large()
        message = await self._next(receive, self._limits.body_seconds)
        body: bytes = message.get("body", b"")
        if not message.get("more_body"):
            self._hold(body, 0)
            return body
        return await self._collect(body, receive)

    def release(self, body: bytes) -> None:
        self._held -= len(body)

    async def _collect(self, first: bytes, receive: Receive) -> bytes:
        parts, size, more = [first], 0, True
        deadline = asyncio.get_running_loop().time() + self._limits.body_seconds
        try:
            self._hold(first, 0)
            size = len(first)
            while more:
                message = await self._next(receive, deadline - asyncio.get_running_loop().time())
                part = message.get("body", b"")
                self._hold(part, size)
                parts.append(part)
                size += len(part)
                more = message.get("more_body", False)
        except BaseException:
            self._held -= size
            raise
        return b"".join(parts)

    async def _next(self, receive: Receive, seconds: float) -> Any:
        try:
            async with asyncio.timeout(seconds):
                message = await receive()
        except TimeoutError:
            raise Refused(HTTPStatus.REQUEST_TIMEOUT, "The body took too long to arrive.") from None
        if message["type"] == "http.disconnect":
            raise ClientGone
        return message

    def _hold(self, part: bytes, before: int) -> None:
        if before + len(part) > self._limits.body:
            raise self._too_large()
        if part and self._held + len(part) > self._limits.bodies:
            raise busy("Too much is being sent at once", retry_after=2)
        self._held += len(part)

    def _too_large(self) -> Refused:
        return Refused(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"No body may have more than {self._limits.body} bytes.",
            "body-too-large",
        )
