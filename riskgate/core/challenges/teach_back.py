"""Teach-back: what it does and whether it can be undone, from lists, and then the same in one's own words."""

import random
from collections.abc import Callable, Iterator, Sequence

from riskgate.core.action import Action
from riskgate.core.challenges import target
from riskgate.core.challenges.asking import pick, right
from riskgate.core.challenges.candidates import effect_of, only_tries, ordered
from riskgate.core.challenges.copying import hashes
from riskgate.core.challenges.effects import runs
from riskgate.core.challenges.naming import names
from riskgate.core.challenges.operands import around
from riskgate.core.challenges.options import COUNT
from riskgate.core.challenges.outcomes import CERTAIN, FALSE, OUTCOMES, UNDO, WORDS, WORDS_OF, Outcome
from riskgate.core.challenges.prose import LEAST, Facts, judge
from riskgate.core.challenges.text import SHORT, spelled
from riskgate.core.challenges.types import NOT_ALL_RIGHT, Paper, Question, Subject, Verdict
from riskgate.core.challenges.values import leaves

KIND = "teach_back"

CHOICES = 2

VALIDATORS: dict[str, Callable[[str, Facts], str]] = {"words": judge}
"""Who judges the prose: "" for a text that will do, else one sentence that gives nothing away.

A paper names its own, so that it is graded as it was served.
"""

VALIDATOR = "words"


def build(subject: Subject, others: Sequence[Action], rng: random.Random, asked: Sequence[Paper]) -> Paper:
    """Two questions that have one answer, and then the one that has none.

    Where it is not sure what the call does, or whether that can be undone, its values are asked instead.
    """
    outcome = _outcome(subject)
    chosen = [*_effect(subject, outcome, rng, asked), *_undo(subject, outcome)]
    without = {question.subject for question in chosen} | {"effect", "undo"}
    if chosen:
        without.add("function")
    chosen += pick(subject, others, rng, asked, CHOICES - len(chosen), without=without)
    prose = Question(
        "In your own words",
        f"Name the effect and the target, in at least {LEAST} words",
        "prose",
        (),
        "text",
        "",
        "prose",
    )
    return Paper(KIND, (*chosen, prose), {**facts(subject).as_json(), "validator": VALIDATOR})


def grade(paper: Paper, answers: Sequence[str]) -> Verdict:
    """Passes where every choice is right and the prose will do. A paper without its facts fails."""
    of = len(paper.questions)
    if of != CHOICES + 1 or len(answers) != of or paper.questions[-1].kind != "prose":
        return Verdict(False, 0, of, NOT_ALL_RIGHT)
    pairs = zip(paper.questions[:-1], answers[:-1], strict=True)
    count = sum(right(question, answer) for question, answer in pairs)
    why = _judged(paper, answers[-1])
    if not why and count < CHOICES:
        why = NOT_ALL_RIGHT
    elif not why:
        return Verdict(True, of, of)
    return Verdict(False, count, of, why)


def _judged(paper: Paper, text: object) -> str:
    validator = VALIDATORS.get(paper.facts.get("validator", ""))
    if validator is None or not isinstance(text, str):
        return NOT_ALL_RIGHT
    try:
        known = Facts.from_json(paper.facts)
    except KeyError:
        return NOT_ALL_RIGHT
    return validator(text, known)


def _outcome(subject: Subject) -> Outcome | None:
    """Of the rule with a floor that matched first; None where none is in the table, or it only tries."""
    if only_tries(subject.action):
        return None
    return next((OUTCOMES[item.rule] for item in subject.evidence if item.rule in OUTCOMES), None)


def _effect(
    subject: Subject, outcome: Outcome | None, rng: random.Random, asked: Sequence[Paper]
) -> Iterator[Question]:
    """What it does, with the same wrong answers for the same person: two sets would tell the right one."""
    if outcome is None:
        known = effect_of(subject)
        if known is None or len(known.wrong) < COUNT - 1:
            return
        prompt, note, answer = known.prompt, known.note, known.answer
        wrong = rng.sample(known.wrong, COUNT - 1)
    else:
        prompt, note, answer = "What does it do?", "The effect of the call as a whole", outcome.text
        wrong = _false(subject, outcome, rng)
    options = [answer, *wrong]
    for question in (question for paper in asked for question in paper.questions):
        if question.subject == "effect" and question.answer == answer and question.prompt == prompt:
            options = list(question.options)
    rng.shuffle(options)
    yield Question(prompt, note, "choice", tuple(options), "text", answer, "effect")


def _false(subject: Subject, outcome: Outcome, rng: random.Random) -> list[str]:
    """Two harmless things of its own topic, and three grave ones of topics that no rule found in the call."""
    met = {OUTCOMES[item.rule].topic for item in subject.evidence if item.rule in OUTCOMES}
    grave = sorted({other.text for other in OUTCOMES.values() if other.topic not in met | {outcome.topic}})
    mild = FALSE[outcome.topic]
    return [*mild, *rng.sample(grave, COUNT - 1 - len(mild))]


def _undo(subject: Subject, outcome: Outcome | None) -> Iterator[Question]:
    known = effect_of(subject) if outcome is None else None
    answer = outcome.undo if outcome is not None else CERTAIN.get(known.key, "") if known is not None else ""
    if answer:
        yield Question("Can it be undone?", "Without a backup", "choice", UNDO, "text", answer, "undo")


def facts(subject: Subject) -> Facts:
    """What the prose is judged by."""
    found = target.find(subject)
    targets = [name for text in (found.texts if found else ()) for name in names(text)]
    if not targets:
        targets = [*names(subject.environment), *names(subject.agent)]
        targets += [word.lower() for word in spelled(subject.action.function_name[:SHORT])[1:]]
        commands = [leaf for leaf in ordered(subject) if leaf.kind == "command"]
        targets += [name for leaf in commands[:1] for word in around(leaf.raw)[:8] for name in names(word)]
    effects, verbs = _named(subject, _outcome(subject))
    return Facts(effects, verbs, tuple(dict.fromkeys(targets)), hashes(_written(subject), targets))


def _named(subject: Subject, outcome: Outcome | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that name the effect; any effect's, and the function's own verb, where it is not sure."""
    if outcome is not None:
        return outcome.words, ()
    known = effect_of(subject)
    said = spelled(subject.action.function_name[:SHORT])
    verbs = () if runs(said) or not said else _forms(said[0].lower())
    return (WORDS_OF.get(known.key, tuple(WORDS)) if known is not None else tuple(WORDS)), verbs


def _forms(verb: str) -> tuple[str, ...]:
    stem = verb.removesuffix("e")
    return (verb, f"{verb}s", f"{stem}es", f"{stem}ed", f"{stem}ing")


def _written(subject: Subject) -> Iterator[str]:
    """Every text that the agent wrote, and the call as one text; nothing masked."""
    action = subject.action
    yield subject.reason
    yield action.docstring or ""
    visible = ordered(subject)
    yield from (leaf.value for leaf in visible if isinstance(leaf.value, str))
    yield from (f"{name} {value}" for name, value in action.hints.items())
    shown = {leaf.at for leaf in visible}
    in_order = [leaf for leaf in leaves(action) if leaf.at in shown]
    yield " ".join((*spelled(action.function_name), *(f"{leaf.name} {leaf.text}" for leaf in in_order)))
