"""What a person has to show before approving: the kinds of challenge, independent of each other."""

import random
from collections.abc import Sequence
from typing import Protocol

from riskgate.core.action import Action
from riskgate.core.challenges import confirm, quiz
from riskgate.core.challenges.types import Paper, Question, Subject, Verdict
from riskgate.core.errors import RiskgateError

__all__ = [
    "KINDS",
    "Kind",
    "Paper",
    "Question",
    "Subject",
    "UnknownChallenge",
    "Verdict",
    "available",
    "build",
    "grade",
]


class Kind(Protocol):
    """What the module of a kind of challenge provides."""

    def build(
        self, subject: Subject, others: Sequence[Action], rng: random.Random, asked: Sequence[Paper]
    ) -> Paper: ...

    def grade(self, paper: Paper, answers: Sequence[str]) -> Verdict: ...


KINDS: dict[str, Kind] = {"confirm": confirm, "quiz": quiz}


class UnknownChallenge(RiskgateError):
    """No challenge of this kind can be made; `details["kind"]` is what was asked for."""

    code = "challenge_unknown"


def available(kind: str) -> bool:
    return kind in KINDS


def build(
    kind: str,
    subject: Subject,
    others: Sequence[Action],
    rng: random.Random,
    asked: Sequence[Paper] = (),
) -> Paper:
    """A paper about this call, answers included. Raises UnknownChallenge.

    others  other calls of the same team, for wrong answers that are real values
    rng     the source of all chance: `random.SystemRandom()` outside of tests
    asked   the papers that this person has met for this call; the new one asks something else
    """
    if kind not in KINDS:
        raise UnknownChallenge(f"There is no challenge of the kind {kind}.", kind=kind)
    return KINDS[kind].build(subject, others, rng, asked)


def grade(paper: Paper, answers: Sequence[str]) -> Verdict:
    """Counts the right answers. Missing, extra and foreign ones are wrong; a paper of no known kind fails."""
    if paper.kind not in KINDS:
        return Verdict(passed=False, right=0, of=len(paper.questions))
    return KINDS[paper.kind].grade(paper, answers)
