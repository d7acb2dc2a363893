"""The pack `core`: few rules, plain tables. Whatever other packs are on, each keeps its score."""

from riskgate.core.levels import micro
from riskgate.core.scoring.rules import Pack, Part, Rule
from riskgate.core.scoring.words import ALNUM, LETTER, SPACE, stem_pattern, word_pattern

_VERBS = (
    Rule(
        id="core.verb.destructive",
        family="destructive verb",
        part=Part.FUNCTION_NAME,
        pattern=word_pattern("delete", "remove", "drop", "destroy", "purge", "truncate", "kill"),
        score=micro(0.95),
        sentence="The name has a verb that destroys.",
        phrase="destructive verb",
        match=("delete_user", "deleteUser", "HTTPDelete", "DROP2", "users.purge", "dElEtE_all"),
        no_match=("deleted_users", "undelete", "dropdown_items", "skill_up"),
    ),
    Rule(
        id="core.verb.mutating",
        family="mutating verb",
        part=Part.FUNCTION_NAME,
        pattern=word_pattern(
            "write", "update", "modify", "set", "create", "send", "deploy", "push", "execute", "run"
        ),
        score=micro(0.55),
        sentence="The name has a verb that changes something.",
        phrase="mutating verb",
        match=("update_user", "runJob", "S3Create", "git.push"),
        no_match=("updates", "settings", "runner", "overwrite"),
    ),
    Rule(
        id="core.verb.read",
        family="read-only verb",
        part=Part.FUNCTION_NAME,
        pattern=word_pattern("read", "get", "list", "fetch", "search", "find", "check"),
        score=micro(0.10),
        sentence="The name has a verb that only reads.",
        phrase="read-only verb",
        match=("get_users", "listFiles", "findById"),
        no_match=("target", "listing", "thread"),
    ),
)


def _credential(name: str, words: tuple[str, ...], no_match: tuple[str, ...]) -> Rule:
    return Rule(
        id=f"core.credentials.{name}",
        family="credentials",
        part=Part.ARGUMENTS,
        pattern=word_pattern(*words),
        score=micro(0.70),
        sentence=f"A value speaks of a {name}." if name != "production" else "A value names production.",
        phrase=name,
        match=(*words, f"my_{words[0]}=x", f"my{words[0].capitalize()}2", words[-1].upper()),
        no_match=no_match,
    )


_CREDENTIALS = (
    _credential(
        "production", ("production", "prod"), ("product-7", "reproduction", "prodigy", "productions")
    ),
    _credential("secret", ("secret", "secrets"), ("secretary", "secretly")),
    _credential("password", ("password", "passwords"), ("passwordless", "pass word")),
    _credential("token", ("token", "tokens"), ("tokenizer", "tokenize", "betoken")),
    _credential("key", ("key", "keys"), ("monkey", "keyboard", "keyed")),
    _credential("credential", ("credential", "credentials"), ("credentialed",)),
    Rule(
        id="core.credentials.env-file",
        family="credentials",
        part=Part.ARGUMENTS,
        pattern=rb"(?:^|[^%s_.)}\]-])((?i:\.env))(?:$|[^%s])" % (ALNUM, ALNUM),
        score=micro(0.70),
        sentence="A value names a file .env, where credentials are kept.",
        phrase=".env file",
        match=("app/.env", ".env", ".env.local", "cat .ENV", "'.env'", ".env_prod", "C:\\x\\.env"),
        no_match=("config.env", ".environment", "process.env.HOME", "my_.env2", ".envrc"),
    ),
)


def _statement(word: str, no_match: tuple[str, ...]) -> Rule:
    return Rule(
        id=f"core.sql.{word}",
        family="sql",
        part=Part.ARGUMENTS,
        pattern=word_pattern(word),
        score=micro(0.80),
        sentence=f"A value has the word {word.upper()}.",
        phrase=f"{word.upper()} statement",
        match=(
            f"{word.upper()} TABLE t",
            f"x;{word} t",
            f"({word.upper()} FROM t)",
            f"sOmE {word.capitalize()}",
        ),
        no_match=no_match,
    )


_SQL = (
    _statement("drop", ("dropped", "raindrop", "dropdown")),
    _statement("delete", ("SELECT deleted_at FROM t", "undelete")),
    _statement("truncate", ("truncated", "truncates")),
    _statement("alter", ("alternative", "falter", "altered")),
)

