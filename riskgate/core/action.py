"""What an agent wants to do, as a value, and where in it something was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from riskgate.core.levels import Level

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Hint: TypeAlias = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class Action:
    """A function name, its arguments, its docstring and the caller's hints.

    JSON Pointers into an action start with `/function_name`, `/args`, `/kwargs`, `/docstring` or `/hints`.
    """

    function_name: str
    args: Sequence[Json] = ()
    kwargs: Mapping[str, Json] = field(default_factory=dict)
    docstring: str | None = None
    hints: Mapping[str, Hint] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Context:
    """What the server knows of an action, and the agent cannot choose.

    prior_calls          how many calls of this function this session has made before
    ratchet              the highest level of an earlier call of it in this session that no person approved
    riskiest_docstring   the riskiest docstring that the team has seen for this function
    submitted_at         when it was submitted; nothing in `core` reads a clock
    """

    prior_calls: int = 0
    agent: str = ""
    environment: str = ""
    ratchet: Level | None = None
    riskiest_docstring: str | None = None
    submitted_at: datetime | None = None


def pointer(*tokens: str | int) -> str:
    """The JSON Pointer (RFC 6901) of a member: pointer("kwargs", "a/b", 0) is `/kwargs/a~1b/0`."""
    return "".join(["/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens])


def tokens(at: str) -> list[str]:
    """The tokens of a JSON Pointer, unescaped."""
    return [token.replace("~1", "/").replace("~0", "~") for token in at.split("/")[1:]]
