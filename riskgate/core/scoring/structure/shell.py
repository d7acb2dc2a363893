"""Shell commands out of a text: where each starts, its words without their quotes, and what its output is
piped to.

This is no shell. It knows quotes, separators, substitutions, redirections, comments and here-documents,
which is what tells `rm -rf /` from `echo 'rm -rf /'`. Where a text cannot be understood, more is taken for
a command, not less.
"""

import re
from collections.abc import Sequence

from riskgate.core.scoring.structure.ansi import spelled
from riskgate.core.scoring.structure.parts import SHELLS, Command, Word

DEPTH = 6
"""How deep substitutions are followed; deeper ones are read as if they stood at this depth."""

SUBSTITUTION = 200
"""The most characters of a substitution that stay part of the word that it stands in."""

HERE_DOCUMENTS = 16
"""How many here-documents are looked for; what would be in a further one counts as commands."""

_BLANK = " \t\r\v\f"

_PLAIN = re.compile(r"""[^ \t\r\v\f\n;&|()<>#\\'"`$]+""")
_PLAIN_IN_QUOTES = re.compile(r"""[^"\\`$]+""")
"""What means nothing but itself, taken as a whole: one class, so the time is linear."""

_START = 32
"""How much of a command's first word tells whether it starts like a sentence."""


def read(text: str, places: Sequence[int]) -> list[Command]:
    """The commands of a text, those in substitutions before the ones that hold them.

    `places[i]` is where character `i` stands in the source.
    """
    reader = _Reader(text, places)
    reader.read("", 0)
    return reader.commands


class _Reader:
    def __init__(self, text: str, places: Sequence[int]) -> None:
        self.text = text
        self.places = places
        self.position = 0
        self.commands: list[Command] = []
        self.here_documents = 0
        self._unclosed: set[str] = set()

    def read(self, closing: str, depth: int) -> None:
        """Reads up to and over `closing`, or to the end."""
        _List(self, closing, depth).read()

    def closes(self, quote: str) -> int:
        """Where the quote that starts here ends, or -1; a search that failed once is not made again."""
        if quote in self._unclosed:
            return -1
        end = self.text.find(quote, self.position + 1)
        if end < 0:
            self._unclosed.add(quote)
        return end


