"""An open console is told of what changes in its team, and of nothing else."""

import json
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

from tests.config.conftest import Server, World, running, until

BOB = {"Cookie": "session=bob"}


class Console:
    """What bob's browser hears, event by event."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()

    def next(self) -> tuple[str, dict[str, object]]:
        """The next event, past comments and settings."""
        kind = ""
        for line in self._lines:
            name, _, value = line.partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                return kind, json.loads(value)
        return "end", {}


@contextmanager
def console(server: Server, team: UUID) -> Iterator[Console]:
    with httpx.stream("GET", f"{server.url}/live/{team}", headers=BOB, timeout=10) as response:
        assert response.status_code == 200
        yield Console(response)


def test_bob_sees_what_happens_in_his_team_and_nothing_of_eves(server: Server, world: World) -> None:
    ours, theirs, call = uuid4(), uuid4(), world.pending()
    with console(server, ours) as bob:
        headers = bob.response.headers
        assert headers["content-type"] == "text/event-stream; charset=utf-8"
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"
        assert "content-length" not in headers
        assert "x-riskgate-stream" not in headers
        assert bob.next() == ("refresh", {})
        world.decide(world.pending(), team=theirs)
        decided = world.decide(call, team=ours, status="denied")
        assert bob.next() == ("queue", {"call": str(call), "status": "denied", "revision": 2})
        assert time.monotonic() - decided < 5


def test_a_stranger_hears_nothing(server: Server) -> None:
    response = httpx.get(f"{server.url}/live/{uuid4()}")
    assert response.status_code == 403
    assert response.text == "who are you?"


def test_after_the_connection_was_lost_the_console_is_told_to_load_afresh(
    server: Server, world: World
) -> None:
    with console(server, uuid4()) as bob:
        assert bob.next() == ("refresh", {})
        world.end_hubs()
        assert bob.next() == ("refresh", {})


@pytest.mark.parametrize("status", ["a\n\ndata: {}", "Ä", ""])
def test_nothing_can_be_smuggled_into_the_stream(server: Server, world: World, status: str) -> None:
    team, call = uuid4(), world.pending()
    with console(server, team) as bob:
        bob.next()
        world.notify(json.dumps({"team": str(team), "call": str(call), "status": status, "revision": 1}))
        world.decide(call, team=team)
        assert bob.next() == ("queue", {"call": str(call), "status": "approved", "revision": 2})


def test_who_may_listen_no_longer_is_cut_off(world: World, tmp_path: Path) -> None:
    with running(world, tmp_path, permission_seconds=0.5) as server, console(server, uuid4()) as bob:
        bob.next()
        time.sleep(0.7)
        world.decide(world.pending())
        httpx.get(f"{server.url}/remember/out")
        assert bob.next() == ("end", {})


def test_a_silent_stream_shows_that_it_is_alive(world: World, tmp_path: Path) -> None:
    with (
        running(world, tmp_path, ping_seconds=0.2) as server,
        httpx.stream("GET", f"{server.url}/live/{uuid4()}", headers=BOB) as response,
    ):
        lines = [line for line, _ in zip(response.iter_lines(), range(12), strict=False)]
    assert lines[0] == "retry: 2000"
    assert lines.count(": ping") >= 2


def test_a_console_that_cannot_keep_up_loads_afresh_in_the_end(world: World, tmp_path: Path) -> None:
    team = uuid4()
    with running(world, tmp_path, stream_backlog=4) as server, console(server, team) as bob:
        assert bob.next() == ("refresh", {})
        with world.connect() as connection, connection.transaction():
            for _ in range(50):  # one commit: they are heard in one go
                note = {"team": str(team), "call": str(uuid4()), "status": "pending", "revision": 1}
                connection.execute("SELECT pg_notify('riskgate', %s)", [json.dumps(note)])
        assert bob.next() == ("refresh", {})


def test_more_consoles_than_one_process_takes_are_told_to_come_again(world: World, tmp_path: Path) -> None:
    with running(world, tmp_path, streams=2) as server:
        teams = [uuid4(), uuid4()]
        with console(server, teams[0]) as bob, console(server, teams[1]) as carol:
            assert (bob.next(), carol.next()) == (("refresh", {}), ("refresh", {}))
            response = httpx.get(f"{server.url}/live/{uuid4()}", headers=BOB)
            assert response.status_code == 503
            assert response.headers["retry-after"] == "30"
            assert response.headers["content-type"] == "application/problem+json"

        def free() -> bool:
            with httpx.stream("GET", f"{server.url}/live/{teams[0]}", headers=BOB) as response:
                return response.status_code == 200

        until(free)


def test_a_server_that_ends_closes_its_streams(world: World, tmp_path: Path) -> None:
    with running(world, tmp_path) as server, console(server, uuid4()) as bob:
        bob.next()
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert bob.next() == ("end", {})
        assert server.process.wait(10) == 0
        assert time.monotonic() - began < 10


def test_500_consoles_cost_little(server: Server, world: World) -> None:
    team = uuid4()
    httpx.get(f"{server.url}/echo")
    before, connections = server.memory(), []
    try:
        for _ in range(500):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            connection.sendall(f"GET /live/{team} HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\n\r\n".encode())
            connections.append(connection)
        for connection in connections:
            heard = b""
            while b"refresh" not in heard:
                heard += connection.recv(4096)
        assert (server.memory() - before) / 500 < 50_000
        spent = server.cpu()
        time.sleep(1)
        assert server.cpu() - spent < 0.15
        call = world.pending()
        world.decide(call, team=team)
        for connection in connections:
            heard = b""
            while str(call).encode() not in heard:
                heard += connection.recv(4096)
    finally:
        for connection in connections:
            connection.close()
