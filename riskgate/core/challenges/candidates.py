"""What could be asked about a call, the most telling first."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from riskgate.core.action import Action
from riskgate.core.challenges import effects
from riskgate.core.challenges.options import Pool, often, places
from riskgate.core.challenges.parts import Part, parts
from riskgate.core.challenges.prompts import of_end, of_value
from riskgate.core.challenges.text import SHORT, TYPED, beginning, spelled
from riskgate.core.challenges.types import Subject
from riskgate.core.challenges.values import Leaf, below, hidden, leaves, place, secret_looking

_MOST = 12
"""Values of one call that questions are made of."""

_EVIDENCE = 20
"""Pieces of evidence, and masked places, that are followed."""

_TARGET = re.compile(
    r"(?i)(?:.*_)?(?:id|ids|uid|uuid|name|user|username|email|account|customer|target|to|recipient|destination"
    r"|dest|path|file|filename|table|database|bucket|cluster|namespace|host|server|url|repo|repository|branch"
    r"|project|channel|amount|sql|query|command|cmd)"
)

_TRIES = re.compile(
    r"(?i)(?:^|_)(?:dry|dry_?run|simulate|simulation|preview|no_?op|soft|soft_?delete|undo|check_?only|test_?mode)(?:$|_)"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be asked.

    real     what the team's other calls have in its place, counted
    within   the text that the answer is a part of
    fixed    wrong answers from a table, where there is one; else they are found or made
    told_by  words that would give the answer away in another question
    group    at most one candidate of a group in one paper
    """

    subject: str
    prompt: str
    note: str
    answer: str
    kind: str = ""
    face: str = "mono"
    real: Mapping[str, int] = field(default_factory=dict)
    within: str = ""
    fixed: tuple[str, ...] = ()
    told_by: frozenset[str] = frozenset()
    group: str = ""
    verbs: bool = False
    typable: bool = True
    choosable: bool = True
    usual: bool = False
    first: str = ""
    """How much of a long value is typed, in words, "first 3 words"; "" for all of it."""


def of_values(subject: Subject, pool: Pool) -> tuple[list[Candidate], list[Candidate], list[Candidate]]:
    """The candidates for whole values, for parts of them, and for how they begin and end.

    In each, the target comes first and then what raised the score.
    """
    wholes: list[Candidate] = []
    pieces: list[Candidate] = []
    ends: list[Candidate] = []
    found = ordered(subject)
    for leaf in found[:_MOST]:
        whole = _whole(leaf, subject, pool)
        if whole is not None:
            wholes.append(whole)
        cut_up = parts(leaf)
        kinds = Counter(part.kind for part in cut_up)
        ends += _ends(leaf)
        pieces += [_part(leaf, part, pool, alone=kinds[part.kind] == 1) for part in cut_up]
    wholes += _together([leaf for leaf in found if leaf.kind == "boolean" and leaf.value is not None])
    return wholes, pieces, ends


def ordered(subject: Subject) -> list[Leaf]:
    """The values that may be asked for: the target, then what raised the score, then the others."""
    evidence = [item for item in subject.evidence if item.at.startswith(("/args/", "/kwargs/"))][:_EVIDENCE]
    raised = {item.at: i for i, item in reversed(list(enumerate(evidence)))}
    focus = {item.at: item.span[0] for item in reversed(evidence) if item.span}
    every = {leaf.at: leaf for at in raised for leaf in below(subject.action, at)}
    for leaf in leaves(subject.action):
        every.setdefault(leaf.at, leaf)
    secret = secrets(subject)
    found = [
        replace(leaf, focus=focus.get(leaf.at, 0))
        for leaf in every.values()
        if not hidden(leaf.at, subject.masked) and leaf.value not in secret
    ]
    found = [leaf for leaf in found if not secret_looking(leaf.name, leaf.raw)]
    targets = [leaf for leaf in found if is_target(leaf)]
    target = targets[0].at if targets else ""
    most = len(raised) + 1

    def rank(leaf: Leaf) -> tuple[int, int]:
        at = leaf.at
        while at and at not in raised:
            at = at.rpartition("/")[0]
        return (0 if leaf.at == target else 1, raised[at] if at else most + (leaf not in targets))

    return sorted(found, key=rank)


def secrets(subject: Subject) -> set[object]:
    """The masked values themselves: they may stand a second time where nothing is masked."""
    return {
        leaf.value
        for at in sorted(subject.masked)[:_EVIDENCE]
        for leaf in below(subject.action, at)
        if isinstance(leaf.value, str)
    }


def is_target(leaf: Leaf) -> bool:
    """Does its place or its name say that this is what the call acts on?"""
    if leaf.kind in {"boolean", "environment"}:
        return False
    return leaf.at == "/args/0" or bool(_TARGET.fullmatch(leaf.name[:60]))


def _whole(leaf: Leaf, subject: Subject, pool: Pool) -> Candidate | None:
    if leaf.kind == "boolean":
        return None
    answer, first = (leaf.text, "") if leaf.text else beginning(leaf.raw)
    at = places(subject.action.function_name, leaf)
    return Candidate(
        subject=leaf.at,
        prompt=of_value(leaf, subject.action),
        note=place(leaf.at),
        answer=answer,
        kind=leaf.kind,
        real={} if first else pool.real(at),
        typable=len(answer) > 1 and not (len(answer) > TYPED and len(answer.split()) > 2),
        usual=pool.usual(answer, at),
        first=first,
    )


