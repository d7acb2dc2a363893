"""The quotes of `$'\\x72\\x6d'`, in which a backslash spells a character."""

_NAMED = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
}
_DIGITS = {"x": 2, "u": 4, "U": 8}
_HEX, _OCTAL = frozenset("0123456789abcdefABCDEF"), frozenset("01234567")


def spelled(text: str, start: int) -> tuple[list[tuple[str, int]], int]:
    """Each character from `start` on and where it is spelled, and where the text goes on after the quote.

    Without a closing quote: -1.
    """
    out: list[tuple[str, int]] = []
    at = start
    while at < len(text):
        if text[at] == "'":
            return out, at + 1
        if text[at] != "\\":
            out.append((text[at], at))
            at += 1
            continue
        char, end = _escape(text, at + 1)
        out.append((char, at))
        at = end
    return out, -1


def _escape(text: str, at: int) -> tuple[str, int]:
    kind = text[at : at + 1]
    if kind and (kind in _DIGITS or kind in _OCTAL):
        first, most, base, digits = (
            (at + 1, _DIGITS[kind], 16, _HEX) if kind in _DIGITS else (at, 3, 8, _OCTAL)
        )
        end = first
        while end < len(text) and end - first < most and text[end] in digits:
            end += 1
        code = int(text[first:end], base) if end > first else 0
        return (chr(code) if 0 < code < 0x110000 else "?"), max(end, at + 1)
    return _NAMED.get(kind, kind or "?"), at + 1
