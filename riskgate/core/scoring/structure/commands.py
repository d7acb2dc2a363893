"""The plain form of commands: one line of words that a pattern can be written for.

`sudo -u root /bin/rm  -r"f" "$HOME/x y" | tee z` is `rm -rf $HOME/x\\xa0y | tee z`. What only runs another
command (sudo, env, xargs, …) is left out, a shell's `-c` text is read as commands of its own, and a path
below a folder for temporary files becomes TEMPORARY.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from riskgate.core.scoring.structure.parts import SHELLS, Command, Word
from riskgate.core.scoring.structure.session import DOWNLOADS, Session
from riskgate.core.scoring.structure.shell import SUBSTITUTION, read

TEMPORARY = "\x1a"

_PIPELINE = 3
"""How many commands further down a pipeline stay in the form of the first."""

_DEPTH = 3

_KEYWORDS = frozenset({"then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time"})
_WRAPPERS = {
    "sudo": "ugCprTDRhU", "doas": "uC", "env": "uSC", "nohup": "", "nice": "n", "ionice": "cnp", "command":
    "", "exec": "a", "builtin": "", "stdbuf": "ioe", "setsid": "", "timeout": "sk", "xargs": "IndPLsEa",
    "busybox": "", "parallel": "j", "chroot": "", "watch": "n", "unbuffer": "", "strace": "eo",
    "caffeinate": "t",
}  # fmt: skip
"""What only runs another command, and which of its short options take a word of their own."""

_OWN_OPERAND = frozenset({"timeout", "chroot"})
"""Wrappers with one word of their own before the command."""


@dataclass(slots=True)
class Form:
    """`data` in Latin-1; `places[i]` is where its character `i` stands in the source."""

    data: bytes
    places: list[int]

    def source(self, start: int, end: int) -> tuple[int, int]:
        places = self.places[start:end]
        return min(places), max(places) + 1


def forms(text: str, start: int = 0) -> Iterator[Form]:
    """The plain form of every command in a text that stands at `start` in the source."""
    yield from _forms(read(text, range(start, start + len(text))), 0)


def form_of_argv(words: list[Word]) -> Iterator[Form]:
    """The same for a command whose words are known already."""
    yield from _forms([Command(words)], 0)


def _forms(commands: list[Command], depth: int) -> Iterator[Form]:
    session = Session()
    bare = []
    for command in commands:
        words = _unwrapped(session.expanded(command.words))
        bare.append(Command(words, command.piped, command.here))
    for index, command in enumerate(bare):
        if not command.words:
            continue
        line = [command]
        while line[-1].piped and len(line) <= _PIPELINE and index + len(line) < len(bare):
            line.append(bare[index + len(line)])
        yield _joined(line)
        inner = list(_inner(line))
        session.note(command)
        if (source := session.source(command)) is not None:
            run = Word("sh", [command.words[0].places[0]] * 2)
            if _head(source.words[0].text).lower() in DOWNLOADS:
                yield _joined([source, Command([run])])
            inner += _fed([source, Command([run])])
        if depth < _DEPTH:
            for word in inner:
                yield from _forms(read(word.raw, word.places), depth + 1)


def _fed(line: list[Command]) -> Iterator[Word]:
    """What the first command of a line gives to a shell that is the second."""
    if len(line) < 2 or not line[1].words or _head(line[1].words[0].text) not in SHELLS:
        return
    if line[0].here is not None:
        yield line[0].here
    elif _head(line[0].words[0].text).lower() in ("echo", "printf"):
        end = next((at for at, word in enumerate(line[0].words) if word.text == ">"), len(line[0].words))
        yield from _rest(line[0].words[:end], 1)


def _joined(line: list[Command]) -> Form:
    chars: list[str] = []
    places: list[int] = []
    for number, command in enumerate(line):
        if number:
            chars.append(" | ")
            places += [places[-1]] * 3
        for position, word in enumerate(command.words):
            text, at = word.text, word.places
            if not position:
                head = _head(text)
                if head is not text:
                    skipped = len(text) - len(head)
                    text, at = head, at[skipped : skipped + len(head)]
            else:
                if _is_temporary(text):
                    text, at = TEMPORARY, at[:1]
                chars.append(" ")
                places.append(places[-1] if places else 0)
            chars.append(text)
            places += at
    return Form("".join(chars).encode("latin-1", "replace"), places)


def _head(text: str) -> str:
    """The name of a command without its folder; a substitution that makes the whole name stays whole."""
    if "/" not in text:
        return text
    if text.startswith(("$(", "`")) and (text.endswith((")", "`")) or len(text) >= SUBSTITUTION):
        return text
    return text.rsplit("/", 1)[-1] or text


def _unwrapped(words: list[Word]) -> list[Word]:
    """The words from the command on that is really run."""
    index, piped_in = 0, False
    while index < len(words):
        name = _head(words[index].text).lower()
        if name in _KEYWORDS or _is_assignment(words[index].text):
            index += 1
        elif name in _WRAPPERS and index + 1 < len(words) and words[index + 1].text not in ("<", ">"):
            piped_in = piped_in or name in ("xargs", "parallel")
            index = _after_options(words, index + 1, _WRAPPERS[name])
            if name in _OWN_OPERAND:
                index += 1
        else:
            break
    rest = words[index:]
    if piped_in and rest and rest[0].places:
        operand = Word("{}", [rest[0].places[-1]] * 2)
        end = next((at for at, word in enumerate(rest) if word.text in ("<", ">")), len(rest))
        rest.insert(end, operand)
    return rest


def _after_options(words: list[Word], index: int, with_word: str) -> int:
    while index < len(words):
        text = words[index].text
        if text == "--":
            return index + 1
        if text.startswith("-") and len(text) > 1:
            index += 2 if len(text) == 2 and text[1] in with_word else 1
        elif _is_assignment(text):
            index += 1
        else:
            return index
    return index


def _is_assignment(text: str) -> bool:
    name, equals, _ = text.partition("=")
    return bool(equals) and name.replace("_", "a").isalnum() and not name[0].isdigit()


def _is_temporary(text: str) -> bool:
    below = text[:1] in ("/", "$") and text.startswith(
        ("/tmp/", "/var/tmp/", "/private/tmp/", "$TMPDIR/", "${TMPDIR}/", "${TMPDIR:-/tmp}/")
    )
    return below and ".." not in text and not text.rstrip("/").endswith(("/tmp", "TMPDIR", "}"))


def _inner(line: list[Command]) -> Iterator[Word]:
    """Texts in a command that are commands too, as in `bash -c TEXT`, `ssh host TEXT`, `echo TEXT | sh`."""
    words = line[0].words
    name = _head(words[0].text).lower()
    texts = [word.text for word in words]
    if name in SHELLS or name == "su":
        for index, text in enumerate(texts[1:-1], 1):
            if text.startswith("-") and not text.startswith("--") and text.endswith("c"):
                yield words[index + 1]
                break
    elif name in ("cmd", "cmd.exe", "powershell", "pwsh", "powershell.exe"):
        yield from _rest(words, _after_flag(texts, ("/c", "/C", "/k", "-c", "-Command", "-command")))
    elif name == "eval":
        yield from _rest(words, 1)
    elif name == "ssh":
        yield from _rest(words, _after_options(words, 1, "bcDEeFIiJLlmOopQRSWw") + 1)
    elif name in ("kubectl", "oc", "docker", "podman", "docker-compose", "nerdctl") and "--" in texts:
        yield from _rest(words, texts.index("--") + 1)
    elif name in ("docker", "podman", "nerdctl") and texts[1:2] in (["exec"], ["run"]):
        yield from _rest(words, _after_options(words, 2, "euwvnp") + 1)
    elif name == "ansible":
        yield from words[_after_flag(texts, ("-a", "--args")) :][:1]
    elif name == "trap":
        yield from words[1:2]
    yield from _fed(line)


def _after_flag(texts: list[str], flags: tuple[str, ...]) -> int:
    return next((index + 1 for index, text in enumerate(texts) if text in flags), len(texts))


def _rest(words: list[Word], start: int) -> Iterator[Word]:
    """The words from `start` on as one text, with the places of their characters."""
    rest = [word for word in words[start:] if word.places]
    if rest:
        places: list[int] = []
        for word in rest:
            places += [*word.places, word.places[-1]]
        yield Word(" ".join(word.raw for word in rest), places[:-1])
