"""What one command leaves for those after it: variables, aliases, and files that are run later."""

from collections.abc import Sequence

import re2

from riskgate.core.scoring.matching import options
from riskgate.core.scoring.structure.parts import SHELLS, Command, Word

MOST = 64
"""How many variables and files are remembered."""

LONG = 200
"""The most characters of a variable's value."""

_VARIABLE = re2.compile(rb"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))", options())
_BRACES = re2.compile(rb"\{[^{},\s]+(?:,[^{},\s]*)+\}", options())
_RUNNERS = SHELLS | {"source", ".", "python", "python3", "python2", "perl", "ruby", "node", "php", "pwsh"}
_DECLARE = frozenset({"export", "declare", "local", "readonly", "typeset"})
DOWNLOADS = frozenset({"curl", "wget", "fetch", "aria2c", "iwr", "invoke-webrequest"})


class Session:
    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self._files: dict[str, Command] = {}

    def expanded(self, words: list[Word]) -> list[Word]:
        """The words with known variables, an alias and braces in the place of the command written out."""
        self._assign(words)
        if words and words[0].raw[:1] == "{" and _BRACES.fullmatch(words[0].raw.encode("latin-1", "replace")):
            words = [*_in_braces(words[0]), *words[1:]]
        if words and words[0].raw in self._aliases:
            words = [*_split(self._aliases[words[0].raw], words[0].places[:1]), *words[1:]]
        if not self._values:
            return words
        out: list[Word] = []
        for word in words:
            out += self._written_out(word) if "$" in word.raw else [word]
        return out

    def _assign(self, words: list[Word]) -> None:
        for index, word in enumerate(words):
            name, equals, value = word.raw[: LONG * 2].partition("=")
            if equals and name.isidentifier() and len(self._values) < MOST:
                kept = self._aliases if words[0].raw == "alias" else self._values
                kept[name] = "".join(part.raw for part in self._written_out(Word(value, range(len(value)))))[
                    :LONG
                ]
            elif index or word.raw not in _DECLARE | {"alias"}:
                return

    def _written_out(self, word: Word) -> list[Word]:
        data, position = word.raw.encode("latin-1", "replace"), 0
        chars: list[str] = []
        places: list[int] = []
        while (match := _VARIABLE.search(data, position)) is not None:
            name = (match.group(1) or match.group(2)).decode("latin-1")
            first, last = match.span()
            until = first if name in self._values else last
            chars += word.raw[position:until]
            places += word.places[position:until]
            if name in self._values:
                chars += self._values[name]
                places += [word.places[first]] * len(self._values[name])
            position = last
        if not position:
            return [word]
        text = "".join(chars) + word.raw[position:]
        return _split(text, [*places, *word.places[position:]])

    def note(self, command: Command) -> None:
        """Remembers which file the output of a command goes to."""
        words = command.words
        targets = [words[at + 1].raw for at, word in enumerate(words[:-1]) if word.text == ">"]
        if words and _base(words[0].raw) in DOWNLOADS:
            targets += _downloaded(words)
        for target in targets:
            if len(self._files) < MOST:
                self._files[target.removeprefix("./")] = command

    def source(self, command: Command) -> Command | None:
        """The command that wrote the file which this one runs."""
        if not self._files or not command.words:
            return None
        head, *rest = (word.raw for word in command.words)
        if _base(head) in _RUNNERS:
            head = next((text for text in rest if not text.startswith("-")), "")
        elif "/" not in head:
            return None
        return self._files.get(head.removeprefix("./"))


def _base(text: str) -> str:
    return text.rsplit("/", 1)[-1].lower()


def _downloaded(words: list[Word]) -> list[str]:
    texts = [word.raw for word in words]
    named = [
        texts[at + 1] for at, text in enumerate(texts[:-1]) if text in ("-o", "-O", "--output", "-OutFile")
    ]
    return [*named, *(text.partition("?")[0].rsplit("/", 1)[-1] for text in texts[1:] if "/" in text)]


def _in_braces(word: Word) -> list[Word]:
    out, start = [], 1
    for part in word.raw[1:-1].split(","):
        out.append(Word(part, word.places[start : start + len(part)]))
        start += len(part) + 1
    return out


def _split(text: str, places: Sequence[int]) -> list[Word]:
    """Words at blanks; of a text that stands at one place only, all its characters do."""
    out: list[Word] = []
    start = 0
    for part in text.split():
        start = text.index(part, start)
        at = places[start : start + len(part)] if len(places) == len(text) else [places[0]] * len(part)
        out.append(Word(part, at))
        start += len(part)
    return out
