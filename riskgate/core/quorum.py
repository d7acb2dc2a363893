"""How many votes an approval takes, and which seat is free."""

from collections.abc import Collection

from riskgate.core.policy import Requirement


def complete(requirement: Requirement, filled: Collection[int]) -> bool:
    """Every seat has its vote. A requirement without seats is never completed by votes."""
    return requirement.approvals > 0 and set(filled) >= set(range(1, requirement.approvals + 1))


def free_seat(requirement: Requirement, taken: Collection[int]) -> int | None:
    """The lowest numbered seat that nobody has filled or holds; seats count from 1."""
    return next((n for n in range(1, requirement.approvals + 1) if n not in taken), None)
