"""Who asks, and what an agent sends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from riskgate.core.action import Action, Hint, Json
from riskgate.core.roles import Actor, ActorKind, Role


@dataclass(frozen=True, slots=True)
class AgentPrincipal:
    """The agent behind a valid API key. It sees and touches only its own calls."""

    key_id: UUID
    agent_id: UUID
    agent_name: str
    team_id: UUID
    environment: str
    scopes: frozenset[str]

    @property
    def actor(self) -> Actor:
        return Actor(ActorKind.AGENT, self.agent_name, self.agent_id)


@dataclass(frozen=True, slots=True)
class Member:
    """A signed-in person in one team."""

    user_id: UUID
    user_name: str
    email: str
    team_id: UUID
    team_name: str
    role: Role

    @property
    def actor(self) -> Actor:
        return Actor(ActorKind.USER, self.user_name, self.user_id)


@dataclass(frozen=True, slots=True)
class Idempotency:
    """An Idempotency-Key with the SHA-256 of the body that came with it."""

    path: str
    key: str
    body_hash: bytes


@dataclass(frozen=True, slots=True)
class Submission:
    """A well-formed submit body. `session` is an id, the caller's own name, or None for a session of its own."""

    function_name: str
    args: Sequence[Json] = ()
    kwargs: Mapping[str, Json] = field(default_factory=dict)
    docstring: str | None = None
    hints: Mapping[str, Hint] = field(default_factory=dict)
    session: str | None = None
    reason: str = ""
    decide_within: int | None = None
    supersedes: UUID | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)

    @property
    def action(self) -> Action:
        return Action(self.function_name, self.args, self.kwargs, self.docstring, self.hints)
