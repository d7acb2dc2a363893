"""What a call does, in words, told from its verb; and what it clearly does not do.

Tables only: an effect that the verb alone does not make sure is not asked for. `_CLOSE` holds the effects
that are not clearly false where another one is true; no question shows both.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from riskgate.core.challenges.values import Leaf
from riskgate.core.challenges.vocabulary import SINGULAR


@dataclass(frozen=True, slots=True)
class Effect:
    """A question for the effect.

    key      the effect's name in its table: "deleted", "drop table"
    told_by  the words that give it away in another question
    """

    key: str
    prompt: str
    note: str
    answer: str
    wrong: tuple[str, ...]
    told_by: frozenset[str]


# The texts of a table are about as long as each other, so that length tells nothing.
THING: dict[str, str] = {
    "deleted": "removed for good",
    "taken": "taken out of it",
    "emptied": "emptied entirely",
    "changed": "given new values",
    "created": "made from nothing",
    "read": "read, not changed",
    "sent": "sent to somebody",
    "started": "started, enabled",
    "stopped": "stopped, disabled",
    "restarted": "started once more",
    "ended": "ended before time",
    "locked": "locked up for now",
    "unlocked": "opened once again",
    "moved": "moved elsewhere",
    "renamed": "given a new name",
    "copied": "copied elsewhere",
    "exported": "written to a file",
    "granted": "given to somebody",
    "revoked": "taken off someone",
    "replaced": "exchanged for new",
    "deployed": "put into service",
    "reverted": "set back in time",
    "merged": "joined to another",
    "published": "shown to everyone",
    "owned": "given a new owner",
    "encrypted": "made unreadable",
}

MONEY: dict[str, str] = {
    "transferred": "It goes to another account",
    "paid": "It is paid out to somebody",
    "refunded": "It goes back to the payer",
    "charged": "It is taken from the payer",
    "held": "It is held until released",
    "converted": "It becomes another currency",
    "counted": "It is counted, not touched",
    "lent": "It is lent out for a time",
    "set aside": "It is set aside in a budget",
    "written off": "It is written off as a loss",
}

STATEMENT: dict[str, str] = {
    "select": "It only reads rows",
    "insert": "It adds rows to a table",
    "update": "It changes table rows",
    "delete": "It removes table rows",
    "drop table": "It removes a whole table",
    "truncate": "It empties a whole table",
    "alter table": "It changes table columns",
    "create table": "It makes another table",
    "create index": "It makes another index",
    "grant": "It gives out a right",
    "revoke": "It takes a right away",
    "rename": "It renames one table",
    "lock": "It locks a whole table",
}

COMMAND: dict[str, str] = {
    "remove": "It removes some files",
    "move": "It moves some files",
    "copy": "It copies some files",
    "mode": "It changes file rights",
    "kill": "It stops some programs",
    "show": "It only shows something",
    "folder": "It makes another folder",
    "install": "It installs software",
    "restart": "It restarts a service",
    "power": "It turns a machine off",
    "disk": "It overwrites a disk",
    "push": "It uploads new commits",
    "cloud": "It deletes cloud objects",
    "schedule": "It schedules some job",
    "password": "It changes a password",
}

_HARMLESS = frozenset(("read", "copied", "created", "renamed", "started", "unlocked", "counted"))
_HARMLESS |= frozenset(("select", "create table", "create index", "show", "folder", "copy"))
"""Left out beside an effect that is none of them, so that "the worst of them" is no way to guess."""

_VERBS: dict[str, str] = {
    "deleted": "delete destroy purge erase wipe drop",
    "taken": "remove detach unlink",
    "emptied": "truncate clear empty flush",
    "changed": "update modify edit change patch alter set adjust configure",
    "created": "create insert make new provision",
    "read": "get list fetch read find search check show describe view count",
    "sent": "send notify forward",
    "started": "start enable activate launch resume",
    "stopped": "stop kill disable halt shutdown deactivate pause",
    "restarted": "restart reboot",
    "ended": "cancel abort expire",
    "locked": "lock suspend freeze block ban",
    "unlocked": "unlock unfreeze unblock unban reopen",
    "moved": "move migrate relocate",
    "renamed": "rename",
    "copied": "copy clone duplicate replicate",
    "exported": "export dump",
    "granted": "grant assign allocate",
    "revoked": "revoke withdraw unassign",
    "replaced": "rotate renew replace",
    "deployed": "deploy release",
    "published": "publish",
    "reverted": "rollback revert restore",
    "merged": "merge combine",
    "transferred": "transfer wire",
    "paid": "pay payout disburse",
    "refunded": "refund reimburse",
    "charged": "charge debit collect",
}

VERBS: dict[str, str] = {verb: effect for effect, verbs in _VERBS.items() for verb in verbs.split()}

_MONEY_WORDS = frozenset(
    "money fund funds payment payments amount payout salary invoice card cash balance".split()
)

_CLOSE: dict[str, str] = {
    "deleted": "taken, emptied, ended, stopped, revoked, moved",
    "taken": "emptied, ended, stopped, revoked, moved",
    "emptied": "moved, exported",
    "changed": (
        "renamed, locked, unlocked, replaced, reverted, started, stopped, granted, revoked, moved, merged"
        ", emptied, deployed, ended"
    ),
    "created": "copied, granted, started, deployed, sent, exported",
    "read": "copied, exported",
    "sent": "moved, copied, granted, exported, deployed",
    "started": "unlocked, restarted, deployed, granted, created",
    "stopped": "locked, ended, restarted, revoked",
    "replaced": "reverted, created, restarted, merged, deleted",
    "deployed": "copied, replaced, moved, published",
    "published": "sent, granted, unlocked, changed",
    "owned": "granted, moved, changed, revoked",
    "encrypted": "changed, locked, exported",
    "locked": "ended",
    "reverted": "copied, created, unlocked",
    "merged": "moved, taken, deleted, renamed, copied",
    "granted": "moved, unlocked",
    "revoked": "locked, ended, moved",
    "moved": "renamed, copied",
    "transferred": "paid, refunded, charged",
    "paid": "refunded, charged, lent",
    "refunded": "charged",
    "delete": "truncate, drop table",
    "truncate": "drop table",
    "grant": "revoke",
    "create table": "create index",
    "disk": "remove",
    "move": "remove, copy",
}

_RUN = frozenset("run execute exec query sql shell bash command eval invoke call".split())

_PROGRAMS: dict[str, str] = {
    **dict.fromkeys(("rm", "rmdir", "unlink"), "remove"),
    "mv": "move",
    "cp": "copy",
    **dict.fromkeys(("chmod", "chown", "chgrp"), "mode"),
    **dict.fromkeys(("kill", "pkill", "killall"), "kill"),
    **dict.fromkeys(("ls", "cat", "head", "tail", "grep", "ps", "df", "du"), "show"),
    "mkdir": "folder",
    **dict.fromkeys(("shutdown", "poweroff", "halt"), "power"),
    **dict.fromkeys(("mkfs", "wipefs"), "disk"),
}

_TWO_WORDS: dict[tuple[str, str], str] = {
    **dict.fromkeys(
        [(tool, "install") for tool in ("apt", "apt-get", "pip", "npm", "yum", "dnf")], "install"
    ),
    ("git", "push"): "push",
    ("systemctl", "restart"): "restart",
    ("kubectl", "delete"): "cloud",
    ("terraform", "destroy"): "cloud",
}

_MANY = re.compile(r"[;|&`\n]|\$\(|>")
_UNSURE = re.compile(r"--(?:dry-run|delete|help|version|mirror|no-act)\b|\s(?:-d|-n|:\S+)\b")
_STATEMENT = re.compile(
    r"(?i)\s*(?:(select)\b(?!.*\binto\b)[^()]*\bfrom\b|(insert)\s+into\b|(update)\b.*\bset\b|(delete)\s+from\b"
    r"|(drop\s+table|truncate|alter\s+table|create\s+table|create\s+(?:unique\s+)?index|grant|revoke)\b)"
)


def of_value(leaf: Leaf) -> Effect | None:
    """What one statement or one command does; None where it is several, or not in the table."""
    text = leaf.text.strip()
    found = (
        _of_statement(text) if leaf.kind == "sql" else _of_command(text) if leaf.kind == "command" else None
    )
    if found is None:
        return None
    table, effect, told_by = found
    prompt = "What does the statement do?" if leaf.kind == "sql" else "What does the command do?"
    return Effect(effect, prompt, "", table[effect], _wrong(table, effect), frozenset(told_by))


def _of_statement(text: str) -> tuple[Mapping[str, str], str, set[str]] | None:
    match = _STATEMENT.match(text.rstrip("; "))
    if not match or _MANY.search(text.rstrip("; ").replace(">", "")) or "--" in text or "/*" in text:
        return None
    verb = " ".join((match.group(match.lastindex or 0)).lower().replace("unique", "").split())
    return STATEMENT, verb, {verb.split()[0]}


def _of_command(text: str) -> tuple[Mapping[str, str], str, set[str]] | None:
    if _MANY.search(text) or _UNSURE.search(text):
        return None
    said = [word for word in text.split() if word not in {"sudo"}]
    if not said or said[0].startswith("-"):
        return None
    program = said[0].partition(".")[0]
    effect = _TWO_WORDS.get((said[0], said[1]) if len(said) > 1 else ("", "")) or _PROGRAMS.get(program)
    return (COMMAND, effect, set(said[:2])) if effect else None


def of_name(name: Iterable[str]) -> Effect | None:
    """What a function does to its object, from the words of its name; None where they are not sure."""
    said = [word.lower() for word in name]
    if not said or len(said) > 8 or {"or", "and", "not", "if", "soft", "undo", "dry"} & set(said):
        return None
    known = [word for word in said if word in VERBS]
    verb = said[0] if said[0] in VERBS else known[0] if len(known) == 1 else ""
    if not verb:
        return None
    effect, note = VERBS[verb], "The effect of the call as a whole"
    if effect in MONEY:
        if not _MONEY_WORDS & set(said) and len(said) > 1:
            return None
        wrong, told_by = _wrong(MONEY, effect), frozenset({verb})
        return Effect(effect, "What happens to the money?", note, MONEY[effect], wrong, told_by)
    thing = said[-1] if said[-1] != verb and len(said) > 1 and re.fullmatch(r"[a-z]{3,20}", said[-1]) else ""
    if not thing or said.index(verb) == len(said) - 1:
        thing = (
            said[-2] if len(said) > 1 and said[-1] == verb and re.fullmatch(r"[a-z]{3,20}", said[-2]) else ""
        )
    many = thing in SINGULAR or (thing.endswith("s") and not thing.endswith(("ss", "us", "is")))
    start = "They are" if many else "It is"
    table = {key: f"{start} {phrase}" for key, phrase in THING.items()}
    prompt = f"What happens to the {thing}?" if thing else "What happens to what it names?"
    return Effect(effect, prompt, note, table[effect], _wrong(table, effect), frozenset({verb}))


def runs(name: Iterable[str]) -> bool:
    """Is this the name of a function that carries out the text that it is given?"""
    return any(word.lower() in _RUN for word in name)


def _wrong(table: Mapping[str, str], effect: str) -> tuple[str, ...]:
    close = {*_CLOSE.get(effect, "").split(", ")} | {
        other for other, near in _CLOSE.items() if effect in near.split(", ")
    }
    clear = [key for key in table if key != effect and key not in close]
    grave = [key for key in clear if key not in _HARMLESS]
    return tuple(table[key] for key in (grave if effect not in _HARMLESS and len(grave) > 5 else clear))
