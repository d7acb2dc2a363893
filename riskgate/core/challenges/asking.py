"""Choosing questions about a call, for the kinds that ask some.

Asked first are the target and the values that raised the score, then other values, what the call does, the
function. No question gives another one of the same paper away. A second paper asks something else, or asks in
another form: the same right answer among other wrong ones would be the one that both papers offer.
"""

import random
from collections.abc import Container, Iterator, Sequence

from riskgate.core.action import Action
from riskgate.core.challenges.candidates import (
    Candidate,
    of_effects,
    of_function,
    of_setting,
    of_values,
    secrets,
)
from riskgate.core.challenges.options import COUNT, Pool, six
from riskgate.core.challenges.text import same, words
from riskgate.core.challenges.types import Paper, Question, Subject

_FEW = 3
"""With fewer values than this, their parts are asked for before the values themselves."""


def pick(
    subject: Subject,
    others: Sequence[Action],
    rng: random.Random,
    asked: Sequence[Paper],
    count: int,
    *,
    without: Container[str] = (),
) -> tuple[Question, ...]:
    """As many questions as that, whatever the call holds; none of the subjects `without`.

    `asked` are the earlier papers of the same person.
    """
    pool = Pool.of(others, secrets(subject))
    earlier = [question for paper in asked for question in paper.questions]
    picked: list[tuple[Candidate, Question]] = []
    plan = [step for step in _plan(subject, pool, earlier) if step[0].subject not in without]
    for strict in (True, False):
        for candidate, form in plan:
            if len(picked) == count:
                break
            if any(candidate.subject == other.subject for other, _ in picked):
                continue
            question = _question(candidate, form, rng, earlier)
            if question is None:
                continue
            if strict and any(_clash(candidate, question, *other) for other in picked):
                continue
            if strict and form == "choice" and _known(candidate, question, earlier):
                continue
            picked.append((candidate, question))
    return tuple(question for _, question in picked)


def right(question: Question, answer: object) -> bool:
    """Is this the answer to a question that has one?"""
    if question.kind == "choice" and answer not in question.options:
        return False
    return same(answer, question.answer)


def _plan(subject: Subject, pool: Pool, earlier: Sequence[Question]) -> Iterator[tuple[Candidate, str]]:
    """Every question that could be asked, candidate and form, in the order in which they are tried."""
    wholes, pieces, ends = of_values(subject, pool)
    effects, function = of_effects(subject), of_function(subject, pool)
    environment, agent, level = of_setting(subject)
    values = [*pieces, *wholes] if len(wholes) < _FEW else [*wholes, *pieces]
    strong = [candidate for candidate in values if not candidate.usual]
    usual = [candidate for candidate in values if candidate.usual]
    told = {question.subject for question in earlier}
    fresh = [
        *((candidate, "choice") for candidate in [*strong, *effects, *function, *usual]),
        *((candidate, "typed") for candidate in [*wholes, *pieces, *function, *ends]),
    ]
    last = [
        (environment, "choice"),
        (agent, "choice"),
        (environment, "typed"),
        (agent, "typed"),
        (level, "typed"),
    ]
    forms = {(question.subject, question.kind) for question in earlier}
    yield from ((candidate, form) for candidate, form in fresh if candidate.subject not in told)
    yield from ((candidate, form) for candidate, form in fresh if (candidate.subject, form) not in forms)
    yield from ((candidate, form) for candidate, form in last if candidate.subject not in told)
    yield from fresh
    yield from last


def _question(
    candidate: Candidate, form: str, rng: random.Random, earlier: Sequence[Question]
) -> Question | None:
    prompt, options = candidate.prompt, tuple[str, ...]()
    if form == "choice":
        found = _options(candidate, rng, earlier)
        if found is None:
            return None
        options = found
    elif not candidate.typable:
        return None
    elif candidate.first:
        prompt = f"{prompt} Type its {candidate.first}."
    else:
        prompt = f"{prompt} Type it as it is shown."
    return Question(
        prompt, candidate.note, form, options, candidate.face, candidate.answer, candidate.subject
    )


def _options(candidate: Candidate, rng: random.Random, earlier: Sequence[Question]) -> tuple[str, ...] | None:
    """Six options; the same six in another order where they were offered before: two sets would tell."""
    if candidate.first or not candidate.choosable:
        return None
    for question in earlier:
        if question.subject == candidate.subject and question.kind == "choice":
            again = list(question.options)
            rng.shuffle(again)
            return tuple(again) if question.answer == candidate.answer else None
    if candidate.fixed:
        if len(candidate.fixed) < COUNT - 1:
            return None
        chosen = [candidate.answer, *rng.sample(candidate.fixed, COUNT - 1)]
        rng.shuffle(chosen)
        return tuple(chosen)
    return six(
        candidate.answer,
        candidate.real,
        rng,
        kind=candidate.kind,
        within=candidate.within,
        verbs=candidate.verbs,
    )


def _clash(left: Candidate, one: Question, right: Candidate, two: Question) -> bool:
    """Does one of two questions of a paper give the other one's answer away?"""
    if left.group and left.group == right.group:
        return True
    whole, other = left.subject.partition("#")[0], right.subject.partition("#")[0]
    if whole == other and (left.subject == whole or right.subject == other):
        return True
    tells = _telling(left, one) & _said(two) or _telling(right, two) & _said(one)
    return bool(tells) or one.answer == two.answer


def _known(candidate: Candidate, question: Question, earlier: Sequence[Question]) -> bool:
    """Would somebody who remembers the earlier papers find the answer among these options?"""
    others = [other for other in earlier if other.subject != candidate.subject]
    if candidate.group and any(other.subject in {"effect", "function"} for other in others):
        return True
    return any(_telling(candidate, question) & _said(other) for other in others)


def _telling(candidate: Candidate, question: Question) -> set[str]:
    """The words that tell the right answer from the wrong ones."""
    if candidate.told_by:
        return set(candidate.told_by)
    own = words(question.answer)
    if question.kind == "choice":
        offered = [words(option) for option in question.options]
        own = {word for word in own if not all(word in option for option in offered)}
    return own


def _said(question: Question) -> set[str]:
    return words(" ".join((question.prompt, question.note, *question.options)))
