"""Round after round: load, a blow, recovery, and a look at the books."""

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import uuid4

import httpx
from django.db import Error, connection

from riskgate.core.events import Event
from riskgate.services import agents, rows
from riskgate.storage.models import AuditEvent, Outbox
from tests import people
from tests.crashes import books
from tests.crashes.agents import LEFT_ALONE, Agent
from tests.crashes.house import EVERYTHING, FIRST, VICTIMS, House, wait
from tests.crashes.ledger import Fact, Ledger
from tests.crashes.operators import AtTheBrowser, Operator

RECOVERY = 120.0
"""Seconds within which everything must be running again."""
FULL_EVERY = 50
"""Rounds after which all books are looked at, and not only what changed."""


class Disagreement(Exception):
    """The books do not agree, or something did not come back. `sentences` say what."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


@dataclass(frozen=True)
class Report:
    """One round. Seconds count from the blow: until `/readyz` answers, until a submission was acknowledged, until
    the clock has moved an action that ran out after the blow.
    """

    number: int
    killed: tuple[str, ...]
    ready: float
    submitted: float
    clock: float
    facts: int
    moments: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        beside = "".join(f"  {what} {number}" for what, number in sorted(self.moments.items()))
        return (
            f"round {self.number:<4} {' + '.join(self.killed):<34} ready {self.ready:5.2f} s  "
            f"submit {self.submitted:5.2f} s  clock {self.clock:5.2f} s  {self.facts} acknowledged{beside}"
        )


class Rounds:
    """A load that goes on from the first round to the last."""

    def __init__(self, house: House, ledger: Ledger, *, agents: int, seed: int) -> None:
        self.house, self.ledger = house, ledger
        self.random = random.Random(seed)
        self.stop_agents, self.stop_people = threading.Event(), threading.Event()
        self.world = people.make_world()
        self.keys = self._keys(agents)
        at_desk = [self.world.bob, self.world.carol, self.world.grace]
        self.agents = [
            Agent(house.url, key, ledger, self.stop_agents, seed * 1000 + number)
            for number, key in enumerate(self.keys)
        ]
        self.people: list[Operator] = [
            Operator(member, ledger, self.stop_people, seed + number) for number, member in enumerate(at_desk)
        ]
        self.people.append(AtTheBrowser(house.url, self.world.alice, ledger, self.stop_people, seed))
        self._looked_at: datetime | None = None
        self._facts_seen = 0
        self._counted: dict[str, int] = {}

    def _keys(self, number: int) -> list[str]:
        """Two threads share one agent, as two processes of one program would."""
        keys = [self.world.api_key]
        for each in range(1, (number + 1) // 2):
            agent_id = agents.register(
                member=self.world.alice, name=f"agent-{each}", environment="production", now=people.utcnow()
            )
            keys.append(agents.make_key(member=self.world.alice, agent_id=agent_id, now=people.utcnow()))
        connection.close()
        return (keys * 2)[:number]

    def begin(self) -> None:
        for each in (*self.agents, *self.people):
            each.start()

    def round(self, number: int) -> Report:
        """Raises Disagreement."""
        since = self._now()
        self._settle(self.random.uniform(0.3, 1.2))
        killed = self._choose(number)
        blow = time.monotonic()
        hit = self.house.strike(killed, self.random)
        if EVERYTHING in killed:
            self.house.restart()
        elif self.random.random() < 0.25:  # and again, while it is getting up
            self._settle(self.random.uniform(0.1, 3.0))
            hit += (
                self.house.strike(self._choose(len(FIRST)), self.random) if EVERYTHING not in killed else []
            )
            if not self._up_lives():
                self.house.restart()
        try:
            wait(self.house.ready, RECOVERY, "/readyz")
            ready = time.monotonic() - blow
            call_id = self._probe()
            submitted = time.monotonic() - blow
            wait(lambda: self._has_expired(call_id), RECOVERY, f"the clock moves {call_id}")
            clock = time.monotonic() - blow
            wait(self._nothing_waits, RECOVERY, "the messages that are due are delivered")
        except (TimeoutError, AssertionError) as error:
            raise Disagreement([str(error)]) from error
        facts = self.look(since if number % FULL_EVERY else None)
        return Report(number, tuple(hit), ready, submitted, clock, facts, self._moments())

    def end(self) -> int:
        """Every story is told to its end, then all books are looked at. Answers how many facts there were.

        Raises Disagreement.
        """
        self.stop_agents.set()
        for agent in self.agents:
            agent.join(RECOVERY * 2)
        self.stop_people.set()
        for person in self.people:
            person.join(RECOVERY)
        late = [each.name for each in (*self.agents, *self.people) if each.is_alive()]
        if late:
            raise Disagreement([f"{', '.join(late)} never came to an end."])
        try:
            wait(self._nothing_waits, RECOVERY, "the messages that are due are delivered")
        except TimeoutError as error:
            raise Disagreement([str(error)]) from error
        return self.look(None)

    def look(self, since: datetime | None) -> int:
        """Compares the books with the ledger: all of it with None, else what is new. Answers the number of facts."""
        facts: list[Fact] = list(self.ledger.facts)
        new = facts if since is None else facts[self._facts_seen :]
        found = self._patiently(lambda: books.disagreements(self.ledger, new, since))
        found += self.ledger.wrong
        if found:
            raise Disagreement(found)
        seen, self._facts_seen = self._facts_seen, len(facts)
        return len(facts) - seen if since is not None else len(facts)

    # ------------------------------------------------------------------ steps

    def _choose(self, number: int) -> tuple[str, ...]:
        if number < len(FIRST):
            return FIRST[number]
        if self.random.random() < 0.06:
            return (EVERYTHING,)
        many = self.random.choices((1, 2, 3, len(VICTIMS)), (50, 25, 15, 10))[0]
        return tuple(self.random.sample(VICTIMS, many))

    def _settle(self, seconds: float) -> None:
        """The load goes on for a while: that is the point of it, nothing is awaited."""
        self.stop_agents.wait(seconds)

    def _up_lives(self) -> bool:
        process = self.house.up.process
        return process is not None and process.poll() is None

    def _probe(self) -> str:
        """Submits until it is acknowledged, each time anew, and answers the id; it runs out in a second."""
        headers = {"Authorization": f"Bearer {self.keys[0]}"}
        body = {**people.MEDIUM, "reason": LEFT_ALONE, "decide_within": 1, "session": "probe"}
        with httpx.Client(base_url=self.house.url, headers=headers, timeout=2, trust_env=False) as client:
            told: list[dict[str, Any]] = []

            def acknowledged() -> bool:
                key = str(uuid4())
                answer = client.post("/api/v1/actions", json=body, headers={"Idempotency-Key": key})
                if answer.status_code == 202:
                    self.ledger.add(answer.json()["id"], "pending", key=key)
                    told.append(answer.json())
                return bool(told)

            wait(acknowledged, RECOVERY, "a submission is acknowledged")
        return str(told[0]["id"])

    def _has_expired(self, call_id: str) -> bool:
        found = AuditEvent.objects.filter(call_id=call_id, kind=Event.EXPIRED)
        return bool(self._patiently(found.exists))

    def _nothing_waits(self) -> bool:
        due = Outbox.objects.filter(delivered_at=None, failed_at=None)

        def newest_are_young() -> bool:
            return not due.filter(due_at__lt=rows.clock() - books.LATE / 2).exists()

        return bool(self._patiently(newest_are_young))

    def _now(self) -> datetime:
        moment: datetime = self._patiently(rows.clock)
        return moment

    def _patiently(self, ask: Any) -> Any:
        """The answer of the database, as soon as it gives one."""
        deadline = time.monotonic() + RECOVERY
        while True:
            try:
                return ask()
            except Error:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            finally:
                connection.close()

    def _moments(self) -> dict[str, int]:
        counts = dict(self.ledger.counts)
        new = {what: number - self._counted.get(what, 0) for what, number in counts.items()}
        self._counted = counts
        return {what: number for what, number in new.items() if number}
