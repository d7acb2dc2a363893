"""A function that runs only when riskgate says so. For example::

    client = Client("https://gate.example.org", key)

    @guarded(client, reason="housekeeping")
    def delete_user(user_id: str) -> None:
        "Permanently remove a user account."

Calling `delete_user("usr_123")` then asks, waits for people, and runs or raises.
"""

import inspect
import json
import logging
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from riskgate.client.errors import ClientError, Expired, NotApproved, WrongState
from riskgate.client.http import Action, Client
from riskgate.client.verify import Verifier

P = ParamSpec("P")
R = TypeVar("R")

LARGEST_OUTPUT = 64 * 1024

log = logging.getLogger(__name__)


def guarded(
    client: Client,
    *,
    verifier: Verifier | None = None,
    session: str | None = None,
    reason: str = "",
    hints: Mapping[str, Any] | None = None,
    wait_for: float | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Makes a function ask first: it submits, waits for people, claims, checks the grant, runs, and reports.

    The arguments must be JSON values, exactly: what cannot be shown to a person does not run. `wait_for` is
    the most seconds to wait for a decision; what is then still undecided is withdrawn. Calling the function
    raises NotApproved where it may not run, the errors of the client, and whatever the function raises.
    """
    checks = verifier or Verifier(client.public_keys)
    fields: dict[str, Any] = {"reason": reason, "hints": dict(hints or {})}
    if session is not None:
        fields["session"] = session

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        docstring = inspect.getdoc(function)

        @wraps(function)
        def ask_first(*args: P.args, **kwargs: P.kwargs) -> R:
            name = function.__name__
            action = client.submit(name, _exact(args), _exact(kwargs), docstring=docstring, **fields)
            if action.waiting:
                action = client.decided(action.id, within=wait_for)
            if action.waiting:
                action = _withdraw(client, action)
            if not action.claimable:
                raise refusal(action)
            token = client.claim(action)
            try:
                checks.check(token, name, args, kwargs, action_id=action.id)
                result = function(*args, **kwargs)
            except BaseException as error:
                _report(client, action, succeeded=False, error=f"{type(error).__name__}: {error}"[:2000])
                raise
            _report(client, action, succeeded=True, output=_shown(result))
            return result

        return ask_first

    return decorate


def _withdraw(client: Client, action: Action) -> Action:
    """The action withdrawn, or as somebody decided it in the last moment."""
    try:
        return client.cancel(action.id)
    except (WrongState, Expired):
        return client.get(action.id)


def refusal(action: Action) -> NotApproved:
    """Why an action may not run, as an error."""
    decision = action.decision
    return NotApproved(
        decision.message if decision else f"The action is {action.status}.",
        status=action.status,
        suggestion=decision.suggestion if decision else "Do not run it.",
    )


def _exact(value: Any) -> Any:
    """The value, if JSON says it without a change.

    Raises TypeError: a set, a date or a key 1 would be shown as something else than what runs.
    """
    try:
        read = json.loads(json.dumps(value, allow_nan=False))
    except ValueError as error:
        raise TypeError(f"These arguments cannot be written as JSON: {error}") from error
    if not _same(value, read):
        raise TypeError("These arguments would change by being written as JSON.")
    return read


def _same(value: Any, read: Any) -> bool:
    if isinstance(read, list):
        return isinstance(value, (list, tuple)) and all(map(_same, value, read))
    if isinstance(read, dict):
        return value.keys() == read.keys() and all(_same(value[key], read[key]) for key in read)
    return type(value) is type(read) and bool(value == read)


def _shown(result: Any) -> Any:
    """What the function answered, where it is small JSON; people see it beside the action."""
    try:
        return result if len(json.dumps(result, allow_nan=False)) <= LARGEST_OUTPUT else None
    except (TypeError, ValueError):
        return None


def _report(client: Client, action: Action, **outcome: Any) -> None:
    """The function has run, or failed, whether or not this is heard: losing it must not hide the result."""
    try:
        client.report(action.id, **outcome)
    except ClientError as error:
        log.warning("The outcome of %s could not be reported: %s", action.id, error)
