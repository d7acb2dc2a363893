"""What it costs to wait: agents for a decision, consoles for anything to happen."""

import http.client
import json
import selectors
import socket
import threading
import time
from collections.abc import Iterator

from tests.benchmarks import actions
from tests.benchmarks.house import House, the_house
from tests.benchmarks.table import Row

AGENTS = 200
CONSOLES = 500
KB = 1000


def rows(quick: bool) -> Iterator[Row]:
    house = the_house()
    agents = 20 if quick else AGENTS
    key = house.world.api_key
    calls = [_pending(house, key) for _ in range(agents)]
    _warm(house, key, calls)
    before = _connections(house)
    waiting = [_waiter(house, key, call) for call in calls]
    time.sleep(0.5 if quick else 3)  # all of them are inside
    yield Row("database connections that listen, agents waiting", len(_listening(house)), "", at_most=1)
    yield Row("database connections more than before they came", _connections(house) - before, "", at_most=0)
    late = sorted(_decide_all(house, calls, waiting))
    many = f"{agents} agents wait"
    yield Row(f"decision committed to answer, {many}, median", late[len(late) // 2], "ms")
    yield Row(f"decision committed to answer, {many}, p95", late[len(late) * 95 // 100], "ms", at_most=300)
    consoles = 20 if quick else CONSOLES
    yield Row(
        f"one of {consoles} open console streams", _console_bytes(house, consoles) / KB, "kB", at_most=50
    )


def _pending(house: House, key: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", house.port)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Host": "localhost"}
    connection.request("POST", "/api/v1/actions", actions.body(actions.medium("waiting")), headers)
    answer = connection.getresponse()
    told = json.loads(answer.read())
    connection.close()
    if answer.status != 202:
        raise RuntimeError(f"{answer.status}: {told}")
    return str(told["id"])


def _waiter(house: House, key: str, call: str, seconds: int = 50) -> socket.socket:
    agent = socket.create_connection(("127.0.0.1", house.port))
    agent.sendall(
        f"GET /api/v1/actions/{call}?wait={seconds} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {key}\r\n\r\n".encode()
    )
    return agent


def _warm(house: House, key: str, calls: list[str]) -> None:
    """Many requests at once, until the web process opens no further connection for them."""
    seen = [-1]
    while len(seen) < 4 or seen[-1] > seen[-3]:
        asked = [_waiter(house, key, call, 0) for call in calls * (AGENTS // len(calls))]
        for each in asked:
            each.recv(65536)
            each.close()
        seen.append(_connections(house))


def _connections(house: House) -> int:
    with house.connect() as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        ).fetchone()
    return int(str(row and row[0]))


def _listening(house: House) -> list[tuple[object, ...]]:
    with house.connect() as connection:
        return connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'riskgate hub'"
        ).fetchall()


def _decide_all(house: House, calls: list[str], waiting: list[socket.socket]) -> list[float]:
    """Bob denies one after the other; milliseconds from each commit to the last byte of the agent's answer."""
    from uuid import UUID

    from riskgate.services import approvals

    bob = house.world.bob
    came: dict[str, float] = {}
    watched = selectors.DefaultSelector()
    for call, agent in zip(calls, waiting, strict=True):
        watched.register(agent, selectors.EVENT_READ, call)

    def hear() -> None:
        while len(came) < len(calls):
            found = watched.select(60)
            now = time.perf_counter()
            if not found:
                return
            for key, _ in found:
                told = key.fileobj.recv(65536)  # type: ignore[union-attr]
                if b'"denied"' not in told:
                    raise RuntimeError(told.decode())
                came[key.data] = now
                watched.unregister(key.fileobj)

    hearing = threading.Thread(target=hear)
    hearing.start()
    decided = {}
    for call in calls:
        approvals.deny(member=bob, call_id=UUID(call))
        decided[call] = time.perf_counter()
    hearing.join()
    for agent in waiting:
        agent.close()
    if len(came) < len(calls):
        raise RuntimeError(f"only {len(came)} of {len(calls)} agents were answered")
    return [(came[call] - decided[call]) * 1000 for call in calls]


def _console_bytes(house: House, count: int) -> float:
    """Memory of the web process for each open stream."""
    from tests.web.pages import signed_in

    browser = signed_in(house.world, "bob")
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())

    def consoles(number: int) -> list[socket.socket]:
        opened = []
        for _ in range(number):
            console = socket.create_connection(("127.0.0.1", house.port))
            console.sendall(f"GET /live HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies}\r\n\r\n".encode())
            opened.append(console)
        for console in opened:
            told = b""
            while b"event: refresh" not in told:
                part = console.recv(4096)
                told += part
                if not part or not told.startswith(b"HTTP/1.1 200"):
                    raise RuntimeError(told.decode())
        return opened

    first = consoles(20)
    time.sleep(0.5)
    before = house.web_memory()
    opened = consoles(count)
    time.sleep(0.5)
    after = house.web_memory()
    for console in (*first, *opened):
        console.close()
    return (after - before) / count
