"""By what words a person names a value: whole, or by the part that tells it from others."""

import re
import unicodedata
from collections.abc import Iterable

from riskgate.core.challenges.text import SHORT, spelled

_MOST = 40

_EVERYTHING = (
    "root",
    "everything",
    "file system",
    "filesystem",
    "whole",
    "entire",
    "all files",
    "all the files",
)

_NUMBER = re.compile(r"[-+]?(\d{1,15})(?:\.(\d{1,6}))?")

_FIGURES = re.compile(r"[\d.:/-]+|\d{4}-\d\d-\d\d\S*")
"""Addresses, dates and versions, which no part of theirs names."""

_ATOM = re.compile(r"[^\W_]+")


def atoms(text: str) -> list[str]:
    """The runs of letters and figures of a text, folded."""
    return _ATOM.findall(unicodedata.normalize("NFKC", text).casefold())


def names(text: str) -> list[str]:
    """The ways to name this value, each as its atoms with a blank between, the whole first."""
    text = text[: 4 * SHORT]
    found = [_joined(text)]
    if not found[0]:
        return ["home", *_EVERYTHING] if "~" in text else list(_EVERYTHING)
    number = _NUMBER.fullmatch(text.strip())
    if number:
        return _unique([*found, *_amounts(number.group(1), number.group(2) or "")])
    if "@" in text:
        found.append(_joined(text.partition("@")[0]))
    if "://" in text:
        host, _, path = text.partition("://")[2].partition("/")
        found += [_joined(host), _joined(path)]
    parts = [part for part in re.split(r"[/\\]", text.partition("?")[0]) if atoms(part)]
    if len(parts) > 1:
        found += [_joined(" ".join(parts[-2:])), _joined(parts[-1])]
    elif "." in text and "@" not in text and not _FIGURES.fullmatch(text.strip()):
        found += [_joined(text.rpartition(".")[2]), _joined(text.partition(".")[0])]
    found.append(_joined(" ".join(part for run in re.split(r"[\W_]+", text) for part in _apart(run))))
    if len(parts) == 1 and not _FIGURES.fullmatch(text.strip()):
        found += [part for part in found[0].split()[-1:] if len(part) > 2 and any(map(str.isdigit, part))]
        found += [run for run in re.findall(r"\d+", found[0]) if len(run) > 2]
    if re.fullmatch(r"[0-9a-f]{8}(?: [0-9a-f]{4}){3} [0-9a-f]{12}", found[0]):
        found += [found[0].partition(" ")[0], found[0].rpartition(" ")[2]]
    return _unique(name for name in found if len(name) > 2 or name == found[0])


def place_of(name: str, words: list[str]) -> int:
    """Where a person's words (atoms) first hold this name, in singular or plural; -1 where nowhere."""
    wanted = name.split()
    for start in range(len(words) - len(wanted) + 1):
        if words[start : start + len(wanted) - 1] == wanted[:-1] and _alike(
            words[start + len(wanted) - 1], wanted[-1]
        ):
            return start
    return -1


def _alike(word: str, wanted: str) -> bool:
    if word == wanted:
        return True
    return len(wanted) > 3 and wanted.isalpha() and word.isalpha() and _singular(word) == _singular(wanted)


def _singular(word: str) -> str:
    for ending, short in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("s", "")):
        if word.endswith(ending) and not (ending == "s" and word.endswith("ss")):
            return word[: -len(ending)] + short
    return word


def _apart(run: str) -> list[str]:
    """A name in camel case, spelled; anything else as it is."""
    said = spelled(run)
    return said if "".join(said) == run else [run]


def _amounts(whole: str, cents: str) -> list[str]:
    """A number as people write it: 48 200, 48,200.00, 48.2k."""
    grouped = f"{int(whole):,}".replace(",", " ")
    found = [whole, grouped]
    if cents:
        found += [f"{whole} {cents}", f"{grouped} {cents}", f"{whole} {cents:0<2}", f"{grouped} {cents:0<2}"]
    for size, letter in ((1000, "k"), (1_000_000, "m")):
        if int(whole) >= size and int(whole) % (size // 10) == 0:
            found.append(_joined(f"{int(whole) / size:g}{letter}"))
    return found


def _joined(text: str) -> str:
    return " ".join(atoms(text)[:_MOST])


def _unique(found: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(found) if name]
