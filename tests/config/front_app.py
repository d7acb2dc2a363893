"""A small WSGI application behind the front, for a real server to run. Its calls stand in their own table."""

import hashlib
import json
import os
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

import psycopg
from psycopg.conninfo import conninfo_to_dict

from riskgate.config.front import Front, Limits

DATABASE_URL = os.environ["FRONT_DATABASE_URL"]
PART = b"x" * 65_536
FOUR = threading.Barrier(4)


def app(environ: dict[str, Any], start_response: Any) -> Any:
    view = VIEWS.get(environ["PATH_INFO"].split("/")[1], echo)
    return view(environ, start_response)


def echo(environ: dict[str, Any], start_response: Any) -> Any:
    body = environ["wsgi.input"].read()
    told = {key: value for key, value in environ.items() if isinstance(value, str)}
    told |= {"length": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    return _answer(start_response, json.dumps(told))


def endless(environ: dict[str, Any], start_response: Any) -> Any:
    """So many parts of 64 KiB; `CLOSED` says afterwards that close() was called."""
    count = int(environ["PATH_INFO"].split("/")[2])
    start_response("200 OK", [("Content-Type", "application/octet-stream")])
    return Parts(count)


class Parts:
    def __init__(self, count: int) -> None:
        self.left = count

    def __iter__(self) -> Iterator[bytes]:
        while self.left:
            self.left -= 1
            yield PART

    def close(self) -> None:
        _remember("closed")


def breaks(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain")])
    yield b"the beginning"
    time.sleep(0.05)
    raise RuntimeError("a secret about the inside")


def fails(environ: dict[str, Any], start_response: Any) -> Any:
    raise RuntimeError("a secret about the inside")


def splits(environ: dict[str, Any], start_response: Any) -> Any:
    start_response("200 OK", [("X-Given", "a\r\nX-Injected: yes")])
    return [b"body"]


def slow(environ: dict[str, Any], start_response: Any) -> Any:
    time.sleep(0.5)
    return _answer(start_response, "slept")


def meet(environ: dict[str, Any], start_response: Any) -> Any:
    """Answered when four are being answered at one time."""
    FOUR.wait(10)
    return _answer(start_response, "met")


def told(environ: dict[str, Any], start_response: Any) -> Any:
    return _answer(start_response, json.dumps(_memory()))


def wait(environ: dict[str, Any], start_response: Any) -> Any:
    """/wait/<call>/<seconds>: worth waiting for while it is pending."""
    _, _, call, seconds = environ["PATH_INFO"].split("/")
    with psycopg.connect(DATABASE_URL) as connection:
        row = connection.execute("SELECT status FROM calls WHERE id = %s", [UUID(call)]).fetchone()
        if environ["QUERY_STRING"] == "late":
            time.sleep(0.5)  # what was read is old by the time it is answered
    assert row is not None
    waited = environ.get("riskgate.waited", False)
    headers = []
    if row[0] == "pending" and not waited:
        headers.append(("X-Riskgate-Wait", f"{call} {seconds}"))
    return _answer(start_response, json.dumps({"status": row[0], "waited": waited}), headers)


def live(environ: dict[str, Any], start_response: Any) -> Any:
    """/live/<team>, for those who have a cookie, while `memory` does not say that they are out."""
    team = environ["PATH_INFO"].split("/")[2]
    if "HTTP_COOKIE" not in environ or "out" in _memory():
        return _answer(start_response, "who are you?", status="403 Forbidden")
    headers = [
        ("X-Riskgate-Stream", f"team:{team}"),
        ("X-Frame-Options", "DENY"),
        ("Content-Type", "text/html"),
    ]
    return _answer(start_response, "", headers)


def post_that_asks(environ: dict[str, Any], start_response: Any) -> Any:
    _remember("post")
    asked = parse_qs(environ["QUERY_STRING"])
    return _answer(start_response, "done", [("X-Riskgate-Wait", f"{asked['call'][0]} 5")])


def remember(environ: dict[str, Any], start_response: Any) -> Any:
    _remember(environ["PATH_INFO"].split("/")[2])
    return _answer(start_response, "")


VIEWS = {
    "endless": endless,
    "breaks": breaks,
    "fails": fails,
    "splits": splits,
    "slow": slow,
    "meet": meet,
    "told": told,
    "wait": wait,
    "live": live,
    "post": post_that_asks,
    "remember": remember,
}


def _answer(start_response: Any, text: str, headers: Any = (), status: str = "200 OK") -> list[bytes]:
    body = text.encode()
    start_response(status, [("Content-Length", str(len(body))), *headers])
    return [body]


def _remember(what: str) -> None:
    with psycopg.connect(DATABASE_URL, autocommit=True) as connection:
        connection.execute("INSERT INTO memory (what) VALUES (%s)", [what])


def _memory() -> list[str]:
    with psycopg.connect(DATABASE_URL) as connection:
        return [row[0] for row in connection.execute("SELECT what FROM memory")]


def database() -> dict[str, Any]:
    """As Django describes it."""
    parts = dict(conninfo_to_dict(DATABASE_URL))
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    described = {key: str(parts.pop(name, "") or "") for key, name in names.items()}
    return {**described, "OPTIONS": {**parts, "pool": {"max_size": 6}}}


application = Front(
    app,
    database=database(),
    threads=6,
    public_url="https://gate.example.org",
    limits=Limits(**json.loads(os.environ.get("FRONT_LIMITS", "{}"))),
)
