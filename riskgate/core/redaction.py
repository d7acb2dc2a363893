"""Which values are not shown: secrets, by the name that they stand under and by how they look.

The name is the agent's own word, so it alone must not hide anything: a command or a statement is shown whatever it is
called, and so is everything inside an object.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from riskgate.core.action import Action, Json, pointer
from riskgate.core.assessment import Evidence, Factor, Floor
from riskgate.core.rendering import MASK

SECRET_NAME = re.compile(
    r"(?:^|[^a-z])(?:pass(?:words?|wd|phrase|code)?|pwd|pin|ssn|secrets?|tokens?|credentials?|bearer|cookies?|dsn|"
    r"auth(?:orization)?|connection_?string|(?:api|access|private|signing|secret)[_-]?key)(?:$|[^a-z])"
)
"""Matched on a name of at most 255 characters in snake case; a fixed alternation, so linear in it."""

NUMBER_NAME = re.compile(r"(?:^|[^a-z])(?:pass(?:words?|wd|code)?|pwd|pin|ssn|secrets?)(?:$|[^a-z])")
"""Names under which a number is a secret as well; under the others it is a count (`max_tokens`)."""

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

SECRET_LOOK = re.compile(r"[^\s()\[\]{}<>;|&`$\"'\\]{1,200}", re.ASCII)
"""One word without anything that a shell, SQL or a programming language would act on."""


KEPT_HIDDEN = ("core.credentials.", "core.network.")


def secret_name(name: str, pattern: re.Pattern[str] = SECRET_NAME) -> bool:
    return pattern.search(CAMEL.sub("_", name[:255]).lower()) is not None


_known = lru_cache(maxsize=4096)(secret_name)
"""The same few names come again and again; they are cut before they are remembered."""


def _is_secret(name: str, value: Json) -> bool:
    if isinstance(value, str):
        return _known(name[:255]) and SECRET_LOOK.fullmatch(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool) and _known(name[:255], NUMBER_NAME)


def masked_pointers(action: Action, evidence: tuple[Evidence, ...] = ()) -> frozenset[str]:
    """JSON Pointers of the values that are not shown.

    `evidence` is what scoring found: a value in which a rule saw more than a credential or an address is shown, because
    nobody may be asked to approve a danger that they cannot read.
    """
    found = frozenset((*_secrets(action.kwargs, ("kwargs",)), *_secrets(action.args, ("args",))))
    if not found:
        return found
    return found - {item.at for item in evidence if not item.in_key and not item.rule.startswith(KEPT_HIDDEN)}


def _secrets(root: Json, path: tuple[str | int, ...]) -> Iterator[str]:
    """Pointers of secrets; the members of a list stand under the list's own name."""
    stack: list[tuple[Json, tuple[str | int, ...], str]] = [(root, path, "")]
    while stack:
        value, at, called = stack.pop()
        if isinstance(value, dict):
            members = [(key, key, child) for key, child in value.items()]
        elif isinstance(value, (list, tuple)):
            members = [(index, called, child) for index, child in enumerate(value)]
        else:
            continue
        for token, name, child in members:
            if isinstance(child, (dict, list, tuple)):
                stack.append((child, (*at, token), name))
            elif name and _is_secret(name, child):
                yield pointer(*at, token)


def mask_evidence(evidence: tuple[Evidence, ...], masked: frozenset[str]) -> tuple[Evidence, ...]:
    """The same evidence with the excerpts of masked values left out."""
    return tuple(
        replace(item, text=MASK) if item.at in masked and not item.in_key else item for item in evidence
    )


def mask_factor(factor: Factor, masked: frozenset[str]) -> Factor:
    """The same factor; its sentence quotes no masked value either."""
    if not any(item.at in masked for item in factor.evidence):
        return factor
    sentence = factor.sentence
    for item in factor.evidence:
        if item.at in masked and not item.in_key and item.text:
            sentence = sentence.replace(item.text, MASK)
    return replace(factor, sentence=sentence, evidence=mask_evidence(factor.evidence, masked))


def mask_floor(floor: Floor, masked: frozenset[str]) -> Floor:
    if not any(item.at in masked for item in floor.evidence):
        return floor
    return replace(floor, evidence=mask_evidence(floor.evidence, masked))
