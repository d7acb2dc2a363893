"""A hundred actions in one request, against COPY of the same rows in one transaction."""

import http.client
import json
import statistics
from collections.abc import Iterator
from typing import Any

from tests.benchmarks import actions, clients
from tests.benchmarks.house import House, the_house
from tests.benchmarks.replay import Recorder, Written
from tests.benchmarks.table import Row

PATH = "/api/v1/actions/batch"
SIZE = 100
PROCESSES = 2  # of the other side, with a thread for each of its clients


def rows(quick: bool) -> Iterator[Row]:
    with the_house().worker_at_rest():
        for count in (1, 8):
            yield _row(quick, f"batch of {SIZE}, {count} client{'s' if count > 1 else ''}", count)


def _row(quick: bool, name: str, count: int) -> Row:
    house = the_house()
    keys = house.keys_of_new_agents(name, count)
    found = _record(house, keys)
    rounds, ours, theirs = (1, 1, 2) if quick else (5, 16 // count, 80 // count)
    pairs = [
        (_ask_round(house, keys, f"{name} {number}", ours), _copy_round(house, found, theirs))
        for number in range(rounds)
    ]
    return Row(
        name,
        statistics.median(pair[0] for pair in pairs),
        "calls/s",
        statistics.median(pair[1] for pair in pairs),
        statistics.median(pair[0] / pair[1] for pair in pairs),
        at_least=0.25,
    )


def _body(session: str) -> bytes:
    return json.dumps(
        {"actions": [actions.low(session) for _ in range(SIZE)]}, separators=(",", ":")
    ).encode()


def _record(house: House, keys: list[str]) -> list[Written]:
    """What one batch of each client wrote, in a session that knows the functions already."""
    found = []
    connection = http.client.HTTPConnection("127.0.0.1", house.port)
    with Recorder(house.database) as recorder:
        for key in keys:
            for _ in range(2):
                recorder.begin()
                headers: dict[str, Any] = {
                    "Authorization": f"Bearer {key}",
                    "Content-Type": "application/json",
                }
                connection.request("POST", PATH, _body("recorded"), {**headers, "Host": "localhost"})
                answer = connection.getresponse()
                told = answer.read()
                if answer.status != 201 or len(json.loads(told)["actions"]) != SIZE:
                    raise RuntimeError(f"{answer.status}: {told[:500].decode()}")
            found.append(recorder.written())
    connection.close()
    return found


def _ask_round(house: House, keys: list[str], session: str, each: int) -> float:
    """Calls a second over HTTP, every client in a session of its own."""
    jobs = [[clients.post(PATH, house.port, key, _body(session)) for _ in range(each + 1)] for key in keys]
    opening = [[requests.pop()] for requests in jobs]
    clients.seconds_for(clients.ask, [(house.port, opening, 201)])
    return each * SIZE * len(keys) / clients.seconds_for(clients.ask, [(house.port, jobs, 201)])


def _copy_round(house: House, found: list[Written], each: int) -> float:
    """The same rows a second, without riskgate."""
    jobs = [[written.fresh().copies() for _ in range(each)] for written in found]
    shares = [share for start in range(PROCESSES) if (share := jobs[start::PROCESSES])]
    taken = clients.seconds_for(clients.copy, [(house.database, share) for share in shares])
    return each * SIZE * len(jobs) / taken
