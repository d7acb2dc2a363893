"""What a rule is: data with its own examples. What a pack is: rules under one name."""

from dataclasses import dataclass
from enum import StrEnum

from riskgate.core.action import Action
from riskgate.core.levels import Level


class Part(StrEnum):
    """Where a rule looks, and how its pattern is meant.

    FUNCTION_NAME, DOCSTRING   the pattern is searched in that text
    ARGUMENTS                  the pattern is searched in every argument value; the rule has a score
    TEXT                       the same, for a rule that has a floor
    COMMAND                    the pattern is matched from the start of each shell command in an argument
                               value, in the plain form of `structure/commands.py`
    SQL                        the pattern is matched where a statement starts in an argument value
    CALL                       the pattern is searched in the words of the function name (small, one space
                               between them), `needs` in the lines `name=value` that the arguments make
    """

    FUNCTION_NAME = "function_name"
    ARGUMENTS = "arguments"
    DOCSTRING = "docstring"
    TEXT = "text"
    COMMAND = "command"
    SQL = "sql"
    CALL = "call"


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule, with either a `score` (10⁻⁶) for its factor or a `floor` for the whole action.

    pattern    RE2 over folded text, see `words.py`; the group that matched, else the whole, is the evidence
    unless     where this matches the same command, statement or name, the rule does not
    needs      only with Part.CALL: must match too
    heads      only with Part.COMMAND: the commands that the rule is about; none is any command
    words      only with Part.COMMAND: where there are any, one follows in every text that the rule matches
    runs       only with Part.COMMAND: the function must be one that runs what it is given
    guarded    only with Part.SQL: the rule does not match a statement that a WHERE or LIMIT holds back
    sentence   tells an operator why, and `phrase` the same in a few words
    match      examples that the rule must match, and `no_match` ones that it must not: a text stands for a
               value at the place where the rule looks
    """

    id: str
    family: str
    part: Part
    pattern: bytes
    sentence: str
    phrase: str
    score: int | None = None
    floor: Level | None = None
    unless: bytes = b""
    needs: bytes = b""
    heads: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    runs: bool = False
    guarded: bool = False
    match: tuple[str | Action, ...] = ()
    no_match: tuple[str | Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Pack:
    """`name` is what a policy calls it; `title` and `sentence` are for the page of all rules."""

    name: str
    title: str
    sentence: str
    rules: tuple[Rule, ...]
