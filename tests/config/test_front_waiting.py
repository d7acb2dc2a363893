"""An agent that waits is answered when somebody decides, whatever happens to the server in between."""

import http.client
import json
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

from riskgate.cli.embedded import postgres
from tests.config.conftest import Server, World, running, until


def ask(server: Server, call: UUID, seconds: int = 20, query: str = "") -> tuple[dict[str, object], float]:
    """What the agent is told, and when. No header of the application's asking gets through."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", f"/wait/{call}/{seconds}?{query}")
    response = connection.getresponse()
    told = json.loads(response.read())
    arrived = time.monotonic()
    assert not [name for name, _ in response.getheaders() if name.lower().startswith("x-riskgate")]
    connection.close()
    return told, arrived


def together(count: int, job: Callable[[int], object]) -> list[Future[object]]:
    """So many at once; each in a thread of its own."""
    pool = ThreadPoolExecutor(count)
    futures = [pool.submit(job, number) for number in range(count)]
    pool.shutdown(wait=False)
    return futures


def test_what_is_decided_is_answered_at_once(server: Server, world: World) -> None:
    call = world.pending()
    world.decide(call)
    began = time.monotonic()
    told, arrived = ask(server, call)
    assert told == {"status": "approved", "waited": False}
    assert arrived - began < 5


def test_the_agent_hears_of_a_decision_within_300_ms(server: Server, world: World) -> None:
    late = []
    for _ in range(5):
        call = world.pending()
        (waiting,) = together(1, lambda _, call=call: ask(server, call))
        time.sleep(0.2)
        decided = world.decide(call)
        told, arrived = waiting.result(10)
        assert told == {"status": "approved", "waited": False}
        late.append(arrived - decided)
    assert min(late) < 0.3  # the others share the machine with everything else


def test_when_the_time_is_up_the_agent_is_told_how_it_stands(server: Server, world: World) -> None:
    began = time.monotonic()
    told, arrived = ask(server, world.pending(), 1)
    assert told == {"status": "pending", "waited": True}
    assert 0.9 < arrived - began < 5


def test_a_change_that_decides_nothing_keeps_the_agent_waiting(server: Server, world: World) -> None:
    call = world.pending()
    (waiting,) = together(1, lambda _: ask(server, call))
    for _ in range(3):
        time.sleep(0.1)
        world.decide(call, status="pending")
    assert not waiting.done()
    world.decide(call)
    assert waiting.result(10)[0] == {"status": "approved", "waited": False}


def test_a_decision_between_reading_and_waiting_is_not_lost(server: Server, world: World) -> None:
    call = world.pending()
    (waiting,) = together(1, lambda _: ask(server, call, query="late"))
    time.sleep(0.25)  # it has read "pending" and did not answer yet
    decided = world.decide(call)
    told, arrived = waiting.result(10)
    assert told["status"] == "approved"
    assert arrived - decided < 5


def test_the_loss_of_the_listening_connection_loses_no_decision(server: Server, world: World) -> None:
    for _ in range(5):
        call = world.pending()
        (waiting,) = together(1, lambda _, call=call: ask(server, call))
        time.sleep(0.1)
        world.end_hubs()
        decided = world.decide(call)
        told, arrived = waiting.result(10)
        assert told["status"] == "approved"
        assert arrived - decided < 5
    until(lambda: len(world.hubs()) == 1)


def test_a_decision_while_nothing_is_heard_between_reading_and_waiting_is_not_lost(
    server: Server, world: World
) -> None:
    for _ in range(5):
        call = world.pending()
        (waiting,) = together(1, lambda _, call=call: ask(server, call, query="late"))
        time.sleep(0.2)
        world.end_hubs()
        decided = world.decide(call)  # before it listens again
        told, arrived = waiting.result(10)
        assert told["status"] == "approved"
        assert arrived - decided < 5


def test_200_agents_wait_on_one_connection_and_all_hear_of_it(server: Server, world: World) -> None:
    call, others = world.pending(), [world.pending() for _ in range(100)]
    answers = together(100, lambda _: ask(server, call)) + together(100, lambda n: ask(server, others[n]))
    time.sleep(1.5)
    assert len(world.hubs()) == 1
    until(lambda: world.connections() == 2)  # the hub, and who asks
    spent = server.cpu()
    time.sleep(1)
    assert server.cpu() - spent < 0.1
    decided = world.decide(call)
    late = sorted(answer.result(20)[1] - decided for answer in answers[:100])
    assert late[-1] < 10
    for other in others:
        world.decide(other)
    assert all(answer.result(20)[0]["status"] == "approved" for answer in answers)


def test_an_agent_that_leaves_is_forgotten(server: Server, world: World) -> None:
    call = world.pending()
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(f"GET /wait/{call}/20 HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        time.sleep(0.2)
    time.sleep(0.2)
    world.decide(call)
    assert httpx.get(f"{server.url}/echo").status_code == 200
    assert b"Traceback" not in server.log.read_bytes()


def test_a_post_is_never_run_twice(server: Server, world: World) -> None:
    response = httpx.post(f"{server.url}/post?call={world.pending()}", timeout=2)
    assert response.text == "done"
    assert not [name for name in response.headers if name.startswith("x-riskgate")]
    assert httpx.get(f"{server.url}/told").json() == ["post"]


@pytest.mark.parametrize("payload", ["", "nonsense", "[]", '{"team": 1}', '{"call": "x"}', "{}" * 1000])
def test_nonsense_on_the_channel_harms_nobody(server: Server, world: World, payload: str) -> None:
    world.notify(payload)
    test_the_agent_hears(server, world)


def test_the_agent_hears(server: Server, world: World) -> None:
    call = world.pending()
    (waiting,) = together(1, lambda _: ask(server, call))
    time.sleep(0.1)
    world.decide(call)
    assert waiting.result(10)[0]["status"] == "approved"


def test_more_than_may_wait_are_answered_at_once(world: World, tmp_path: Path) -> None:
    with running(world, tmp_path, held=4) as server:
        calls = [world.pending() for _ in range(6)]
        answers = together(6, lambda number: ask(server, calls[number]))
        until(lambda: sum(answer.done() for answer in answers) == 2)
        same = together(3, lambda _: ask(server, calls[0], 3))
        until(lambda: all(answer.done() for answer in same), 2)
        for call in calls:
            world.decide(call)
        done = [answer.result(10)[0]["status"] for answer in answers]
    assert sorted(done) == ["approved"] * 4 + ["pending"] * 2


def test_a_server_that_ends_answers_those_who_wait_at_once(world: World, tmp_path: Path) -> None:
    with running(world, tmp_path) as server:
        call = world.pending()
        answers = together(20, lambda _: ask(server, call, 55))
        time.sleep(0.7)
        assert not any(answer.done() for answer in answers)
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert [answer.result(10)[0] for answer in answers] == [{"status": "pending", "waited": True}] * 20
        assert server.process.wait(10) == 0
        assert time.monotonic() - began < 10
    assert b"Traceback" not in server.log.read_bytes()


def test_a_database_that_is_away_ends_nobodys_wait(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as short:  # a socket's path has to be
        cluster = postgres.Cluster(Path(short) / "data", Path(short), durable=False)
        database = start(cluster)
        try:
            world = World(cluster.url())
            world.prepare()
            call = world.pending()
            with running(world, tmp_path, recheck_seconds=0.2) as server:
                (waiting,) = together(1, lambda _: ask(server, call, 30))
                time.sleep(0.3)
                database.kill()
                database.wait()
                time.sleep(1)
                assert not waiting.done()
                database = start(cluster)
                world.decide(call)
                assert waiting.result(15)[0]["status"] == "approved"
                until(lambda: len(world.hubs()) == 1)
        finally:
            database.send_signal(signal.SIGINT)
            database.wait()


def start(cluster: postgres.Cluster) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(cluster.prepare(), stdout=quiet, stderr=quiet, cwd="/")
    postgres.wait_until(cluster.answers, server)
    cluster.create_database()
    return server


@pytest.mark.slow
def test_many_decisions_while_the_connection_is_lost_again_and_again(server: Server, world: World) -> None:
    stop = threading.Event()

    def trouble() -> None:
        while not stop.wait(0.15):
            world.end_hubs()

    troubling = threading.Thread(target=trouble)
    troubling.start()
    try:
        calls = [world.pending() for _ in range(60)]
        answers = together(60, lambda number: ask(server, calls[number], 30))
        for call in calls:
            time.sleep(0.02)
            world.decide(call)
        assert all(answer.result(25)[0]["status"] == "approved" for answer in answers)
    finally:
        stop.set()
        troubling.join()


def test_a_call_that_nobody_knows_of_is_the_applications_business(server: Server) -> None:
    assert httpx.get(f"{server.url}/wait/{uuid4()}/5").status_code == 500
