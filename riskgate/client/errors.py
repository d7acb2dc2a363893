"""What can go wrong between an agent and riskgate, each with a sentence that says what to do."""

from typing import Any


class ClientError(Exception):
    """The base of every error of this package. `message` is one sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Unreachable(ClientError):
    """Nobody answered, for as long as the client was told to be patient."""


class Unreadable(ClientError):
    """Something answered, and not as riskgate would: a proxy, a wrong address."""


class GrantInvalid(ClientError):
    """The grant does not allow what is about to run. Do not run it."""


class NotApproved(ClientError):
    """The action may not run. `status` says why; `suggestion` what the agent should do about it."""

    def __init__(self, message: str, *, status: str, suggestion: str) -> None:
        super().__init__(message)
        self.status = status
        self.suggestion = suggestion


class Problem(ClientError):
    """riskgate refused the request (RFC 9457).

    status        the HTTP status
    type          a stable address whose fragment names the kind of problem, such as `…#digest-differs`
    pointer       JSON Pointer of the member that was wrong; None where it was no single one
    retry_after   seconds after which to try again; None where nothing was said
    body          the whole document
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        type: str = "about:blank",
        pointer: str | None = None,
        retry_after: float | None = None,
        body: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.type = type
        self.pointer = pointer
        self.retry_after = retry_after
        self.body = body or {}

    @property
    def passing(self) -> bool:
        """Trying the same request again later may well work."""
        return self.status == 429 or self.status >= 500


class Unauthorized(Problem):
    """The key is unknown or was revoked."""


class NotFound(Problem):
    """There is no such action, or it is another agent's."""


class WrongState(Problem):
    """The action is not in a state from which it could do that."""


class Expired(Problem):
    """The time for it has passed."""


class DigestDiffers(Problem):
    """The digest is not that of the approved action."""


class Invalid(Problem):
    """The request cannot be read or is out of bounds; `pointer` says where."""


class Paused(Problem):
    """The agent or its team is paused: the approval stands, and cannot be claimed yet."""


class TooMany(Problem):
    """Too many requests; `retry_after` says when to go on."""


class ServerTrouble(Problem):
    """The server failed; the request can be repeated under the same Idempotency-Key."""


BY_STATUS: dict[int, type[Problem]] = {
    400: Invalid,
    401: Unauthorized,
    404: NotFound,
    409: WrongState,
    410: Expired,
    412: DigestDiffers,
    413: Invalid,
    415: Invalid,
    422: Invalid,
    423: Paused,
    429: TooMany,
}


def of_status(status: int) -> type[Problem]:
    return BY_STATUS.get(status, ServerTrouble if status >= 500 else Problem)
