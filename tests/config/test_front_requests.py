"""Requests and responses pass through the front as they are, or not at all."""

import hashlib
import http.client
import json
import os
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.config.conftest import Server, World, running, until

MIB = 1 << 20


def raw(server: Server, request: bytes, seconds: float = 10) -> bytes:
    """What the server says to exactly these bytes, until it closes the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as connection:
        connection.sendall(request)
        said = b""
        while part := connection.recv(65_536):
            said += part
        return said


def http_json(answer: bytes) -> dict[str, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 "), answer
    told: dict[str, str] = json.loads(body)
    return told


def unread(server: Server, path: str) -> socket.socket:
    """A client that asks, and does not read what it gets."""
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    return connection


def get(server: Server, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=15)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize("size", [0, 1, 65_536, 4 * MIB])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_arrives_byte_for_byte(server: Server, size: int, chunked: bool) -> None:
    body = os.urandom(size)

    def parts() -> Iterator[bytes]:
        for start in range(0, size, 10_000):
            yield body[start : start + 10_000]

    told = httpx.post(f"{server.url}/echo", content=parts() if chunked else body).json()

    assert told["length"] == size
    assert told["sha256"] == hashlib.sha256(body).hexdigest()
    assert told.get("CONTENT_LENGTH", "0") == str(size)
    assert "HTTP_TRANSFER_ENCODING" not in told


def test_a_body_that_says_it_is_too_large_is_refused_before_it_is_sent(server: Server) -> None:
    answer = raw(
        server, b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5242881\r\nConnection: close\r\n\r\n"
    )

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"content-type: application/problem+json" in answer
    assert b"https://gate.example.org/api/docs/problems#body-too-large" in answer


def test_a_body_that_turns_out_too_large_is_refused_and_not_kept(server: Server) -> None:
    before = server.memory()

    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 65_536

    # The server closes while the client still sends: it may learn of that before it reads why.
    try:
        status = httpx.post(f"{server.url}/echo", content=endless()).status_code
    except (httpx.WriteError, httpx.ReadError):
        status = 413

    assert status == 413
    assert server.memory() - before < 40 * MIB


def test_the_largest_body_is_let_in(server: Server) -> None:
    assert httpx.post(f"{server.url}/echo", content=b"x" * 5 * MIB).json()["length"] == 5 * MIB


def test_a_client_that_leaves_in_the_middle_of_its_body_is_forgotten(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf")
    assert httpx.get(f"{server.url}/echo").status_code == 200
    time.sleep(0.2)
    assert b"Traceback" not in server.log.read_bytes()


def test_bodies_that_trickle_or_come_all_at_once_are_turned_away(
    world: World, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running(world, tmp_path_factory.mktemp("front"), body_seconds=0.4, bodies=1000) as server:
        slow = raw(
            server, b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nConnection: close\r\n\r\nhalf"
        )
        assert slow.startswith(b"HTTP/1.1 408 ")
        answer = httpx.post(f"{server.url}/echo", content=b"x" * 2000)
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "2"
        for _ in range(3):
            assert httpx.post(f"{server.url}/echo", content=b"x" * 1000).status_code == 200


def test_the_path_and_the_query_come_as_they_were_sent(server: Server) -> None:
    answer = raw(
        server, b"GET /a%20b/%C3%BC%FF/%2e?q=%20a&b=%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    )
    told = http_json(answer)

    assert told["PATH_INFO"].encode("latin-1") == b"/a b/\xc3\xbc\xff/."
    assert told["QUERY_STRING"] == "q=%20a&b=%zz"
    assert (told["REMOTE_ADDR"], told["SERVER_PROTOCOL"], told["SCRIPT_NAME"]) == (
        "127.0.0.1",
        "HTTP/1.1",
        "",
    )
    assert told["wsgi.url_scheme"] == "http"


def test_headers_that_come_twice_are_one_and_a_second_host_is_refused(server: Server) -> None:
    told = httpx.get(
        f"{server.url}/echo",
        headers=[
            ("X-A", "1"),
            ("x-a", "2"),
            ("Cookie", "a=1"),
            ("cookie", "b=2"),
            ("Content-Type", "text/plain"),
        ],
    ).json()
    assert (told["HTTP_X_A"], told["HTTP_COOKIE"], told["CONTENT_TYPE"]) == ("1,2", "a=1;b=2", "text/plain")

    answer = raw(server, b"GET /echo HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")


def test_no_header_of_a_client_passes_for_one_of_the_proxy_or_of_the_application(server: Server) -> None:
    told = httpx.get(
        f"{server.url}/echo",
        headers={"X_Forwarded_For": "6.6.6.6", "riskgate.waited": "1", "X-Riskgate-Wait": "a 5"},
    ).json()
    assert "HTTP_X_FORWARDED_FOR" not in told
    assert "riskgate.waited" not in told


def test_a_header_cannot_be_split(server: Server) -> None:
    answer = raw(server, b"GET /splits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 500 ")
    assert b"injected" not in answer.lower()
    assert b"application/problem+json" in answer


def test_a_failure_says_nothing_about_the_inside(server: Server) -> None:
    answer = httpx.get(f"{server.url}/fails")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret" not in answer.text
    assert b"a secret about the inside" in server.log.read_bytes()


def test_a_response_that_breaks_off_does_not_look_whole(server: Server) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(f"{server.url}/breaks")


def test_head_is_get_without_its_body(server: Server) -> None:
    with_body = httpx.get(f"{server.url}/echo")
    without = httpx.head(f"{server.url}/echo")
    assert without.content == b""
    assert abs(int(without.headers["content-length"]) - len(with_body.content)) < 10
    assert httpx.head(f"{server.url}/endless/1000").content == b""


def test_a_large_response_goes_out_in_constant_memory(server: Server) -> None:
    httpx.get(f"{server.url}/endless/10")
    before, most, size = server.memory(), 0, 0
    with httpx.stream("GET", f"{server.url}/endless/1600") as response:
        for part in response.iter_raw():
            size += len(part)
            if size % (8 * MIB) < len(part):
                most = max(most, server.memory())
    assert size == 100 * MIB
    assert most - before < 12 * MIB


def test_readers_that_do_not_read_keep_nobody_else_waiting(server: Server, world: World) -> None:
    connections = [unread(server, "/endless/1600") for _ in range(12)]
    try:
        time.sleep(0.5)
        assert [get(server, "/echo") for _ in range(20)] == [200] * 20
    finally:
        for connection in connections:
            connection.close()
    until(lambda: httpx.get(f"{server.url}/told").json() == ["closed"] * 12)
    assert httpx.get(f"{server.url}/endless/100").status_code == 200


def test_two_downloads_that_stand_still_cost_two_threads_and_little_memory(server: Server) -> None:
    httpx.get(f"{server.url}/echo")
    before = server.memory()
    connections = [unread(server, "/endless/1600") for _ in range(2)]
    try:
        time.sleep(0.5)
        assert server.memory() - before < 12 * MIB
        answer = httpx.get(f"{server.url}/endless/1600")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
        with ThreadPoolExecutor(4) as pool:
            assert set(pool.map(lambda _: get(server, "/meet"), range(4))) == {200}
    finally:
        for connection in connections:
            connection.close()
    until(lambda: httpx.get(f"{server.url}/told").json() == ["closed"] * 3)


def test_close_is_called_when_the_client_leaves(server: Server) -> None:
    with httpx.stream("GET", f"{server.url}/endless/1000000000") as response:
        next(response.iter_raw())
    until(lambda: httpx.get(f"{server.url}/told").json() == ["closed"])


def test_a_reader_that_stops_is_cut_off(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    with (
        running(world, tmp_path_factory.mktemp("front"), send_seconds=0.5) as server,
        unread(server, "/endless/1000000000"),
    ):
        until(lambda: httpx.get(f"{server.url}/told").json() == ["closed"])


def test_more_requests_than_may_queue_are_told_to_come_again(
    world: World, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with (
        running(world, tmp_path_factory.mktemp("front"), queued=2) as server,
        ThreadPoolExecutor(20) as pool,
    ):
        statuses = sorted(pool.map(lambda _: get(server, "/slow"), range(20)))
    assert set(statuses) == {200, 503}
    assert statuses.count(200) >= 6


def test_a_kept_connection_serves_request_after_request(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    for size in (0, 5, 100_000, 3):
        connection.request("POST", "/echo", body=b"x" * size)
        assert connection.getresponse().read()
    connection.close()
