"""The agent's side of the API over httpx. A request that got no answer is safely sent again."""

import logging
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx

from riskgate.client import errors

log = logging.getLogger(__name__)

LONGEST_WAIT = 50
"""Seconds of one long poll: a little under what the server takes."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How it was decided, and never by whom. `message` is a sentence, `suggestion` what to do now."""

    reason_code: str
    message: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class Action:
    """An action as riskgate answers it.

    `next` is what to do now: `wait`, `claim`, `report`, `revise` or `stop`. A status that is not known means
    not approved. `body` is the whole answer.
    """

    id: str
    status: str
    next: str
    level: str
    score: float
    environment: str
    action_digest: str
    nonce: str
    decision: Decision | None
    review_url: str
    body: Mapping[str, Any]

    @property
    def waiting(self) -> bool:
        return self.next == "wait"

    @property
    def claimable(self) -> bool:
        return self.status == "approved" and self.next == "claim"


class Client:
    """One agent's connection, usable by many threads.

    `patience` is for how many seconds a request that meets a closed door (no connection, 429, 5xx) is
    repeated, with growing pauses and under one Idempotency-Key. Raises what stands in `errors`.
    """

    def __init__(self, url: str, api_key: str, *, patience: float = 30.0) -> None:
        address = httpx.URL(url)
        if address.scheme not in ("http", "https") or not address.host:
            raise ValueError(f"{url!r} is no http or https address of a riskgate server.")
        self.url = url.rstrip("/")
        self.patience = patience
        # A redirect is not followed: it could carry the key elsewhere.
        self._http = httpx.Client(
            base_url=self.url,
            headers={"Authorization": f"Bearer {api_key}", "Accept": "application/json"},
            limits=httpx.Limits(max_connections=None),
            # A proxy that the environment names for the world outside does not reach this machine.
            trust_env=address.host not in ("localhost", "127.0.0.1", "::1"),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def submit(
        self,
        function_name: str,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Action:
        """Asks to run a function.

        `fields` are the other members of the body: session, docstring, hints, reason, decide_within,
        supersedes, metadata.
        """
        body = {"function_name": function_name, "args": list(args), "kwargs": dict(kwargs or {}), **fields}
        return _action(self._post("/api/v1/actions", body, idempotency_key))

    def get(self, action_id: str, *, wait: int = 0) -> Action:
        """The action now, or as soon as it is no longer pending within `wait` seconds."""
        params = {"wait": wait} if wait else {}
        return _action(self._send("GET", f"/api/v1/actions/{action_id}", params=params, timeout=wait + 15.0))

    def decided(self, action_id: str, *, within: float | None = None) -> Action:
        """Waits until it is no longer pending, at most `within` seconds, and answers it as it then is."""
        end = time.monotonic() + within if within is not None else float("inf")
        while True:
            started = time.monotonic()
            action = self.get(action_id, wait=max(0, int(min(LONGEST_WAIT, end - started))))
            now = time.monotonic()
            if not action.waiting or now >= end:
                return action
            # A server that cannot hold requests answers at once; asking again at once would be a burden.
            time.sleep(min(max(0.0, 1.0 - (now - started)), end - now))

    def list(self, **filters: Any) -> Iterator[Action]:
        """This agent's actions, newest first, page by page. The filters are those of the API."""
        cursor: str | None = None
        while True:
            params = {**filters, **({"cursor": cursor} if cursor else {})}
            page = self._send("GET", "/api/v1/actions", params=params)
            yield from (_action(each) for each in page["actions"])
            cursor = page["next_cursor"]
            if not cursor:
                return

    def claim(self, action: Action, *, idempotency_key: str | None = None) -> str:
        """The grant: a signed token, checked by whoever runs the action. It can be claimed once."""
        body = {"action_digest": action.action_digest}
        grant = self._post(f"/api/v1/actions/{action.id}/claim", body, idempotency_key).get("grant")
        if not isinstance(grant, str):
            raise errors.Unreadable("The answer to the claim holds no grant.")
        return grant

    def report(
        self,
        action_id: str,
        *,
        succeeded: bool,
        output: Any = None,
        error: str | None = None,
        idempotency_key: str | None = None,
    ) -> Action:
        """Says how a claimed action went, once."""
        body: dict[str, Any] = {"status": "succeeded" if succeeded else "failed"}
        if output is not None:
            body["output"] = output
        if error is not None:
            body["error"] = error
        return _action(self._post(f"/api/v1/actions/{action_id}/outcome", body, idempotency_key))

    def cancel(self, action_id: str, *, idempotency_key: str | None = None) -> Action:
        """Withdraws an action that has not been claimed."""
        return _action(self._post(f"/api/v1/actions/{action_id}/cancel", {}, idempotency_key))

    def score(
        self,
        function_name: str,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> dict[str, Any]:
        """What a first look at the action would say: score, level, factors, floors. Nothing is stored."""
        body = {"function_name": function_name, "args": list(args), "kwargs": dict(kwargs or {}), **fields}
        return self._post("/api/v1/score", body, None)

    def public_keys(self) -> dict[str, Any]:
        """The JWK Set that grants are checked against."""
        return self._send("GET", "/.well-known/jwks.json")

    def _post(self, path: str, body: Mapping[str, Any], key: str | None) -> dict[str, Any]:
        return self._send("POST", path, json=body, headers={"Idempotency-Key": key or str(uuid4())})

    def _send(self, method: str, path: str, *, timeout: float = 15.0, **request: Any) -> dict[str, Any]:
        end = time.monotonic() + self.patience
        tries = 0
        while True:
            trouble: errors.ClientError
            pause = 0.0
            try:
                response = self._http.request(method, path, timeout=timeout, **request)
            except httpx.TransportError as error:
                trouble = errors.Unreachable(f"{self.url} does not answer ({type(error).__name__}).")
            else:
                if response.is_success:
                    return _document(response)
                trouble = refused = problem(response)
                if not refused.passing:
                    raise refused
                pause = refused.retry_after or 0.0
            pause = max(pause, random.uniform(0.5, 1.0) * min(0.25 * 2 ** min(tries, 10), 10.0))
            if time.monotonic() + pause > end:
                raise trouble
            if tries == 0:
                log.warning("%s Trying again.", trouble.message)
            tries += 1
            time.sleep(pause)


def _document(response: httpx.Response) -> dict[str, Any]:
    try:
        document = response.json()
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise errors.Unreadable(f"{response.url} answered {response.status_code}, but no JSON object.")
    return document


def problem(response: httpx.Response) -> errors.Problem:
    """The typed error of a response that is no success; whatever the body is, this does not fail."""
    try:
        document = response.json()
    except ValueError:
        document = None
    body = document if isinstance(document, dict) else {}
    sentence = body.get("detail") or body.get("title") or f"The server answered {response.status_code}."
    wait = response.headers.get("Retry-After", "")
    return errors.of_status(response.status_code)(
        str(sentence),
        status=response.status_code,
        type=str(body.get("type", "about:blank")),
        pointer=body.get("pointer"),
        retry_after=float(wait) if wait.isascii() and wait.isdigit() else None,
        body=body,
    )


def _action(body: Mapping[str, Any]) -> Action:
    try:
        said = body["decision"]
        return Action(
            id=body["id"],
            status=body["status"],
            next=body["next"],
            level=body["level"],
            score=body["score"],
            environment=body["environment"],
            action_digest=body["action_digest"],
            nonce=body["nonce"],
            decision=Decision(said["reason_code"], said["message"], said["suggestion"]) if said else None,
            review_url=body["review_url"],
            body=body,
        )
    except (KeyError, TypeError) as error:
        raise errors.Unreadable(f"The answer is no action of riskgate: {error}.") from error
