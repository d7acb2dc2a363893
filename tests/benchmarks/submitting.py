"""Submitting over HTTP, through `up`'s own front and all that stands behind it, against psycopg alone writing the same
rows: one prepared statement, one transaction for each call, committed to the disk on both sides.
"""

import http.client
import statistics
from collections.abc import Callable, Iterator
from typing import Any

from tests.benchmarks import actions, clients
from tests.benchmarks.house import House, the_house
from tests.benchmarks.replay import Recorder, Written, most_common
from tests.benchmarks.table import Row

CLIENTS = 8
PROCESSES = (1, 2, 4, 8)
"""Of the other side, with a thread for each of its clients: taken as it does best here."""

Make = Callable[[str, int | None], dict[str, Any]]


def rows(quick: bool) -> Iterator[Row]:
    with the_house().worker_at_rest():  # it would work off what both sides write, and both would wait for it
        yield _row(quick, "submit, decided at once, 8 clients", actions.low, 201)
        yield _row(quick, "submit, waits for people, 8 clients", actions.medium, 202)


def _row(quick: bool, name: str, make: Make, expected: int) -> Row:
    house = the_house()
    keys = house.keys_of_new_agents(name, CLIENTS)
    found = record(house, keys, make, expected, each=2 if quick else 12)
    rounds, ours, theirs = (1, 10, 20) if quick else (5, 150, 600)
    tried = {count: 0.0 if quick else execute_round(house, found, theirs, count) for count in PROCESSES}
    best = max(tried, key=lambda count: tried[count])
    pairs = []
    for number in range(rounds):
        asked = ask_round(house, keys, make, expected, f"{name} {number}", ours)
        pairs.append((asked, execute_round(house, found, theirs, best)))
    return Row(
        name,
        statistics.median(pair[0] for pair in pairs),
        "calls/s",
        statistics.median(pair[1] for pair in pairs),
        statistics.median(pair[0] / pair[1] for pair in pairs),
        at_least=0.25,
        note=f"the other side in {best} processes of {CLIENTS // best} threads",
    )


def record(house: House, keys: list[str], make: Make, expected: int, each: int) -> list[list[Written]]:
    """What calls of each key wrote, in sessions that know the functions already."""
    found = []
    connection = http.client.HTTPConnection("127.0.0.1", house.port)

    def send(key: str, action: dict[str, Any]) -> None:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        connection.request("POST", "/api/v1/actions", actions.body(action), {**headers, "Host": "localhost"})
        answer = connection.getresponse()
        told = answer.read()
        if answer.status != expected:
            raise RuntimeError(f"{answer.status}: {told.decode()}")

    with Recorder(house.database) as recorder:
        for key in keys:
            for function in range(each):
                send(key, make("recorded", function))
            seen = []
            for function in range(each):
                recorder.begin()
                send(key, make("recorded", function))
                seen.append(recorder.written())
            found.append(seen)
    connection.close()
    usual = {id(written) for written in most_common([written for seen in found for written in seen])}
    return [[written for written in seen if id(written) in usual] for seen in found]


def ask_round(house: House, keys: list[str], make: Make, expected: int, session: str, each: int) -> float:
    """Calls a second over HTTP, every client in a session of its own."""
    jobs = []
    for key in keys:
        bodies = [actions.body(make(session, None)) for _ in range(each + 1)]
        jobs.append([clients.post("/api/v1/actions", house.port, key, body) for body in bodies])
    opening = [[requests.pop()] for requests in jobs]
    clients.seconds_for(clients.ask, [(house.port, opening, expected)])
    return each * len(keys) / clients.seconds_for(clients.ask, [(house.port, jobs, expected)])


def execute_round(house: House, found: list[list[Written]], each: int, processes: int) -> float:
    """The same rows a second, without riskgate."""
    statement = found[0][0].statement()
    jobs = [[seen[n % len(seen)].fresh().parameters() for n in range(each + 1)] for seen in found]
    shares = [jobs[start::processes] for start in range(processes)]
    taken = clients.seconds_for(clients.execute, [(house.database, statement, share) for share in shares])
    return each * len(jobs) / taken