class _List:
    """One list of commands: the whole text, or what stands in one substitution."""

    def __init__(self, reader: _Reader, closing: str, depth: int) -> None:
        self.reader = reader
        self.text = reader.text
        self.closing = closing
        self.depth = depth
        self.parens = 0
        self.command = Command()
        self.line: list[Command] = []
        self.here: list[tuple[str, Command]] = []
        self.chars: list[str] | None = None
        self.at: list[int] = []

    def read(self) -> None:
        reader, text = self.reader, self.text
        while reader.position < len(text):
            char = text[reader.position]
            if char == self.closing and not (char == ")" and self.parens):
                reader.position += 1
                break
            self._step(char)
        self._end_command(piped=False)
        reader.commands += self.line

    def _step(self, char: str) -> None:
        reader = self.reader
        if char in _BLANK:
            self._end_word()
            reader.position += 1
        elif char in "\n;&|()":
            self._separator(char)
        elif char in "<>":
            self._redirect(char)
        elif char == "#" and self.chars is None:
            end = self.text.find("\n", reader.position)
            reader.position = len(self.text) if end < 0 else end
        elif char == "\\":
            if self.text[reader.position + 1 : reader.position + 2] != "\n":
                self._take(reader.position + 1, reader.position + 2)
            reader.position += 2
        elif char == "'":
            self._single_quoted()
        elif char == '"':
            self._double_quoted()
        elif char == "`":
            self._backquoted()
        elif char == "$":
            self._dollar(quoted=False)
        else:
            self._take_run(_PLAIN)

    def _take_run(self, pattern: re.Pattern[str]) -> None:
        """The run that starts here; a character that means something elsewhere only is a run of its own."""
        start = self.reader.position
        run = pattern.match(self.text, start)
        self.reader.position = end = run.end() if run else start + 1
        self._take(start, end)

    def _take(self, start: int, end: int) -> None:
        """Characters of the text that are part of the current word."""
        if self.chars is None:
            self.chars, self.at = [], []
        if start < min(end, len(self.text)):
            self.chars.append(self.text[start:end])
            self.at += self.reader.places[start:end]

    def _end_word(self) -> None:
        if self.chars is not None:
            self.command.words.append(Word("".join(self.chars), self.at))
            self.chars = None

    def _end_command(self, piped: bool) -> None:
        self._end_word()
        if self.command.words:
            self.command.piped = piped
            self.line.append(self.command)
        self.command = Command()

    def _separator(self, char: str) -> None:
        reader, text = self.reader, self.text
        if char == "&" and text[reader.position + 1 : reader.position + 2] == ">":
            reader.position += 1
            return
        double = text[reader.position + 1 : reader.position + 2]
        if char == "(":
            self.parens += 1
        elif char == ")":
            self.parens = max(self.parens - 1, 0)
        self._end_command(piped=char == "|" and double != "|")
        reader.position += 2 if char in "&|" and double and double in "&|" else 1
        if char == "\n" and self.here:
            self._skip_here_documents()

    def _redirect(self, char: str) -> None:
        reader, text = self.reader, self.text
        start = reader.position
        if text[start + 1 : start + 2] == "(":
            self._nested(start, start + 2, ")")
            return
        if self.chars is not None and "".join(self.chars).isdigit():
            self.chars = None  # the number of a file descriptor
        self._end_word()
        while reader.position < len(text) and text[reader.position] in "<>|&-":
            reader.position += 1
        operator = text[start : reader.position]
        if operator in ("<<", "<<-"):
            self._here_document()
        else:
            self.command.words.append(Word(char, [reader.places[start]], operator=True))

    def _here_document(self) -> None:
        reader, text = self.reader, self.text
        start = reader.position
        while start < len(text) and text[start] in " \t'\"\\":
            start += 1
        end = start
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        reader.position = end + (text[end : end + 1] in ("'", '"'))
        runs = any(word.text.rsplit("/", 1)[-1] in (*SHELLS, "ssh") for word in self.command.words)
        if end > start and not runs and reader.here_documents < HERE_DOCUMENTS:
            reader.here_documents += 1
            self.here.append((text[start:end], self.command))

    def _skip_here_documents(self) -> None:
        reader, text = self.reader, self.text
        for tag, command in self.here:
            position = first = reader.position - 1
            while 0 <= position < len(text):
                end = text.find("\n", position + 1)
                line, above = text[position + 1 : end if end >= 0 else len(text)], position
                position = end if end >= 0 else len(text)
                if line.strip(" \t") == tag:
                    body = slice(first + 1, max(above, first + 1))
                    command.here = Word(text[body], reader.places[body])
                    reader.position = min(position + 1, len(text))
                    break
        self.here.clear()

    def _single_quoted(self) -> None:
        reader, text = self.reader, self.text
        position = reader.position
        inside_word = text[position - 1 : position].isalpha() and text[position + 1 : position + 2].isalpha()
        apostrophe = inside_word and self._is_prose()
        end = -1 if apostrophe else reader.closes("'")
        if end < 0:
            self._take(position, position + 1)
            reader.position += 1
            return
        self._take(position + 1, end)
        reader.position = end + 1

    def _double_quoted(self) -> None:
        reader, text = self.reader, self.text
        if reader.closes('"') < 0:
            self._take(reader.position, reader.position + 1)
            reader.position += 1
            return
        if self.chars is None:
            self.chars, self.at = [], []
        reader.position += 1
        while reader.position < len(text):
            char = text[reader.position]
            if char == '"':
                reader.position += 1
                return
            if char == "\\":
                self._take(reader.position + 1, reader.position + 2)
                reader.position += 2
            elif char == "`":
                self._backquoted()
            elif char == "$":
                self._dollar(quoted=True)
            else:
                self._take_run(_PLAIN_IN_QUOTES)

    def _backquoted(self) -> None:
        reader = self.reader
        if self.closing == "`" or self._is_prose() or reader.closes("`") < 0:
            self._take(reader.position, reader.position + 1)
            reader.position += 1
        else:
            self._nested(reader.position, reader.position + 1, "`")

    def _dollar(self, quoted: bool) -> None:
        reader, text = self.reader, self.text
        position = reader.position
        if text.startswith("$(", position):
            self._nested(position, position + 2, ")")
        elif not quoted and text.startswith(("${IFS}", "$IFS"), position):
            self._end_word()
            reader.position += 6 if text[position + 1] == "{" else 4
        elif not quoted and text.startswith("$'", position):
            self._spelled(position)
        else:
            self._take(position, position + 1)
            reader.position += 1

    def _spelled(self, position: int) -> None:
        """`$'…'`: characters by their numbers."""
        reader = self.reader
        chars, end = spelled(self.text, position + 2) if reader.closes("'") >= 0 else ([], -1)
        if end < 0:
            reader.position += 1
            return
        self._take(position, position)
        for char, at in chars:
            self._take(at, at + 1)
            if self.chars is not None:
                self.chars[-1] = char
        reader.position = end

    def _nested(self, start: int, inner: int, closing: str) -> None:
        """A substitution: its commands are read, and its text stays part of the current word."""
        reader = self.reader
        if self.depth >= DEPTH:
            self._end_command(piped=False)
            reader.position = inner
            return
        reader.position = inner
        reader.read(closing, self.depth + 1)
        self._take(start, min(reader.position, start + SUBSTITUTION))

    def _is_prose(self) -> bool:
        """Whether the current command starts like a sentence: `Never run` and no `Get-Item`."""
        if self.command.words:
            head = self.command.words[0].text
        else:
            head = "".join([part[:_START] for part in (self.chars or ())[:_START]])[:_START]
        return head[:1].isupper() and (head.isalpha() or not self.command.words) and head != head.upper()
