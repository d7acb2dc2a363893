"""Neighbours of a value: what in a text may differ, and another text in which it does.

A text is cut into pieces; a few of them (numbers, dates, addresses, words of the vocabulary) are slots. To
vary a text is to change some of its slots. Every change is as likely as its reverse, so that of two texts,
one varied from the other, nobody can tell which came first.
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from string import ascii_lowercase, ascii_uppercase, digits

from riskgate.core.challenges.vocabulary import FIXED, FUNCTION_PEERS, PEERS

_PIECE = re.compile(
    r"(?P<uuid>\b[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}\b)"
    r"|(?P<date>(?<![0-9])(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?![0-9]))"
    r"|(?P<ip>(?<![0-9.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9.]))"
    r"|(?P<escape>\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|\\[nrt])"
    r"|(?P<hex>(?<![A-Za-z0-9])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,}(?![A-Za-z0-9]))"
    r"|(?P<mixed>(?<![A-Za-z0-9])(?:[A-Za-z]+[0-9]+[A-Za-z]|[0-9]+[A-Za-z]+[0-9])[A-Za-z0-9]*)"
    r"|(?P<version>(?<![0-9.])[0-9]{1,4}(?:\.[0-9]{1,4}){2,}(?![0-9]))"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<word>[A-Z]?[a-z]+|[A-Z]+(?![a-z]))"
    r"|(?P<other>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text; `slot` is the sort of change that it allows, "" for none."""

    text: str
    slot: str


def parse(text: str, kind: str = "", *, verbs: bool = False) -> tuple[Piece, ...]:
    """The pieces of a short text. `verbs`: the verbs of function names may differ, and nothing else."""
    fixed = FIXED.get(kind, frozenset())
    peers = FUNCTION_PEERS if verbs else PEERS
    pieces: list[Piece] = []
    started = False
    for match in _PIECE.finditer(text):
        found, sort = match.group(), match.lastgroup or "other"
        before = text[match.start() - 1] if match.start() else " "
        slot = ""
        if kind == "switches":
            slot = "switch" if found in {"true", "false"} else ""
        elif sort == "word":
            # The name of a program and its flags say what a command is; they stay.
            flag = kind == "command" and (not started or before == "-")
            if found.lower() in peers and found.lower() not in fixed and not flag:
                slot = "word" if not verbs else "" if any(piece.slot for piece in pieces) else "verb"
        elif sort == "other":
            started = started or found == " "
        elif sort not in {"escape"} and not verbs and not (kind == "command" and before in "-&>"):
            slot = sort
        if kind == "sql" and slot == "word" and found.isupper():
            slot = ""
        if slot == "ip" and any(int(part) > 255 for part in found.split(".")):
            slot = "version"
        if slot == "date" and not _is_date(found):
            slot = ""
        pieces.append(Piece(found, slot))
    if any(_wide(piece) for piece in pieces):
        pieces = [Piece(p.text, "" if p.slot == "word" else p.slot) for p in pieces]
    return tuple(pieces)


def _wide(piece: Piece) -> bool:
    """Is there room enough in its figures? Then no word differs: some would fit better than others."""
    return piece.slot in {"uuid", "date", "ip", "hex", "mixed"} or (
        piece.slot == "number" and len(piece.text) > 2
    )


def joined(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)


def frame(pieces: tuple[Piece, ...]) -> str:
    """What does not differ: the text with every slot blanked."""
    return "".join("\0" if piece.slot else piece.text for piece in pieces)


def vary(pieces: tuple[Piece, ...], rng: random.Random) -> tuple[Piece, ...]:
    """The pieces with one to three of their slots changed. A piece may come back as it was."""
    slots = [i for i, piece in enumerate(pieces) if piece.slot]
    if not slots:
        return pieces
    changed = set(rng.sample(slots, min(len(slots), rng.choice((1, 1, 2, 2, 3)))))
    return tuple(Piece(_changed(p, rng), p.slot) if i in changed else p for i, p in enumerate(pieces))


