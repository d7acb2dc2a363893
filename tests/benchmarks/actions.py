"""What agents of the benchmarks ask for: no two arguments alike, function names as in a small company's tools."""

import json
from itertools import count
from typing import Any

VERBS = ("get", "list", "read", "find", "describe")
NOUNS = ("users", "invoices", "orders", "tickets", "reports", "shipments", "contracts", "products")
FUNCTIONS = tuple(f"{verb}_{noun}" for verb in VERBS for noun in NOUNS)

_numbers = count()


def low(session: str, function: int | None = None) -> dict[str, Any]:
    """An action that nobody has to look at."""
    number = next(_numbers)
    name = FUNCTIONS[(number if function is None else function) % len(FUNCTIONS)]
    verb, _, noun = name.partition("_")
    return {
        "session": session,
        "function_name": name,
        "kwargs": {
            "id": f"{noun[:3]}_{number * 2654435761 % 2**32:08x}",
            "page": number,
            "fields": ["name", "status", "updated_at"],
        },
        "docstring": f"{verb.capitalize()}s the {noun} that match, newest first.",
    }


def medium(session: str, function: int | None = None) -> dict[str, Any]:
    """An action that waits for one person."""
    number = next(_numbers)
    noun = NOUNS[(number if function is None else function) % len(NOUNS)]
    return {
        "session": session,
        "function_name": f"delete_draft_{noun}",
        "args": [f"draft-{number}"],
        "docstring": "Deletes a draft.",
        "reason": f"draft {number} was replaced by a newer one",
    }


def body(action: dict[str, Any]) -> bytes:
    return json.dumps(action, separators=(",", ":")).encode()
