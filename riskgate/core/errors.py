"""The one base of every error that the floors below the doors raise."""

from typing import ClassVar


class RiskgateError(Exception):
    """Something was refused. `code` is stable; the message says what to do next.

    Subclasses stand beside the function that raises them. `details` holds JSON values that a door may show.
    """

    code: ClassVar[str] = "refused"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details
