"""How fast scoring is, on small actions and on hostile texts: `python -m tests.benchmarks.scoring`."""

import time
from collections.abc import Callable

from riskgate.core.action import Action, Context
from riskgate.core.policy import BALANCED
from riskgate.core.scoring import assess

MIB = 1 << 20

SMALL = {
    "worked example": Action(
        "delete_user", ("usr_123",), {"env": "production"}, "Permanently remove a user account."
    ),
    "shell": Action(
        "run_shell", (), {"command": "cd app && git status && ls -la | grep x"}, "Runs a command."
    ),
    "sql": Action("execute_sql", (), {"sql": "SELECT id, name FROM users WHERE id = 3"}, "Runs a query."),
    "10 kB of prose": Action(
        "write", (), {"value": "The quick brown fox jumps over the lazy dog. " * 230}, "Writes."
    ),
}

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


def seconds(action: Action, times: int = 1) -> float:
    start = time.process_time()
    for _ in range(times):
        assess(action, Context(), BALANCED)
    return (time.process_time() - start) / times


def main() -> None:
    print(f"{'small action':<20}{'µs':>10}{'a second':>12}")
    for name, action in SMALL.items():
        seconds(action, 3)
        taken = seconds(action, 300)
        print(f"{name:<20}{taken * 1e6:>10.0f}{1 / taken:>12.0f}")
    print(f"\n{'hostile text':<20}{'½ MiB, ms':>12}{'1 MiB, ms':>12}{'growth':>10}")
    for name, make in HOSTILE.items():
        half = seconds(Action("run_shell", (make(MIB // 2),)))  # type: ignore[arg-type]
        full = seconds(Action("run_shell", (make(MIB),)))  # type: ignore[arg-type]
        print(f"{name:<20}{half * 1e3:>12.0f}{full * 1e3:>12.0f}{full / half:>10.1f}")


if __name__ == "__main__":
    main()
