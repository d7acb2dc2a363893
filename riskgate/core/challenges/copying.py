"""Whether words were copied: runs of five words of a text, kept as hashes, so that no text is kept twice."""

import base64
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from itertools import islice

RUN = 5
"""Words in a row that nobody writes by chance."""

_MOST = 20_000
_SIZE = 6

_BETWEEN = re.compile(r"[\s,;:!?()\[\]{}<>|=\"“”„«»—–]+")
_APOSTROPHE = re.compile(r"['’‘`]")
_SIGNS = re.compile(r"[\W_]+")


def hashes(texts: Iterable[str], terms: Collection[str]) -> str:
    """The runs of these texts, as base64; `terms` are names whose words may be repeated."""
    dropped = squeezed(terms)
    found: dict[bytes, None] = {}
    for text in texts:
        found.update(dict.fromkeys(islice(_runs(text, dropped), max(0, _MOST - len(found)))))
    return base64.b64encode(b"".join(sorted(found))).decode("ascii")


def copied(text: str, known: str, terms: Collection[str]) -> bool:
    """Does this text have a run that is among these hashes?"""
    raw = base64.b64decode(known)
    runs = {raw[i : i + _SIZE] for i in range(0, len(raw), _SIZE)}
    return any(run in runs for run in _runs(text, squeezed(terms)))


def squeezed(terms: Collection[str]) -> frozenset[str]:
    return frozenset(term.replace(" ", "") for term in terms)


def _runs(text: str, dropped: Collection[str]) -> Iterator[bytes]:
    words: list[str] = []
    for word in _words(text):
        if word in dropped:
            continue
        words.append(word)
        if len(words) == RUN:
            yield blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=_SIZE).digest()
            words.pop(0)


def _words(text: str) -> Iterator[str]:
    """The words, folded, without signs: `prod-eu-1` is one word, whatever stands between its parts."""
    folded = unicodedata.normalize("NFKC", text[: 8 * _MOST]).casefold()
    for word in _BETWEEN.split(_APOSTROPHE.sub("", folded)):
        plain = _SIGNS.sub("", word)
        if plain:
            yield plain
