"""Floors for names that delete with an odd verb, and for calls that delete a whole tree without a shell."""

from riskgate.core.action import Action
from riskgate.core.levels import Level
from riskgate.core.scoring.packs.guardrails.patterns import ROOT
from riskgate.core.scoring.rules import Part, Rule

_LOOKS = rb"^(?:get|list|read|fetch|search|find|check|view|show|describe|count|is|has|can|was|on) "
_THING = (
    rb"(?:all|everything|users?|accounts?|customers?|members?|files?|folders?|director(?:y|ies)|dirs?"
    rb"|records?|rows?|tables?"
    rb"|databases?|db|data|orders?|invoices?|contacts?|messages?|emails?|posts?|comments?|documents?"
    rb"|docs?|projects?|repos?"
    rb"|teams?|orgs?|roles?|groups?|keys?|secrets?|tokens?|sessions?|events?|tasks?|tickets?|products?"
    rb"|pages?|objects?|buckets?)"
)

VERBS = (
    Rule(
        id="guardrails.call.odd-verb",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )((?:delete|destroy|remove|purge|truncate|erase|wipe|obliterate|terminate|unlink)%s"
        rb"|(?:del|rm|rmv|dlt|erase|wipe|obliterate|annihilate|unlink|shred) (?:[a-z0-9]+ )?%s"
        rb"|d e l e t e|r e m o v e|d r o p|d e s t r o y)(?: |$)" % (_THING, _THING),
        unless=_LOOKS,
        floor=Level.MEDIUM,
        sentence="The name means that something is deleted, however it is written.",
        phrase="deletes under another name",
        match=(
            Action("deleteuser", ("a",)),
            Action("DELETEUSER", ("a",)),
            Action("del_user", ("a",)),
            Action("rm_user", ("a",)),
            Action("wipe_old_records"),
            Action("d.e.l.e.t.e", ("a",)),
        ),
        no_match=(
            Action("get_deleteuser_log"),
            Action("list_deleted"),
            Action("model_user"),
            Action("add_user"),
            Action("dropdown_items"),
            Action("format_data"),
        ),
    ),
    Rule(
        id="guardrails.call.delete-tree",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )(rmtree|rm tree|rm rf|rimraf|(?:delete|remove|wipe|erase|purge|unlink|del|rm) (?:[a-z]+ )?"
        rb"(?:all|trees?|director(?:y|ies)|dirs?|folders?|files?|paths?|recursive(?:ly)?)|unlink|rmdir)(?: |$)",
        needs=rb"(?:^|\n)[^\n=]*=(?:%s)(?:$|\n)" % ROOT,
        unless=_LOOKS,
        floor=Level.CRITICAL,
        sentence="Deleting a whole tree like this cannot be undone and reaches everything below it.",
        phrase="deletes a whole tree",
        match=(
            Action("rmtree", ("/",)),
            Action("shutil.rmtree", ("/home",)),
            Action("delete_directory", kwargs={"path": "/etc"}),
            Action("unlink_all", ("/",)),
        ),
        no_match=(
            Action("rmtree", ("/tmp/x",)),
            Action("shutil.rmtree", ("build",)),
            Action("delete_directory", kwargs={"path": "/srv/app/cache"}),
            Action("list_directory", ("/",)),
        ),
    ),
    Rule(
        id="guardrails.call.wipe-disk",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )(format|mkfs|wipe|erase|partition|zero|overwrite|shred|dd)(?: |$)",
        needs=rb"(?:^|\n)[^\n=]*=(?:of=)?/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|md|mapper/|dm-)[^\n]*(?:$|\n)",
        unless=_LOOKS,
        floor=Level.CRITICAL,
        sentence="Formatting or wiping a disk cannot be undone and takes everything on it.",
        phrase="wipes a whole disk",
        match=(Action("format", ("/dev/sda",)), Action("wipe_disk", ("/dev/nvme0n1",))),
        no_match=(
            Action("format", ("json",)),
            Action("format_text", ("/dev/notes",)),
            Action("get_format", ("/dev/sda",)),
        ),
    ),
)
