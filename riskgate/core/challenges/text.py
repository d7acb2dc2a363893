"""How a value looks on the page, and when two of them look the same."""

import json
import re
import unicodedata

from riskgate.core.action import Json

EMPTY = "(empty)"

SHORT = 80
"""Code points up to which a value is shown whole in a question."""

TYPED = 30
"""Code points of a long value that have to be typed, at most."""

# Invisible though their category says otherwise: fillers, blanks and variation selectors.
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0" + "".join(map(chr, range(0x180B, 0x1810)))
_BLANK += "".join(map(chr, range(0xFE00, 0xFE10))) + "".join(map(chr, range(0xE0100, 0xE01F0)))
_HIDDEN = frozenset(_BLANK)
_PLAIN = re.compile(r"[\x20-\x7e]*")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Cyrillic and Greek small letters, then the digits and the bar, and the Latin letter that each is taken for.
_ALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d\u0432\u043d\u043a\u043c\u0442"
    "\u03bf\u03b1\u03b5\u03bd\u03c1\u03c4\u03c5\u03b9\u03ba\u03c7"
    "01|",
    "aeopcyxsijhdqwbhkmt" + "oaevptuikx" + "oll",
)


def _escaped(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _visible(char: str) -> bool:
    if char == " ":
        return True
    return char not in _HIDDEN and unicodedata.category(char) not in {
        "Cc",
        "Cf",
        "Cn",
        "Co",
        "Cs",
        "Zl",
        "Zp",
        "Zs",
    }


def rendered(value: Json) -> str:
    """A value on one line: a string bare, all else as JSON; the unseen as `\\u202e`; "" as "(empty)".

    Blanks at the ends are dropped, and a run of them is one, as a page would show it.
    """
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, default=str)
    if not _PLAIN.fullmatch(value):
        value = unicodedata.normalize("NFC", value)
        if value and unicodedata.combining(value[0]):
            value = _escaped(value[0]) + value[1:]
        value = "".join(char if _visible(char) else _escaped(char) for char in value)
    return " ".join(part for part in value.split(" ") if part) or EMPTY


def look(text: str) -> str:
    """A key that is equal for texts that a tired person takes for the same."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(folded.split()).translate(_ALIKE)


def same(answer: object, expected: str) -> bool:
    """Is this what was asked for? Exact but for blanks, the normal form, and how the unseen is written."""
    return isinstance(answer, str) and len(answer) <= 4096 and rendered(answer) == expected


def words(text: str) -> set[str]:
    """The words and numbers of a text, folded, two characters and more."""
    spaced = re.sub(r"([a-z0-9])(?=[A-Z])", r"\1 ", unicodedata.normalize("NFKC", text[:4096]))
    return {word for word in re.findall(r"[^\W_\d]+|\d+", spaced.casefold()) if len(word) > 1}


def spelled(name: str) -> list[str]:
    """The words of a name, as they are written in it."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)


def beginning(text: str) -> tuple[str, str]:
    """The whole of a short text and ""; of a long one its first words, as rendered, and "first 3 words"."""
    line = next((line for line in text[:400].splitlines() if line.strip()), "")
    if len(text) <= SHORT and line.strip() == text.strip():
        whole = rendered(text)
        if len(whole) <= SHORT:
            return whole, ""
    chosen: list[str] = []
    for word in rendered(line).split():
        if len(" ".join([*chosen, word])) > TYPED or len(chosen) == 4:
            break
        chosen.append(word)
    if len(chosen) > 1:
        return " ".join(chosen), f"first {len(chosen)} words"
    start = rendered(line)[:TYPED].strip()
    return start, f"first {len(start)} characters"


def cut(text: str, limit: int) -> str:
    """The text, or its two ends where it is longer than `limit` code points."""
    if len(text) <= limit:
        return text
    half = (limit - 1) // 2
    return text[: limit - 1 - half] + "…" + text[-half:]
