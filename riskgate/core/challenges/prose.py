"""Judging what a person wrote about a call: does it name effect and target in words of their own?

The rules cannot tell whether a sentence is true; they refuse what takes no thought: a copy, a string of key
words, the opposite, words that fit any call. Nothing that they say gives an answer away.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from riskgate.core.challenges.copying import copied
from riskgate.core.challenges.grammar import (
    ARTICLES,
    BOUNDARIES,
    DENIALS,
    FUNCTION_WORDS,
    KEYBOARD,
    NEGATORS,
    NEVER_AFTER,
    NO_ONES,
    NOT_DENIED,
    NOT_NEGATED,
    PASSIVE,
    STOPS,
)
from riskgate.core.challenges.naming import atoms, place_of
from riskgate.core.challenges.outcomes import WORDS

LEAST = 15
LONGEST = 4000
"""Code points. Nobody has to write more, and nothing longer is read."""

_DISTINCT = 10
_JOINING = 4
"""Different words such as "the", "of", "and" that a sentence has, and one word in how many they are."""
_SHARE = 4
_REACH = 4
"""How many words before an effect a "not" may stand."""
_CLAUSE = 20
"""And a "no" before "is deleted": "no rows of the table are deleted"."""

_TOKEN = re.compile(r"\w+(?:['’‘]\w+)*|[.,;:!?()\n—–]")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the call.

    effects  names in `outcomes.WORDS`, any of which names the effect
    verbs    further words that name it, such as the function's own verb
    targets  the ways to name the target, as `naming.names` gives them
    runs     the runs of words that the agent wrote, as `copying.hashes` gives them
    """

    effects: tuple[str, ...]
    verbs: tuple[str, ...]
    targets: tuple[str, ...]
    runs: str

    def as_json(self) -> dict[str, Any]:
        return {
            "effects": list(self.effects),
            "verbs": list(self.verbs),
            "targets": list(self.targets),
            "runs": self.runs,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Facts":
        """Raises KeyError where something is missing."""
        return cls(tuple(data["effects"]), tuple(data["verbs"]), tuple(data["targets"]), data["runs"])


def too_short(text: str) -> str:
    """Whether there is too little to judge, as a sentence; "" where there is enough."""
    said = [word for word in text.split() if any(char.isalnum() for char in word)]
    return f"Use at least {LEAST} words; these are {len(said)}." if len(said) < LEAST else ""


def judge(text: str, facts: Facts) -> str:
    """ "" where the text will do, else one sentence on what is missing. Linear in the length of the text."""
    if len(text) > LONGEST:
        return f"Keep it to {LONGEST} characters."
    if short := too_short(text):
        return short
    tokens = _tokens(text)
    words = [token for token in tokens if token not in STOPS]
    if _mashed(words):
        return "Write words that a colleague can read."
    doubled = sum(one == two for one, two in pairwise(words))
    if len(set(words)) < _DISTINCT or doubled > 2:
        return "Say it without repeating yourself."
    joining = [word for word in words if word in FUNCTION_WORDS]
    strewn = any(one in ARTICLES and two in NEVER_AFTER for one, two in pairwise(tokens))
    if strewn or len(set(joining)) < _JOINING or len(joining) * _SHARE < len(words):
        return "Write it in whole sentences, not in key words."
    if copied(text, facts.runs, facts.targets):
        return "These are the agent's own words: say it in yours."
    mentions = [i for i, token in enumerate(tokens) if _names_effect(token, facts)]
    if not mentions:
        return "Name what it does."
    if not any(place_of(name, atoms(text)) >= 0 for name in facts.targets):
        return "Name what it acts on."
    if _denied(tokens, mentions, facts):
        return "Say what would happen, not what would not."
    return ""


def _tokens(text: str) -> list[str]:
    """Words, folded and without apostrophes, and the signs that end a clause."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [re.sub(r"['’‘]", "", token) for token in _TOKEN.findall(folded)]


def _mashed(words: Sequence[str]) -> bool:
    """Are several words a row of neighbouring keys, or one letter over and over?"""
    odd = [word for word in words if len(word) > 3 and (word in KEYBOARD or len(set(word)) == 1)]
    return len(odd) > 2


def _names_effect(token: str, facts: Facts) -> bool:
    """Does this word name the effect? Not inside an identifier: the function's name is nobody's own word."""
    if "_" in token:
        return False
    if token in facts.verbs:
        return True
    named = [WORDS[name] for name in facts.effects if name in WORDS]
    return any(token in whole or token.startswith(starts) for whole, starts in named)


def _denied(tokens: Sequence[str], mentions: Sequence[int], facts: Facts) -> bool:
    """Is the effect denied: everywhere, or first of all and of the target itself?"""
    if any((one, two) in DENIALS for one, two in pairwise(tokens)):
        return True
    negated = [i for i in mentions if _negated(tokens, i)]
    if len(negated) == len(mentions):
        return True
    if not negated or negated[0] != mentions[0]:
        return False
    sentence = atoms(" ".join(_sentence(tokens, negated[0])))
    return any(place_of(name, sentence) >= 0 for name in facts.targets)


def _negated(tokens: Sequence[str], at: int) -> bool:
    after = tokens[at + 1 : at + 3]
    if any(word in NO_ONES for word in after):
        return True
    if after[:1] == ["no"] and after[1:] and after[1] not in NOT_DENIED:
        return True
    for before in range(at - 1, max(-1, at - 1 - _CLAUSE), -1):
        word, following = tokens[before], tokens[before + 1]
        if word in STOPS or word in BOUNDARIES:
            return False
        if word in NEGATORS and at - before <= _REACH:
            return following not in NOT_NEGATED
        if word in {"no", "without", *NO_ONES} and (at - before <= 2 or tokens[at - 1] in PASSIVE):
            return following not in NOT_DENIED
    return False


def _sentence(tokens: Sequence[str], at: int) -> Sequence[str]:
    """The sentence around a token."""
    ends = {".", "!", "?", ";", "\n"}
    start = next((i + 1 for i in range(at, -1, -1) if tokens[i] in ends), 0)
    end = next((i for i in range(at, len(tokens)) if tokens[i] in ends), len(tokens))
    return tokens[start:end]
