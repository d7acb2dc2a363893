"""The words of the questions for values."""

import re

from riskgate.core.action import Action, tokens
from riskgate.core.challenges.text import SHORT, spelled
from riskgate.core.challenges.values import Leaf, place
from riskgate.core.challenges.vocabulary import SINGULAR, THINGS

_PROMPTS: dict[str, str] = {
    "environment": "In which environment?",
    "email": "Which e-mail address?",
    "url": "Which link?",
    "ip": "Which IP address?",
    "date": "Which date?",
    "path": "Which path?",
    "version": "Which version?",
    "host": "Which host?",
    "sql": "Which statement?",
    "command": "Which command?",
    "number": "Which number?",
    "uuid": "Which id?",
    "id": "Which value?",
    "word": "Which value?",
    "text": "Which text?",
    "boolean": "Which value?",
}

_NAMED: dict[str, str] = {
    **dict.fromkeys(("env", "environment", "stage"), "In which environment?"),
    **dict.fromkeys(("amount", "total", "sum"), "What amount?"),
    **dict.fromkeys(("currency",), "In which currency?"),
    **dict.fromkeys(("to", "recipient", "recipients"), "To whom?"),
    **dict.fromkeys(("region",), "In which region?"),
    **dict.fromkeys(("role",), "Which role?"),
    **dict.fromkeys(("repo", "repository"), "Which repository?"),
    **dict.fromkeys(("path", "file", "filename"), "Which path?"),
    **dict.fromkeys(("namespace",), "In which namespace?"),
}


def of_value(leaf: Leaf, action: Action) -> str:
    """The question for a whole value: by what it is, by its name, or by the thing that the function names."""
    named = [word.lower() for word in spelled(leaf.name)] if len(leaf.name) <= 40 else []
    if named and named[-1] in {"id", "ids", "uid", "uuid", "name", "key"} and len(named) > 1:
        named.pop()
    if leaf.kind in {"email", "url", "ip", "date", "sql", "command", "environment"}:
        return _PROMPTS[leaf.kind]
    if named and named[-1] in _NAMED:
        return _NAMED[named[-1]]
    if named and named[-1] in THINGS:
        return f"Which {named[-1]}?"
    thing = [word.lower() for word in spelled(action.function_name[:SHORT])]
    if leaf.at == "/args/0" and leaf.kind in {"id", "uuid"} and thing and thing[-1] in THINGS:
        return f"Which {SINGULAR.get(thing[-1], thing[-1])} is it about?"
    if leaf.kind in {"word", "text", "id", "number"} and re.fullmatch(r"[A-Za-z]\w{0,23}", leaf.name):
        return (
            f"What is the argument {leaf.name}?" if len(tokens(leaf.at)) == 2 else f"What is in {leaf.name}?"
        )
    if (
        leaf.kind in {"word", "text", "id", "number"}
        and len(tokens(leaf.at)) == 2
        and leaf.at.startswith("/args")
    ):
        return f"What is {place(leaf.at)[0].lower()}{place(leaf.at)[1:]}?"
    return _PROMPTS[leaf.kind]


def of_end(leaf: Leaf, side: str) -> str:
    """The question for how a text begins or ends."""
    what = {"sql": "statement", "command": "command", "url": "link", "path": "path"}.get(leaf.kind, "text")
    return f"How does the {what} {side}?"
