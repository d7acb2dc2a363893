"""Who may do what: roles and permissions as one table, and the actor that every change names."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class Role(StrEnum):
    VIEWER = "viewer"
    OPERATOR = "operator"
    AUDITOR = "auditor"
    ADMIN = "admin"


class Permission(StrEnum):
    LOOK = "look"
    DECIDE = "decide"
    REVOKE = "revoke"
    EXPORT = "export"
    REVEAL = "reveal"
    MANAGE_AGENTS = "manage_agents"
    MANAGE_TEAM = "manage_team"
    MANAGE_POLICY = "manage_policy"


PERMISSIONS: dict[Role, frozenset[Permission]] = {
    Role.VIEWER: frozenset({Permission.LOOK}),
    Role.OPERATOR: frozenset({Permission.LOOK, Permission.DECIDE, Permission.REVOKE}),
    Role.AUDITOR: frozenset({Permission.LOOK, Permission.EXPORT, Permission.REVEAL}),
    Role.ADMIN: frozenset(
        {
            Permission.LOOK,
            Permission.DECIDE,
            Permission.REVOKE,
            Permission.MANAGE_AGENTS,
            Permission.MANAGE_TEAM,
            Permission.MANAGE_POLICY,
        }
    ),
}


def allows(role: Role, permission: Permission) -> bool:
    return permission in PERMISSIONS[role]


class ActorKind(StrEnum):
    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it. `id` is a user's or an agent's; the system has none."""

    kind: ActorKind
    name: str
    id: UUID | None = None


SYSTEM = Actor(ActorKind.SYSTEM, "riskgate")
