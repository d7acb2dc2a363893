"""Commands that an agent spells over names and members, and those that are only passed about."""

import pytest

from riskgate.core.action import Action, Context, Json
from riskgate.core.levels import Level
from riskgate.core.policy import BALANCED
from riskgate.core.scoring import assess


def action(name: str, *args: Json, **kwargs: Json) -> Action:
    return Action(name, args, kwargs)


DANGEROUS = [
    action("rm", "-rf", "/"),
    action("git", "push", "--force"),
    action("git", "push origin +main"),
    action("git", "reset --hard HEAD~50"),
    action("run_git", args=["push", "--force"]),
    action("git_push", "--force"),
    action("terraform", "destroy", "-auto-approve"),
    action("terraform_destroy"),
    action("kubectl_delete", "ns", "payments"),
    action("aws", "ec2", "terminate-instances"),
    action("aws", "s3 rm s3://prod --recursive"),
    action("mcp.docker", "system prune -af --volumes"),
    action("exec", {"cmd": "rm", "args": ["-rf", "/"]}),
    action("exec", {"Command": "rm", "arguments": "-rf /"}),
    action("exec", program="rm", argv=["-rf", "/home"]),
    action("exec", "rm", ["-rf", "/"]),
    action("exec", [["rm"], ["-rf"], ["/"]]),
    action("plan", steps=[{"program": "git", "args": ["push", "--force"]}]),
    action("execute_sql", ["DROP", "TABLE", "u"]),
    action("query", "DROP", "TABLE", "u"),
    Action("rm -rf /"),
    Action("get_users; rm -rf /"),
    Action("DROP TABLE users"),
    Action("lookup", kwargs={"rm -rf /": 1}),
    Action("lookup", kwargs={"DROP TABLE users": True}),
]

HARMLESS = [
    action("git", "status"),
    action("git", "commit", "-m", "drop; rm -rf /"),
    action("git_push", remote="origin", branch="main"),
    action("terraform_plan"),
    action("format", "json"),
    action("list_set", "a", "-b"),
    action("get_head", ".env"),
    action("run", command="ls", args=["-la", "/"]),
    action("plan", [["git", "status"], ["ls", "-la"]]),
    action("tag", ["drop", "table", "chair"]),
    action("tag", "Drop", "table", "chair"),
    Action("Get the user"),
    Action("save(x)"),
    Action("lookup", kwargs={"a & b": "x"}),
]


@pytest.mark.parametrize("dangerous", DANGEROUS, ids=str)
def test_a_command_is_seen_wherever_its_words_stand(dangerous: Action) -> None:
    assert assess(dangerous, Context(), BALANCED).level >= Level.HIGH


@pytest.mark.parametrize("harmless", HARMLESS, ids=str)
def test_words_that_are_no_command_meet_no_floor(harmless: Action) -> None:
    assert assess(harmless, Context(), BALANCED).floors == ()


def test_the_evidence_marks_the_name_and_each_word() -> None:
    (first, *_) = assess(action("mcp.git", "push", "--force"), Context(), BALANCED).floors
    assert [(place.at, place.text, place.span, place.via) for place in first.evidence] == [
        ("/function_name", "git", (4, 7), "joined"),
        ("/args/0", "push", (0, 4), "joined"),
        ("/args/1", "--force", (0, 7), "joined"),
    ]


def test_a_keyword_that_is_a_command_is_pointed_at_as_a_key() -> None:
    floor = assess(Action("lookup", kwargs={"rm -rf /": 1}), Context(), BALANCED).floors[0]
    assert floor.evidence[0].as_json() == {
        "rule": "guardrails.delete.wide",
        "text": "rm -rf /",
        "at": "/kwargs/rm -rf ~1",
        "in": "key",
        "span": [0, 8],
    }