def _changed(piece: Piece, rng: random.Random) -> str:
    text = piece.text
    if piece.slot in {"word", "verb"}:
        return _word(text, FUNCTION_PEERS if piece.slot == "verb" else PEERS, rng)
    if piece.slot == "switch":
        return rng.choice(("true", "false"))
    if piece.slot == "date":
        return _date(text, rng)
    if piece.slot == "ip":
        parts = text.split(".")
        i = rng.choice((1, 2, 3, 3))
        other = str(rng.randint(1, 254)) if int(parts[i]) else parts[i]
        return ".".join([*parts[:i], other, *parts[i + 1 :]])
    if piece.slot == "version":
        parts = text.split(".")
        i = rng.randrange(len(parts))
        return ".".join([*parts[:i], _digits(parts[i], rng), *parts[i + 1 :]])
    if piece.slot == "number":
        whole, dot, decimals = text.partition(".")
        return (
            whole + dot + _digits(decimals, rng)
            if not whole.strip("0") and dot
            else _number(whole, rng) + dot + decimals
        )
    return _characters(text, piece.slot, rng)


def _word(text: str, peers: Mapping[str, tuple[str, ...]], rng: random.Random) -> str:
    other = rng.choice(peers[text.lower()])
    if text.isupper() and len(text) > 1:
        return other.upper()
    return other.capitalize() if text[0].isupper() else other


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _date(text: str, rng: random.Random) -> str:
    """Another day within six weeks; a first of the month stays one."""
    day = date.fromisoformat(text)
    if day.day == 1:
        months = min(max(day.year * 12 + day.month - 1 + rng.randint(-5, 5), 1900 * 12), 2099 * 12)
        return date(months // 12, months % 12 + 1, 1).isoformat()
    moved = day + timedelta(days=rng.randint(-42, 42))
    return text if moved.day == 1 else moved.isoformat()


def _number(text: str, rng: random.Random) -> str:
    """A year stays near, an epoch or an id keeps its length; noughts at either end stay."""
    if len(text) == 4 and 1990 <= int(text) <= 2049:
        return str(min(max(int(text) + rng.randint(-8, 8), 1990), 2049))
    if len(text) == 1:
        return str(rng.randint(0, 9))
    core = text.strip("0")
    if not core:
        return text
    if len(core) == 1:
        return text.replace(core, str(rng.randint(1, 9)))
    start = text.index(core)
    return text[:start] + _digits(core, rng) + text[start + len(core) :]


def _digits(text: str, rng: random.Random) -> str:
    """The digits in another order, or some of them another digit throughout: what repeats still repeats."""
    if len(text) == 1:
        return str(rng.randint(0, 9))
    found = list(text)
    for _ in range(1 + len(text) // 5):
        if len(set(found)) > 1 and rng.random() < 0.5:
            rng.shuffle(found)
        else:
            old, new = rng.choice(sorted(set(found))), rng.choice(digits)
            if new not in found:
                found = [new if digit == old else digit for digit in found]
    other = "".join(found)
    return (
        other if (other[0] == "0") == (text[0] == "0") and (other[-1] == "0") == (text[-1] == "0") else text
    )


def _characters(text: str, slot: str, rng: random.Random) -> str:
    """Half of the characters drawn anew, each from its class; a UUID's version stays, and a word."""
    if slot == "mixed":
        worded = {i for match in re.finditer(r"[A-Za-z]{3,}", text) for i in range(*match.span())}
    else:
        worded = {14, 19} if slot == "uuid" else set()
    free = [i for i, char in enumerate(text) if char.isalnum() and i not in worded]
    out = list(text)
    for i in rng.sample(free, (len(free) + 1) // 2):
        if slot in {"uuid", "hex"}:
            out[i] = rng.choice("0123456789ABCDEF" if text.isupper() else "0123456789abcdef")
        else:
            out[i] = rng.choice(
                digits if out[i].isdigit() else ascii_uppercase if out[i].isupper() else ascii_lowercase
            )
    return "".join(out)