def _part(leaf: Leaf, part: Part, pool: Pool, *, alone: bool) -> Candidate:
    real: Mapping[str, int] = pool.places.get(f"part:{leaf.kind}:{part.kind}", {})
    return Candidate(
        subject=f"{leaf.at}#{part.start}-{part.end}",
        prompt=part.prompt(leaf.kind),
        note=place(leaf.at),
        answer=part.text,
        kind="word" if part.kind in {"table", "name", "word"} else part.kind,
        real=real,
        within=leaf.raw,
        typable=alone and part.kind != "word",
        usual=often(part.text, real),
    )


def _ends(leaf: Leaf) -> list[Candidate]:
    """How a text of several words begins and ends: to be typed, as anything else could stand there."""
    said = leaf.text.split()
    if len(said) < 3:
        return []
    found = [("begin", " ".join(said[:2]), "first 2 words")]
    if said[-1].strip("\"'`;,.()!?") == said[-1]:
        found.insert(0, ("end", said[-1], "last word"))
    return [
        Candidate(
            subject=f"{leaf.at}#{side}",
            prompt=of_end(leaf, side),
            note=place(leaf.at),
            answer=answer,
            choosable=False,
            first=first,
        )
        for side, answer, first in found
        if len(answer) > 2
    ]


def _together(flags: list[Leaf]) -> list[Candidate]:
    """Three or four switches are one question; fewer have too few answers."""
    named = [leaf for leaf in flags if re.fullmatch(r"[A-Za-z]\w{0,15}", leaf.name)][:4]
    if len(named) < 3:
        return []
    answer = ", ".join(f"{leaf.name} {leaf.text}" for leaf in named)
    return [
        Candidate(
            subject=" ".join(leaf.at for leaf in named),
            prompt="How are these switches set?",
            note="The arguments " + ", ".join(leaf.name for leaf in named),
            answer=answer,
            kind="switches",
            typable=False,
        )
    ]


def effect_of(subject: Subject) -> effects.Effect | None:
    """What the call does: what its one statement or command does, else what its name says; None if unsure."""
    said = spelled(subject.action.function_name[:SHORT])
    if only_tries(subject.action):
        return None
    if not effects.runs(said):
        return effects.of_name(said)
    visible = {leaf.at for leaf in ordered(subject)[:_MOST]}
    several = [
        leaf
        for leaf in leaves(subject.action, _MOST)
        if leaf.kind in {"sql", "command"} and leaf.at in visible
    ]
    if len(several) != 1:
        return None
    effect = effects.of_value(several[0])
    return replace(effect, note=place(several[0].at)) if effect else None


def only_tries(action: Action) -> bool:
    """Does a switch, such as dry_run, say that it would not do what its name says, or not for good?"""
    return any(
        _TRIES.search(leaf.name[:60]) and leaf.value not in {False, None, "", "false"}
        for leaf in leaves(action)
    )


def of_effects(subject: Subject) -> list[Candidate]:
    """The question for what the call does, where that is sure."""
    effect = effect_of(subject)
    if effect is None:
        return []
    return [
        Candidate(
            subject="effect",
            prompt=effect.prompt,
            note=effect.note,
            answer=effect.answer,
            face="text",
            fixed=effect.wrong,
            told_by=effect.told_by,
            group="verb",
            typable=False,
        )
    ]


def of_function(subject: Subject, pool: Pool) -> list[Candidate]:
    """The function's name, among real and made-up ones that do something else to the same thing.

    Other things would be a giveaway beside questions for the arguments. A name such as `run_shell` has no
    fair neighbours and can only be typed.
    """
    if hidden("/function_name", subject.masked):
        return []
    answer, first = beginning(subject.action.function_name)
    said = spelled(answer)
    alike = {name: n for name, n in pool.functions.items() if said and spelled(name)[-1:] == said[-1:]}
    return [
        Candidate(
            subject="function",
            prompt="Which function is called?",
            note="The name of the function",
            answer=answer,
            kind="function",
            real=alike,
            told_by=frozenset(word.lower() for word in (said[:-1] or said) if len(word) > 1),
            group="verb",
            verbs=True,
            choosable=not effects.runs(said),
            first=first,
        )
    ]


def of_setting(subject: Subject) -> tuple[Candidate, Candidate, Candidate]:
    """What holds for any call, for one that says nothing of itself: the environment, the agent, the level."""
    return (
        _setting(
            "environment", "In which environment does the agent work?", "As the agent was registered", subject
        ),
        _setting("agent", "Which agent asks?", "The name of the agent", subject),
        _setting("level", "At which level is this call?", "The word beside the score", subject),
    )


def _setting(name: str, prompt: str, note: str, subject: Subject) -> Candidate:
    value = {"environment": subject.environment, "agent": subject.agent, "level": subject.level.name}[name]
    answer, first = beginning(value)
    kind = "environment" if name == "environment" else "word"
    return Candidate(subject=name, prompt=prompt, note=note, answer=answer, kind=kind, first=first)
