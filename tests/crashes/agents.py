"""The agents of a crash round: they submit, wait, claim and report over HTTP, and note what they were told."""

import json
import random
import threading
from base64 import urlsafe_b64decode
from collections.abc import Callable
from itertools import count
from typing import Any
from uuid import uuid4

import httpx

from riskgate.client import errors
from riskgate.client.http import Action, Client
from tests import people
from tests.crashes.ledger import Ledger

LEFT_ALONE = "nobody decides this"
"""The reason of an action that every person leaves to the clock."""
TO_REVOKE = "never claimed"
"""The reason of an action that is left to be revoked."""

PATIENCE = 90.0
NUMBERS = count(1)


class Agent(threading.Thread):
    """One story after the other until `stop` is set; a story that was begun is told to its end."""

    def __init__(self, url: str, api_key: str, ledger: Ledger, stop: threading.Event, seed: int) -> None:
        super().__init__(name=f"agent-{seed}", daemon=True)
        self.client = Client(url, api_key, patience=PATIENCE)
        self.client._http.event_hooks["response"].append(self._count)
        self.ledger, self.stop = ledger, stop
        self.random = random.Random(seed)
        self.run_name = f"run-{seed}-{self.random.randrange(10**9)}"

    def _count(self, response: httpx.Response) -> None:
        if response.status_code >= 500:
            self.ledger.count(f"answered {response.status_code}")

    def run(self) -> None:
        stories: list[tuple[int, Callable[[], None]]] = [
            (6, self.harmless),
            (6, self.risky),
            (2, self.withdrawn),
            (1, self.left_to_the_clock),
            (1, self.left_to_be_revoked),
        ]
        weights = [weight for weight, _ in stories]
        with self.client:
            while not self.stop.is_set():
                (_, story), *_ = self.random.choices(stories, weights)
                try:
                    story()
                except errors.Unreachable as error:
                    self.ledger.disagree(f"{self.name} lost patience after {PATIENCE:.0f} s: {error}")
                except Exception as error:
                    self.ledger.disagree(f"{self.name} met what nobody expects: {error!r}")
                self.stop.wait(self.random.uniform(0.0, 0.1))

    # ------------------------------------------------------------------ what they do

    def submit(self, fields: dict[str, Any], **more: Any) -> Action:
        key, number = str(uuid4()), str(next(NUMBERS))
        fields = {**fields, "metadata": {"number": number}, "session": self.run_name, **more}
        action = self.client.submit(**fields, idempotency_key=key)
        self.ledger.add(action.id, action.status, key=key, sent=number)
        if self.random.random() < 0.2:  # the answer might have been lost: the same again is the same
            again = self.client.submit(**fields, idempotency_key=key)
            if again.id != action.id:
                self.ledger.disagree(f"The key {key} made two actions: {action.id} and {again.id}.")
        return action

    def claim(self, action: Action) -> bool:
        """Claims it, now and then together with a rival; True where this one has the grant."""
        rivals = [self._claim_once(action, str(uuid4()))]
        if self.random.random() < 0.3:
            rivals.append(self._claim_once(action, str(uuid4())))
        won = {jti for jti in rivals if jti}
        if len(won) > 1:
            self.ledger.disagree(f"{action.id} was granted twice: {sorted(won)}.")
        return bool(rivals[0])

    def _claim_once(self, action: Action, key: str) -> str:
        try:
            token = self.client.claim(action, idempotency_key=key)
        except (errors.WrongState, errors.Expired):
            return ""
        jti = _jti(token)
        self.ledger.add(action.id, "granted", key=key, jti=jti)
        if self.random.random() < 0.3:
            again = _jti(self.client.claim(action, idempotency_key=key))
            if again != jti:
                self.ledger.disagree(f"{action.id}: the key {key} was given {jti}, and then {again}.")
        return jti

    def report(self, action: Action) -> None:
        succeeded = self.random.random() < 0.8
        told = self.client.report(
            action.id,
            succeeded=succeeded,
            output={"rows": self.random.randrange(100)} if succeeded else None,
            error=None if succeeded else "it broke",
        )
        self.ledger.add(action.id, told.status)

    # ------------------------------------------------------------------ stories

    def harmless(self) -> None:
        action = self.submit(people.LOW)
        if action.claimable and self.claim(action):
            self.report(action)

    def risky(self) -> None:
        fields = self.random.choice([people.MEDIUM, people.MEDIUM, people.HIGH, people.CRITICAL])
        action = self.client.decided(self.submit(fields).id, within=20)
        if action.waiting:
            self._cancel(action)
            return
        self.ledger.add(action.id, action.status)
        if action.claimable and self.claim(action):
            self.report(action)

    def withdrawn(self) -> None:
        self._cancel(self.submit(people.MEDIUM))

    def _cancel(self, action: Action) -> None:
        try:
            self.ledger.add(action.id, self.client.cancel(action.id).status)
        except (errors.WrongState, errors.Expired):
            return  # a person or the clock was faster

    def left_to_the_clock(self) -> None:
        action = self.client.decided(
            self.submit(people.MEDIUM, reason=LEFT_ALONE, decide_within=1).id, within=30
        )
        self.ledger.add(action.id, action.status)

    def left_to_be_revoked(self) -> None:
        self.submit(people.LOW, reason=TO_REVOKE)


def _jti(grant: str) -> str:
    part = grant.split(".")[1]
    return str(json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))["jti"])
