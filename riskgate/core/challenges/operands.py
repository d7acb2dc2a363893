"""What a statement or a shell command acts on: the names in it that are neither verb nor option."""

import re
import shlex
from collections.abc import Iterator

_STEPS = re.compile(r"&&|\|\|?|;|\n")
_NOT_FIRST = frozenset("sudo nohup time xargs exec env doas command".split())

_BY_VERB = frozenset(
    "kubectl git docker podman terraform tofu pulumi aws gcloud az helm systemctl service npm pip apt apt-get yum"
    " dnf brew flux argocd eksctl doctl heroku gh".split()
)
"""Programs whose first words are verbs and kinds of things."""

_VERBS = frozenset(
    "delete destroy remove rm rb push pull apply force reset clean stop start restart disable enable uninstall drop"
    " purge exec run create scale rollout terminate-instances get describe set undo prune kill mask install upgrade"
    " checkout rebase filter-branch".split()
)

_KINDS = frozenset(
    "ns namespace namespaces pod pods po deployment deployments deploy svc service services pvc pv secret secrets"
    " configmap configmaps cm node nodes no job jobs cronjob statefulset statefulsets sts daemonset ds ingress crd"
    " persistentvolumeclaim persistentvolumeclaims persistentvolume persistentvolumes all s3 s3api ec2 rds iam lambda"
    " dynamodb eks ecs backup secretsmanager cloudformation projects project group instances compute sql storage"
    " clusters container volume volumes image images network system stack stacks server vm aks buckets disks".split()
)

_FIRST = {
    **dict.fromkeys("git helm terraform tofu pulumi systemctl npm pip apt apt-get yum dnf brew".split(), 1),
    "kubectl": 2,
    "service": 0,
}
"""How many of its first words may be verbs and kinds, for programs of which that is known."""

_WRITERS = frozenset("cat echo printf tee".split())

_REDIRECTION = re.compile(r"(?:\d|&)?>{1,2}\|?\s*(&?[^\s;|&]+)|<{1,3}\s*\S+")

_AROUND = frozenset(
    "-n --namespace -c --context --kubeconfig --cluster -l --selector --region --profile --output -o --project"
    " --zone -C --git-dir --work-tree --timeout --grace-period -chdir --subscription --log-level".split()
)
"""Options whose value says where, or how, and not what."""

_NAMING = re.compile(r"--?(?:[\w-]*-(?:ids?|identifier|name|names|arn)|name|bucket|target|id|resource-group)")

_MODE_FIRST = frozenset("chmod chown chgrp".split())

_NAME = r"([\"`\[]?[A-Za-z_][\w$]*[\"`\]]?(?:\.[\"`\[]?[A-Za-z_][\w$]*[\"`\]]?)*)"

_OBJECT = re.compile(
    r"(?i)\b(?:delete\s+from|insert\s+into|truncate(?:\s+table)?"
    r"|(?:drop|alter|create)\s+(?:unique\s+)?(?:table|database|schema|view|index|user|role|materialized\s+view)"
    r"(?:\s+if\s+(?:not\s+)?exists)?|(?<!for )update)\s+(?:only\s+)?"
    + _NAME
    + r"((?:\s*,\s*"
    + _NAME
    + r")*)"
)
_READ = re.compile(r"(?i)\b(?:from|join)\s+" + _NAME)


def of_statement(text: str) -> list[str]:
    """The tables, databases and the like that it changes; without any, those that it reads."""
    found = [
        name
        for match in _OBJECT.finditer(text)
        for name in (match.group(1), *re.split(r"\s*,\s*", match.group(2)))
        if name
    ]
    found = found or [match.group(1) for match in _READ.finditer(text)]
    return list(dict.fromkeys(re.sub(r"[\"`\[\]]", "", name) for name in found))


def of_command(text: str, focus: int = 0) -> tuple[list[str], list[str]]:
    """What the step of a command at the code point `focus` acts on, and the names that say where."""
    step = _step(text, focus)
    written = [match.group(1) for match in _REDIRECTION.finditer(step) if match.group(1)]
    files = [name for name in written if not name.startswith("&") and name != "/dev/null"]
    words = list(_words(_REDIRECTION.sub(" ", step)))
    while words and (
        words[0] in _NOT_FIRST or re.fullmatch(r"\w+=\S*", words[0]) or words[0].startswith("-")
    ):
        words.pop(0)
    program, rest = (words[0].rpartition("/")[2].partition(".")[0], words[1:]) if words else ("", [])
    if files and (not program or program in _WRITERS):
        return files, []
    if program in {"psql", "mysql", "sqlite3", "mariadb"} and of_statement(text):
        return of_statement(text), []
    what, where = _sorted(program, rest)
    if program == "git" and "push" in rest and len(what) > 1:
        what = [ref.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/") for ref in what[1:]]
    if program in _MODE_FIRST and len(what) > 1:
        what = what[1:]
    if program == "dd":
        what = [word.removeprefix("of=") for word in what if word.startswith("of=")] or what
    if program == "service":
        what = what[:1]
    return [word for word in what if word], where


def around(text: str) -> list[str]:
    """The program and the kinds of things in a command that names nothing else."""
    words = [word for word in _words(text) if word not in _NOT_FIRST and not word.startswith("-")]
    return [word for word in words if word not in _VERBS]


def _sorted(program: str, rest: list[str]) -> tuple[list[str], list[str]]:
    by_verb, what, where, last = program in _BY_VERB, list[str](), list[str](), ""
    left = _FIRST.get(program, len(rest))
    for word in rest:
        option, last = last, ""
        if word.startswith("-") and len(word) > 1:
            name, _, value = word.partition("=")
            if value and (name in _AROUND or _NAMING.fullmatch(name)):
                (where if name in _AROUND else what).append(value)
            last = "" if value else name
        elif by_verb and option in _AROUND and not (program == "az" and option == "-n"):
            where.append(word)
        elif by_verb and left > 0 and not what and _is_verb(word):
            left -= word != "rollout"
        else:
            kind, slash, name = word.partition("/")
            what.append(name if by_verb and slash and kind in _KINDS else word)
    return what, where


def _is_verb(word: str) -> bool:
    return word in _VERBS or word in _KINDS or bool(re.match(r"(?:delete|terminate|rotate)-", word))


def _step(text: str, focus: int) -> str:
    start = 0
    for match in _STEPS.finditer(text):
        if match.start() > focus:
            return text[start : match.start()]
        start = match.end()
    return text[start:]


def _words(step: str) -> Iterator[str]:
    """The words as a shell reads them; substitutions are left out."""
    try:
        words = shlex.split(step)
    except ValueError:
        words = step.split()
    for word in words[:200]:
        if not re.match(r"&|\$\(", word):
            yield word
