"""How fast scoring is in one process, on small actions, on prose and on hostile texts.

    python -m tests.benchmarks.scoring

No two actions have the same arguments. As in a real stream the functions come again and again, with their docstrings:
there are FUNCTIONS of them, and what is remembered of a function helps. The lines that say so have none twice.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from riskgate.core.action import Action, Context
from riskgate.core.policy import BALANCED
from riskgate.core.redaction import mask_factor, mask_floor, masked_pointers
from riskgate.core.rendering import signature
from riskgate.core.scoring import assess, score_docstring, summary
from tests.benchmarks import machine
from tests.benchmarks.table import HEAD, Row, show

MIB = 1 << 20
VERBS = ("get", "list", "find", "update", "create", "send", "archive", "delete", "sync", "export")
NOUNS = ("user", "invoice", "order", "ticket", "report")
FUNCTIONS = tuple(f"{verb}_{noun}" for verb in VERBS for noun in NOUNS)
WORDS = (
    "the order of our customer was sent on Monday and will arrive at the depot in a few days unless the weather is bad"
    " then it takes longer as usual we wrote to them about this twice they answered kindly that there is no hurry but"
    " a delivery before the end of the month would be welcome please have a look at their account and say whether the"
    " agreement allows for compensation otherwise explain our conditions in simple language and mention the newsletter"
).split()

_numbers = count()


def _new() -> int:
    """A number that scrambles the next one: no argument comes twice."""
    return next(_numbers) * 2654435761 % 2**32


def small(function: str | None = None) -> Action:
    """One of a few shapes, for one of FUNCTIONS."""
    number = _new()
    name = function or FUNCTIONS[number % len(FUNCTIONS)]
    told = f"{name.partition('_')[0].capitalize()}s what was asked for, newest first."
    match number % 4:
        case 0:
            return Action(name, (f"usr_{number:08x}",), {"page": number % 90, "status": "open"}, told)
        case 1:
            return Action(
                name, (), {"id": f"{number:010d}", "fields": ["name", "status", f"f{number}"]}, told
            )
        case 2:
            return Action(name, (number, f"by {number:x}"), {"dry_run": True, "limit": 20}, told)
        case _:
            return Action(name, ({"id": number, "title": f"No. {number}", "done": False},), {}, told)


def unknown() -> Action:
    """The same; neither the function nor its docstring was ever seen."""
    number = _new()
    action = small(f"{VERBS[number % len(VERBS)]}_thing_{number}")
    return replace(action, docstring=f"{action.docstring} Number {number}.")


def worked() -> Action:
    return Action(
        "delete_user", (f"usr_{_new()}",), {"env": "production"}, "Permanently remove a user account."
    )


def statement() -> Action:
    return Action(
        "execute_sql", (), {"sql": f"SELECT id, name FROM users WHERE id = {_new()}"}, "Runs a query."
    )


def command() -> Action:
    return Action("run_shell", (), {"command": f"rm -rf build/{_new():x} && ls -la"}, "Runs a command.")


def letter() -> Action:
    """It names an address and a token."""
    text = f"Hello,\n\nyour token for order {_new()} is on its way.\n\nKind regards\nThe team"
    return Action("send_email", (), {"to": f"bob{_new()}@example.com", "body": text}, "Sends a letter.")


def prose() -> Action:
    """About 10 kB of sentences, of which no two are the same."""
    sentences = []
    for _ in range(130):
        at = _new()
        words = [WORDS[(at >> shift) % len(WORDS)] for shift in range(0, 28, 2)]
        sentences.append(" ".join(words).capitalize() + ("?" if at % 9 == 0 else "."))
    text = " ".join(sentences)
    return Action("write_page", (), {"value": text[:10_000]}, "Writes a page.")


HOSTILE: dict[str, Callable[[int], object]] = {
    "prose": lambda size: "The quick brown fox jumps over the lazy dog. " * (size // 45),
    "rm -rf": lambda size: "rm -rf " * (size // 7),
    "rm -rf / lines": lambda size: "rm -rf /\n" * (size // 9),
    "echo 'rm -rf /'": lambda size: "echo 'rm -rf /'; " * (size // 17),
    "one letter": lambda size: "a" * size,
    "camel": lambda size: "KeyK" * (size // 4),
    "monkeys": lambda size: "monkey " * (size // 7),
    "quotes": lambda size: "'" * size,
    "apostrophes": lambda size: "rm a'b" * (size // 6),
    "double quotes": lambda size: 'rm "' * (size // 4),
    "substitutions": lambda size: "rm $(" * (size // 5),
    "backquotes": lambda size: "rm ` " * (size // 5),
    "here-documents": lambda size: "cat <<A rm\n" * (size // 11),
    "pipes": lambda size: "rm|" * (size // 3),
    "bash -c": lambda size: "bash -c '" * (size // 9),
    "xargs": lambda size: "xargs rm " * (size // 9),
    "delete from": lambda size: "DELETE FROM t WHERE a=1;" * (size // 24),
    "update set": lambda size: "UPDATE t SET a='" * (size // 16),
    "sql comments": lambda size: "DROP/*" * (size // 6),
    "addresses": lambda size: "1.2.3." * (size // 6),
    "schemes": lambda size: "a://b@" * (size // 6),
    "mail": lambda size: "a@a." * (size // 4),
    "fork": lambda size: ":(){:|:&}" * (size // 9),
    "words of rules": lambda size: "env key config drop delete rm dd push clean " * (size // 44),
    "cyrillic": lambda size: "удалить " * (size // 15),
    "look-alikes": lambda size: "dеlеtе " * (size // 10),
    "zero-width": lambda size: "d\u200be" * (size // 5),
    "every character": lambda size: "".join(chr(0x10000 + i % 0xE0000) for i in range(size // 4)),
    "combining": lambda size: "e\u0301" * (size // 3),
    "url-encoded": lambda size: "%41a" * (size // 4),
    "base64": lambda size: "cm0gLXJmIC8= " * (size // 13),
    "one base64": lambda size: "cm0gLXJm" * (size // 8),
    "json": lambda size: "[" + '"rm \\u002f",' * (size // 12) + "1]",
    "split literals": lambda size: "'+'a" * (size // 4),
    "variables": lambda size: "X=rm;$X " * (size // 8),
    "files": lambda size: "a>b;sh b;" * (size // 9),
    "numbered characters": lambda size: "rm $'\\x72'" * (size // 10),
    "many commands": lambda size: [{"cmd": "rm", "args": "-rf"}] * (size // 27),
    "nested lists": lambda size: [["rm", ["-rf", "/"]]] * (size // 21),
    "many numbers": lambda size: [1] * (size // 2),
    "many strings": lambda size: ["rm"] * (size // 5),
    "many lists": lambda size: [["rm", "-rf"]] * (size // 13),
    "many keys": lambda size: {f"k{i}": "rm -r" for i in range(size // 17)},
}

TINY = ("many numbers", "many strings", "many lists", "nested lists", "many commands", "many keys")


def chain(action: Action) -> None:
    """Everything about an action's risk that a submission computes."""
    found = assess(action, Context(), BALANCED)
    evidence = tuple(item for part in (*found.factors, *found.floors) for item in part.evidence)
    masked = masked_pointers(action, evidence)
    if masked:
        [mask_factor(factor, masked) for factor in found.factors]
        [mask_floor(floor, masked) for floor in found.floors]
    summary(found)
    signature(action, masked)
    score_docstring(action.docstring, BALANCED)


