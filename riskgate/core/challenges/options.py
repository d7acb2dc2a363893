"""Six answers of which nobody can tell the right one by its look."""

import random
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from riskgate.core.action import Action, tokens
from riskgate.core.challenges.parts import parts
from riskgate.core.challenges.slots import Piece, frame, joined, parse, vary
from riskgate.core.challenges.text import SHORT, look, rendered
from riskgate.core.challenges.values import Leaf, leaves, secret_looking

COUNT = 6

_CALLS = 300
"""Other calls that are read for wrong answers, and the values of each."""
_VALUES = 40
_TRIES = 240
_UNSEEN = 3
"""Real values beside one that the team has never met: more, and the unknown one would be the right one."""


@dataclass(slots=True)
class Pool:
    """The values of the team's other calls, counted by where they stand, by their name, and by their kind."""

    places: dict[str, Counter[str]] = field(default_factory=dict)
    functions: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, others: Sequence[Action], secret: Container[object] = ()) -> "Pool":
        """Of these calls, without what looks like a secret and without the values of `secret`."""
        pool = cls()
        for action in others[:_CALLS]:
            pool.functions[rendered(action.function_name[:SHORT])] += 1
            for leaf in leaves(action, _VALUES):
                if leaf.value in secret or secret_looking(leaf.name, leaf.raw):
                    continue
                if leaf.text:
                    for place in places(action.function_name, leaf):
                        pool.places.setdefault(place, Counter())[leaf.text] += 1
                for part in parts(leaf):
                    pool.places.setdefault(f"part:{leaf.kind}:{part.kind}", Counter())[part.text] += 1
        return pool

    def real(self, at: Iterable[str]) -> Counter[str]:
        """The values at the first of these places that has any to choose from; none where no place has."""
        for place in at:
            found = self.places.get(place, Counter())
            if len(found) > 1:
                return found
        return Counter()

    def usual(self, answer: str, at: Iterable[str]) -> bool:
        """Could somebody who knows the team, and has not read the call, name what always stands there?"""
        nearest = next((self.places[place] for place in at if place in self.places), Counter[str]())
        return often(answer, nearest)


def places(function: str, leaf: Leaf) -> tuple[str, ...]:
    """Where values like this one are found, nearest first. A bare word or number means nothing elsewhere."""
    named = (f"name:{leaf.name.casefold()}:{leaf.kind}",) if leaf.name else ()
    steps = [step for step in tokens(leaf.at) if not step.isdecimal() or leaf.at.startswith("/args")]
    kind = () if leaf.kind in {"word", "text", "number", "boolean"} else (f"kind:{leaf.kind}",)
    return (f"at:{function}:{'/'.join(steps)}", *named, *kind)


def often(answer: str, real: Mapping[str, int]) -> bool:
    """Is this what it is more often than not?"""
    count = real.get(answer, 0)
    return count >= 3 and 2 * count >= sum(real.values())


def six(
    answer: str,
    real: Mapping[str, int],
    rng: random.Random,
    *,
    kind: str = "",
    within: str = "",
    verbs: bool = False,
) -> tuple[str, ...] | None:
    """The answer and five others in a random order, or None where five fair ones are not to be had.

    real    values of the team's other calls and how often each came; those that look alike come first
    within  the text that the answer is a part of: no wrong answer may stand in it too
    verbs   the answer is a function's name, and only its verbs differ
    """
    if not answer or len(answer) > SHORT:
        return None
    context = look(within) if within else ""
    taken = {look(answer)}

    def fits(text: str) -> bool:
        key = look(text)
        return bool(key) and key not in taken and not (context and key in context) and len(text) <= SHORT

    right = parse(answer, kind, verbs=verbs)
    can_vary = any(piece.slot for piece in right)
    chosen: list[str] = []
    for text in _alike(answer, real, kind, rng):
        if len(chosen) == (COUNT - 1 if answer in real or not can_vary else _UNSEEN):
            break
        if fits(text):
            chosen.append(text)
            taken.add(look(text))
    if len(chosen) < COUNT - 1 and not can_vary:
        return None

    # A made-up answer and the text that it was made from are both varied from an ancestor that nobody sees,
    # and any of the real values may be that text: the right answer is neither in the middle of the others nor
    # at their edge.
    bases = [right] + [
        parsed for parsed in (parse(text, kind, verbs=verbs) for text in chosen) if _slots(parsed)
    ]
    ancestors = [vary(base, rng) for base in bases]
    for _ in range(_TRIES):
        if len(chosen) == COUNT - 1:
            break
        text = joined(vary(rng.choice(ancestors), rng))
        if fits(text):
            chosen.append(text)
            taken.add(look(text))
    if len(chosen) < COUNT - 1:
        return None
    options = [answer, *chosen]
    rng.shuffle(options)
    return tuple(options)


def _slots(pieces: tuple[Piece, ...]) -> int:
    return sum(bool(piece.slot) for piece in pieces)


def _alike(answer: str, real: Mapping[str, int], kind: str, rng: random.Random) -> list[str]:
    """The real values that look like the answer, by chance, but first one that is at least as frequent."""
    shape, length = _shape(answer, kind), len(answer)
    found = [
        text
        for text in sorted(real)
        if text != answer and abs(len(text) - length) <= max(1, length // 4) and _shape(text, kind) == shape
    ]
    rng.shuffle(found)
    count = real.get(answer, 0)
    ahead = next((text for text in found if count and real[text] >= count), None)
    if ahead is not None:
        found.remove(ahead)
        found.insert(0, ahead)
    return found


def _shape(text: str, kind: str) -> str:
    """What the eye sees before it reads: where letters, figures and signs stand, or what never differs."""
    if kind in {"sql", "command"}:
        return text.split()[0].lower()
    if kind == "text" and len(text.split()) > 2:
        return ""
    if kind in {"id", "date", "ip", "uuid"}:
        return frame(parse(text, kind))
    shape: list[str] = []
    for char in text:
        sort = "9" if char.isdigit() else ("A" if char.isupper() else "a") if char.isalpha() else char
        if not shape or shape[-1] != sort or sort not in "9Aa":
            shape.append(sort)
    return "".join(shape)
