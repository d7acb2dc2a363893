"""What a person has to show before approving: the kinds of challenge, independent of each other."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from riskgate.core.action import Action
from riskgate.core.challenges import confirm, quiz, target, teach_back
from riskgate.core.challenges.prose import too_short
from riskgate.core.challenges.text import same
from riskgate.core.challenges.types import NOT_ALL_RIGHT, Paper, Question, Subject, Verdict
from riskgate.core.errors import RiskgateError

__all__ = [
    "KINDS",
    "Kind",
    "Paper",
    "Question",
    "Subject",
    "UnknownChallenge",
    "Verdict",
    "build",
    "grade",
    "unfinished",
]


class Kind(Protocol):
    """What the module of a kind of challenge provides."""

    def build(
        self, subject: Subject, others: Sequence[Action], rng: random.Random, asked: Sequence[Paper]
    ) -> Paper: ...

    def grade(self, paper: Paper, answers: Sequence[str]) -> Verdict: ...


KINDS: dict[str, Kind] = {"confirm": confirm, "quiz": quiz, "teach_back": teach_back}


class UnknownChallenge(RiskgateError):
    """No challenge of this kind can be made; `details["kind"]` is what was asked for."""

    code = "challenge_unknown"


def build(
    kind: str,
    subject: Subject,
    others: Sequence[Action],
    rng: random.Random,
    asked: Sequence[Paper] = (),
    *,
    type_target: bool = False,
) -> Paper:
    """A paper about this call, answers included. Raises UnknownChallenge.

    others       other calls of the same team, for wrong answers that are real values
    rng          the source of all chance: `random.SystemRandom()` outside of tests
    asked        the papers that this person has met for this call; the new one asks something else
    type_target  whether the target is to be typed besides, as the last question
    """
    if kind not in KINDS:
        raise UnknownChallenge(f"There is no challenge of the kind {kind}.", kind=kind)
    paper = KINDS[kind].build(subject, others, rng, [_own(earlier)[0] for earlier in asked])
    if type_target:
        paper = replace(paper, questions=(*paper.questions, target.question(subject)))
    return paper


def grade(paper: Paper, answers: Sequence[str]) -> Verdict:
    """Counts the right answers. Missing, extra and foreign ones are wrong; a paper of no known kind fails."""
    of = len(paper.questions)
    if paper.kind not in KINDS:
        return Verdict(False, 0, of, NOT_ALL_RIGHT)
    own, typed = _own(paper)
    verdict = KINDS[paper.kind].grade(own, answers[: len(answers) - 1] if typed else answers)
    if typed is None:
        return verdict
    hit = len(answers) == of and same(answers[-1], typed.answer)
    why = verdict.why or ("" if hit else "What you typed is not the target as it is shown.")
    return Verdict(verdict.passed and hit, verdict.right + hit, of, why)


def unfinished(paper: Paper, answers: Sequence[str]) -> str:
    """What is still to be filled in, in a sentence; "" where it can be graded. Tells nothing of right or wrong."""
    given = [*answers[: len(paper.questions)], *[""] * (len(paper.questions) - len(answers))]
    if not all(answer.strip() for answer in given):
        return "Answer every question first; what you have answered is kept."
    for question, answer in zip(paper.questions, given, strict=True):
        short = too_short(answer) if question.kind == "prose" else ""
        if short:
            return short
    return ""


def _own(paper: Paper) -> tuple[Paper, Question | None]:
    """The paper as its kind made it, and the question for the target that was put after it."""
    if paper.questions and paper.questions[-1].subject == target.SUBJECT:
        return replace(paper, questions=paper.questions[:-1]), paper.questions[-1]
    return paper, None
