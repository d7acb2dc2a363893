"""What a call acts on, and the question to type it."""

import re
import unicodedata
from dataclasses import dataclass

from riskgate.core.action import tokens
from riskgate.core.challenges import operands
from riskgate.core.challenges.candidates import is_target, ordered
from riskgate.core.challenges.text import SHORT, beginning, cut, rendered, spelled
from riskgate.core.challenges.types import Question, Subject
from riskgate.core.challenges.values import Leaf, hidden, leaves, place, secret_looking
from riskgate.core.challenges.vocabulary import SINGULAR

SUBJECT = "target"

_MOST = 20

_RECIPIENT = re.compile(
    r"(?i)(?:to|to_?account|to_?user|recipient|recipients|destination|dest|payee|beneficiary|iban|to_?iban|target)"
)
_ENDINGS = frozenset("id ids uid uuid name key".split())
_AMOUNT = re.compile(r"(?i)(?:.*_)?(?:amount|total|sum|quantity|count|limit)")


@dataclass(frozen=True, slots=True)
class Target:
    """What a call acts on, and where that stands.

    at     JSON Pointer of the value that names it
    texts  the names, as rendered: several where a call acts on several things
    part   whether the names are parts of that value, as a table is of a statement
    """

    at: str
    texts: tuple[str, ...]
    part: bool = False


def find(subject: Subject) -> Target | None:
    """The target, or None where the call names none that may be shown."""
    visible = [leaf for leaf in ordered(subject) if leaf.kind not in {"boolean", "environment"}]
    nouns = {_singular(word) for word in spelled(subject.action.function_name[:SHORT])}
    order = {leaf.at: i for i, leaf in enumerate(leaves(subject.action))}
    ranked = sorted(visible, key=lambda leaf: (_rank(leaf, nouns), order.get(leaf.at, len(order))))
    return next((target for leaf in ranked if (target := _of(leaf, visible)) is not None), None)


def question(subject: Subject) -> Question:
    """To type the target as it is shown; where there is none that can be typed, the function's name."""
    target = find(subject)
    if target is not None and (target.part or len(target.texts) == 1 or _in_list(target.at)):
        return _typed(f"Type the target, as {_where(target.at)} names it", _note(target), target.texts[0])
    for leaf in ordered(subject):
        if leaf.kind in {"sql", "command"} and leaf.text and _plain(str(leaf.value)):
            what = "statement" if leaf.kind == "sql" else "command"
            return _typed(f"Type the whole {what}, as {_where(leaf.at)} holds it", "", leaf.text)
    answer, first = beginning(subject.action.function_name)
    if not hidden("/function_name", subject.masked) and not first and _plain(subject.action.function_name):
        return _typed("Type the name of the function", "The function that would be called", answer)
    answer, first = beginning(subject.agent)
    what = f"the {first} of the agent's name" if first else "the name of the agent"
    return _typed(f"Type {what}", "The agent that asks", answer)


def _typed(prompt: str, note: str, answer: str) -> Question:
    return Question(prompt, note, "typed", (), "mono", answer, SUBJECT)


def _rank(leaf: Leaf, nouns: set[str]) -> int:
    """Whom it reaches and what the function names, then what is run, then what looks like a target."""
    named = [_singular(word) for word in spelled(leaf.name[:60]) if word.lower() not in _ENDINGS]
    if _RECIPIENT.fullmatch(leaf.name[:60]) or (named and named[-1] in nouns and is_target(leaf)):
        return 0
    if leaf.kind in {"sql", "command"}:
        return 1
    if _AMOUNT.fullmatch(leaf.name[:60]):
        return 4
    return 2 if leaf.at == "/args/0" else 3 if is_target(leaf) else 5


def _singular(word: str) -> str:
    return SINGULAR.get(word.lower(), word.lower().removesuffix("s"))


def _of(leaf: Leaf, visible: list[Leaf]) -> Target | None:
    if leaf.kind in {"sql", "command"}:
        found = _inside(leaf)
        texts = tuple(dict.fromkeys(text for text in map(rendered, found[:_MOST]) if _fits(text)))
        return Target(leaf.at, texts, part=True) if texts else None
    if not leaf.text or not _plain(str(leaf.value)):
        return None
    if not _in_list(leaf.at):
        return Target(leaf.at, (leaf.text,))
    around = leaf.at.rpartition("/")[0]
    others = [
        other.text
        for other in visible
        if other.at.rpartition("/")[0] == around and other.text and _plain(str(other.value))
    ]
    return Target(leaf.at, tuple(dict.fromkeys([leaf.text, *others[:_MOST]])))


def _inside(leaf: Leaf) -> list[str]:
    if leaf.kind == "sql":
        return operands.of_statement(leaf.raw)
    what, where = operands.of_command(leaf.raw, max(0, leaf.focus - leaf.start))
    return what or where


def _fits(text: str) -> bool:
    return 0 < len(text) <= SHORT and _plain(text) and not secret_looking("", text)


def _plain(value: str) -> bool:
    """Is it shown as it is, without signs for what nobody can see?"""
    return rendered(value) == " ".join(unicodedata.normalize("NFC", value).split(" ")).strip() != ""


def _in_list(at: str) -> bool:
    """Does it stand in a list of its own, not in the list of the arguments?"""
    steps = tokens(at)
    return len(steps) > 2 and steps[-1].isdecimal()


def _where(at: str) -> str:
    """The argument's name for a prompt: `command`, or "the first argument"."""
    head = tokens(at)[1]
    if at.startswith("/args/"):
        said = place("/args/" + head)
        return said[0].lower() + said[1:]
    return f"`{cut(rendered(head), 40)}`"


def _note(target: Target) -> str:
    """Which of several names is meant; where that is stands in the prompt."""
    return "The first of the names there" if target.part and len(target.texts) > 1 else ""
