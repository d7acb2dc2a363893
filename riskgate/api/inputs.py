"""What comes in, as frozen types with their bounds: read from a body or a query, refused with the field's name."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast

import msgspec
from django.http import QueryDict
from msgspec import Meta

from riskgate.api.problems import Problem
from riskgate.core.action import Hint, Json, pointer
from riskgate.core.levels import Level

LevelName = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL"]
assert tuple(level.name for level in Level) == LevelName.__args__  # type: ignore[attr-defined]

# Not `$` or `.`: in Python both let a newline at the end pass.
NO_CONTROLS = r"^(?![\s\S]*[\u0000-\u001f\u007f-\u009f])"
NAMED = "must be text of 1 to 255 characters, none of them a control character"

# Spaces, format characters, fillers, variation selectors, private and unassigned ranges: all that draws nothing.
INVISIBLE = (
    r"\u0000-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    r"\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
SEEN = rf"{NO_CONTROLS}(?=[\s\S]*[^{INVISIBLE}])"

Name = Annotated[str, Meta(min_length=1, max_length=255, pattern=NO_CONTROLS)]
FunctionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=255,
        pattern=SEEN,
        description="The name of what is to run.",
        examples=["delete_user"],
    ),
]
Args = Annotated[list[Any], Meta(description="Positional arguments, as they will be passed.")]
Kwargs = Annotated[dict[str, Any], Meta(description="Keyword arguments, as they will be passed.")]
Docstring = Annotated[
    str | None, Meta(description="What the function says it does. Scored, and not part of the digest.")
]
Hints = Annotated[
    dict[str, Hint],
    Meta(description="What the caller knows about the risk, flat. Scored, and not part of the digest."),
]

ACTION_MUST = {
    "function_name": NAMED + ", and at least one that can be seen",
    "args": "must be a list of JSON values",
    "kwargs": "must be an object, one member for each keyword argument",
    "docstring": "must be text or null",
    "hints": "must be a flat object: text, numbers, true, false or null",
}


class Input(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """The base of all that comes in. `must` says of every field what it has to be, to whoever got it wrong."""

    must: ClassVar[Mapping[str, str]] = {}


class Nothing(Input, frozen=True):
    """No members, no parameters."""


Given = TypeVar("Given", bound=Input)

_PATH = re.compile(r"at `\$((?:\.\w+|\[\d+\]|\[\.\.\.\])*)`$")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")


def from_body(value: Json, kind: type[Given]) -> Given:
    """A strictly read body as `kind`. Raises Problem with the pointer of the member that is wrong."""
    if not isinstance(value, dict):
        raise Problem("invalid", "The body must be a JSON object.", pointer="")
    unknown = [name for name in value if name not in kind.__struct_encode_fields__]
    if unknown:
        known = ", ".join(kind.__struct_encode_fields__) or "none"
        raise Problem(
            "invalid",
            f"The body has members that are not known here: {_list(unknown)}. Known are: {known}.",
            pointer=pointer(unknown[0]),
        )
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        path = _steps(str(error), value)
        name = str(path[0]) if path else _missing(value, kind)
        raise Problem(
            "invalid", f"`{name}` {kind.must[name]}.", pointer=pointer(*(path or [name]))
        ) from error


def from_query(query: QueryDict, kind: type[Given]) -> Given:
    """A query string as `kind`; an empty value counts as not given. Raises Problem naming the parameter."""
    values: dict[str, str] = {}
    for name, given in query.lists():
        if name not in kind.__struct_encode_fields__:
            known = ", ".join(kind.__struct_encode_fields__) or "none"
            raise Problem(
                "invalid", f"{_list([name])} is no parameter here. Known are: {known}.", parameter=name[:255]
            )
        if len(given) > 1:
            raise Problem("invalid", f"`{name}` is given more than once. Give it once.", parameter=name)
        if given[0]:
            values[name] = given[0]
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        name = str(_steps(str(error), values)[0])
        raise Problem("invalid", f"`{name}` {kind.must[name]}.", parameter=name) from error


def _list(names: list[str]) -> str:
    shown = ", ".join(f"`{name[:80]}`" for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"


def _steps(message: str, value: Mapping[str, Any]) -> list[str | int]:
    """The path in msgspec's message. It does not name the member of an open object: that is the first nested one."""
    found = _PATH.search(message)
    steps: list[str | int] = []
    for name, index in _STEP.findall(found[1] if found else ""):
        if index == "...":
            members = cast("Mapping[str, Any]", value[str(steps[0])])
            steps += [key for key, member in members.items() if isinstance(member, (dict, list))][:1]
        else:
            steps.append(name or int(index))
    return steps


def _missing(value: Mapping[str, Any], kind: type[Input]) -> str:
    """The first required member that is not there."""
    return next(
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if field.required and field.encode_name not in value
    )