_SHELL = (
    Rule(
        id="core.shell.rm-rf",
        family="shell",
        part=Part.ARGUMENTS,
        pattern=rb"(?:^|[^%s])((?i:rm[%s]+-rf))" % (ALNUM, SPACE),
        score=micro(0.80),
        sentence="A value has the command rm -rf.",
        phrase="rm -rf",
        match=("rm -rf /x", "RM  -RF /x", "/bin/rm\t-rf x", "a;rm -rf b"),
        no_match=("rm -r x", "rm-rf", "farm -rf", "rm - rf"),
    ),
    Rule(
        id="core.shell.sudo",
        family="shell",
        part=Part.ARGUMENTS,
        pattern=word_pattern("sudo"),
        score=micro(0.80),
        sentence="A value has the word sudo.",
        phrase="sudo",
        match=("sudo ls", "SUDO ls", "a;sudo b"),
        no_match=("sudoku", "pseudo"),
    ),
    Rule(
        id="core.shell.chmod-777",
        family="shell",
        part=Part.ARGUMENTS,
        pattern=rb"(?:^|[^%s])((?i:chmod[%s]+777))(?:$|[^%s])" % (ALNUM, SPACE, ALNUM),
        score=micro(0.80),
        sentence="A value has the command chmod 777, which lets everybody write.",
        phrase="chmod 777",
        match=("chmod 777 /srv", "CHMOD   777 x"),
        no_match=("chmod 755 x", "chmod 7770 x", "chmod"),
    ),
)

_OCTET = rb"(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])"

_NETWORK = (
    Rule(
        id="core.network.url",
        family="network",
        part=Part.ARGUMENTS,
        # The host is quoted, never the name and password that may stand before it.
        pattern=rb"((?i:[a-z][a-z0-9+.-]*)://)[^%s/?#@\xff]*@|((?i:[a-z][a-z0-9+.-]*)://[A-Za-z0-9.\xc"
        rb"0\xe0-]*)" % SPACE,
        score=micro(0.40),
        sentence="A value has a URL.",
        phrase="URL",
        match=("https://example.com/x", "s3://bucket/x", "see ftp://a.b", "postgres://u:p@db/x"),
        no_match=("://x", "http:/x", "a: //b"),
    ),
    Rule(
        id="core.network.email",
        family="network",
        part=Part.ARGUMENTS,
        pattern=rb"://[^%s/?#@\xff]*(@(?:[%s-]+\.)+[%s]{2})|([%s._%%+'-]+@(?:[%s-]+\.)+[%s]{2,})"
        % (SPACE, ALNUM, LETTER, ALNUM, ALNUM, LETTER),
        score=micro(0.40),
        sentence="A value has an e-mail address.",
        phrase="e-mail address",
        match=("bob@example.com", "to: Bob <bob.o+x@mail.example.co.uk>", "mailto:a@b.de"),
        no_match=("bob@localhost", "@alice", "a@b", "a @b.de"),
    ),
    Rule(
        id="core.network.ipv4",
        family="network",
        part=Part.ARGUMENTS,
        pattern=rb"(?:(?:^|[^%s.])|(?:^|[^%s])\.)((?:%s\.){3}%s)(?:$|[^%s.]|\.(?:$|[^%s]))"
        % (ALNUM, ALNUM, _OCTET, _OCTET, ALNUM, ALNUM),
        score=micro(0.40),
        sentence="A value has an IPv4 address.",
        phrase="IP address",
        match=(
            "10.0.0.1",
            "ping 10.0.0.1.",
            "http://255.255.255.255/",
            "(192.168.1.1)",
            "10.0.0.1:80",
            "1.2.3.4...",
        ),
        no_match=("1.2.3", "999.1.1.1", "1.2.3.4.5", "v1.2.3.4", "1.2.3.256", "1.2.3.4a", "1.2.3.4.a"),
    ),
)


def _stem(tier: str, score: float, stem: str, phrase: str, match: str, no_match: str) -> Rule:
    return Rule(
        id=f"core.docstring.{phrase}",
        family=tier,
        part=Part.DOCSTRING,
        pattern=stem_pattern(stem),
        score=micro(score),
        sentence=f"The docstring says {phrase}, which means {tier}.",
        phrase=phrase,
        match=(phrase, f"It is {match}.", f"is_{match}", f"NOT-{match.upper()}"),
        no_match=(no_match, f"un{match}"),
    )


_HIGH, _CAUTION = "high risk", "caution"

_DOCSTRING = (
    _stem(_HIGH, 0.85, "irreversib", "irreversible", "irreversibly", "reversible"),
    _stem(_HIGH, 0.85, "permanent", "permanent", "permanently", "impermanent"),
    _stem(_HIGH, 0.85, "destructive", "destructive", "destructively", "A nondestructive reproduction."),
    _stem(_HIGH, 0.85, "dangerous", "dangerous", "dangerously", "danger"),
    _stem(_HIGH, 0.85, "production", "production", "productions", "A nondestructive reproduction."),
    _stem(_HIGH, 0.85, "critical", "critical", "critically", "hypercritical"),
    _stem(_CAUTION, 0.50, "careful", "careful", "carefully", "care"),
    _stem(_CAUTION, 0.50, "warning", "warning", "warnings", "warn"),
    _stem(_CAUTION, 0.50, "caution", "caution", "cautionary", "precaution"),
)

CORE = Pack(
    name="core",
    title="Core",
    sentence="The plain tables that every score is made from; always on.",
    rules=(*_VERBS, *_CREDENTIALS, *_SQL, *_SHELL, *_NETWORK, *_DOCSTRING),
)
