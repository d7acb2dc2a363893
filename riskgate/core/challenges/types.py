"""What a challenge is made of: what it is about, its questions, and what an answer is worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from riskgate.core.action import Action
from riskgate.core.assessment import Evidence
from riskgate.core.levels import Level


@dataclass(frozen=True, slots=True)
class Subject:
    """The call that a challenge asks about.

    evidence  of all factors and floors, strongest first: what raised the score is asked first
    masked    JSON Pointers whose value may be neither shown nor asked, nor anything below them
    reason    what the agent gave as its reason; words that a person may not pass off as their own
    """

    action: Action
    evidence: tuple[Evidence, ...]
    environment: str
    agent: str
    level: Level
    masked: frozenset[str] = frozenset()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and its answer, which never leaves the server.

    prompt   the question in plain English, "In which environment?"
    note     where in the call the answer stands, "The argument env"
    kind     "choice", "typed", or "prose" for a few sentences of one's own, which have no one answer ("")
    options  the texts as they are shown, for a choice; none where the answer is written
    face     "mono" for what an agent wrote, "text" for the console's own words
    subject  a JSON Pointer (with `#start-end` for a part of a text), or "effect", "function", "target" and the like
    """

    prompt: str
    note: str
    kind: str
    options: tuple[str, ...]
    face: str
    answer: str
    subject: str

    def as_json(self) -> dict[str, Any]:
        return {**self.shown(), "answer": self.answer, "subject": self.subject}

    def shown(self) -> dict[str, Any]:
        """What a page may know of it."""
        return {
            "prompt": self.prompt,
            "note": self.note,
            "kind": self.kind,
            "options": list(self.options),
            "face": self.face,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Question":
        return cls(
            prompt=data["prompt"],
            note=data["note"],
            kind=data["kind"],
            options=tuple(data["options"]),
            face=data["face"],
            answer=data["answer"],
            subject=data["subject"],
        )


@dataclass(frozen=True, slots=True)
class Paper:
    """The questions of one attempt. `as_json` holds the answers, for the database; a page gets `shown()`.

    facts  what grading has to know of the call beyond the answers, JSON; never shown either
    """

    kind: str
    questions: tuple[Question, ...]
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def as_json(self) -> dict[str, Any]:
        data = {"kind": self.kind, "questions": [question.as_json() for question in self.questions]}
        return {**data, "facts": dict(self.facts)} if self.facts else data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Paper":
        questions = tuple(Question.from_json(item) for item in data["questions"])
        return cls(data["kind"], questions, data.get("facts", {}))

    def shown(self) -> list[dict[str, Any]]:
        return [question.shown() for question in self.questions]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`why` is a sentence for the person whose answers failed; it gives no answer away. "" where they passed."""

    passed: bool
    right: int
    of: int
    why: str = ""


NOT_ALL_RIGHT = "Not all answers were right."