def scored(action: Action) -> None:
    assess(action, Context(), BALANCED)


def a_second(make: Callable[[], Action], work: Callable[[Action], None], times: int, rounds: int) -> float:
    """The median over rounds, in processor time of this process: what else runs on the machine counts little."""
    rates = []
    for _ in range(rounds + 1):
        actions = [make() for _ in range(times)]
        start = time.process_time()
        for action in actions:
            work(action)
        rates.append(times / (time.process_time() - start))
    return statistics.median(rates[1:])


def seconds(name: str, size: int) -> float:
    """For one hostile text."""
    action = Action("run_shell", (HOSTILE[name](size),))  # type: ignore[arg-type]
    start = time.process_time()
    scored(action)
    return time.process_time() - start


def rows(quick: bool) -> Iterator[Row]:
    times, rounds = (20, 1) if quick else (2000, 7)
    few = f"{len(FUNCTIONS)} functions"
    yield Row(
        f"scoring small actions, {few}", a_second(small, scored, times, rounds), "a second", at_least=30_000
    )
    yield Row(
        "scoring small actions, no function twice", a_second(unknown, scored, times, rounds), "a second"
    )
    for name, make in (
        ("the worked example", worked),
        ("a statement", statement),
        ("a command that deletes", command),
        ("a letter", letter),
    ):
        yield Row(f"scoring {name}", a_second(make, scored, times, rounds), "a second")
    yield Row(
        "scoring 10 kB of prose", a_second(prose, scored, times // 10, rounds), "a second", at_least=10_000
    )
    yield Row(
        f"scoring, masking and telling, small, {few}", a_second(small, chain, times, rounds), "a second"
    )
    yield Row(
        "scoring, masking and telling, the worked example", a_second(worked, chain, times, rounds), "a second"
    )
    yield Row(
        "scoring, masking and telling, 10 kB of prose",
        a_second(prose, chain, times // 10, rounds),
        "a second",
    )
    size = MIB // 64 if quick else MIB
    tiny = max((seconds(name, size), name) for name in TINY)
    yield Row(f"scoring 1 MiB of tiny values: {tiny[1]}", tiny[0] * 1000, "ms", at_most=1000)
    worst = max((seconds(name, size), name) for name in HOSTILE)
    yield Row(f"scoring 1 MiB at worst: {worst[1]}", worst[0] * 1000, "ms", at_most=1000)
    growth = max((seconds(name, size) / seconds(name, size // 2), name) for name in HOSTILE)
    yield Row(f"scoring twice the text at worst: {growth[1]}", growth[0], "times")


def main() -> None:
    print(f"{machine.described()}\n\n{HEAD}")
    for line in show(rows(quick=False)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
