"""Which arguments hold sentences. What a sentence mentions is not run, so command and SQL rules leave it
alone.

A name is a promise of the caller, so it counts only where the function is none that runs what it is given.
"""

from riskgate.core.scoring.matching import compiled
from riskgate.core.scoring.views import Leaf
from riskgate.core.scoring.words import word_pattern

_RUNS = compiled(
    word_pattern(
        "run", "exec", "execute", "shell", "bash", "sh", "zsh", "cmd", "command", "commands", "terminal",
        "eval", "evaluate", "script", "sql", "ssh", "powershell", "pwsh", "console", "process", "spawn",
        "subprocess", "system", "code", "python", "psql", "mysql", "sqlite", "database", "db", "invoke",
        "kubectl", "aws", "gcloud",
    )
)  # fmt: skip
_LOOKS = compiled(
    rb"^[^A-Za-z]*(?i:get|list|read|fetch|search|find|check|lookup|look|recall|web)(?:$|[^a-z])"
)
_SENTENCES = compiled(
    word_pattern(
        "message", "messages", "msg", "comment", "comments", "description", "summary", "title", "subject",
        "note", "notes", "reason", "prompt", "question", "answer", "reply", "caption", "bio", "about",
        "body", "content", "contents", "text", "html", "markdown", "thought", "memo", "headline",
        "abstract", "feedback", "review", "instructions",
        "details", "detail", "issue", "context", "email", "post", "tweet", "explanation",
        "justification",
    )
)  # fmt: skip
_SOUGHT = compiled(
    word_pattern(
        "query", "queries", "q", "search", "keyword", "keywords", "term", "terms", "pattern", "regex", "topic"
    )
)


class Prose:
    """What the folded name of a function promises; `runs` says that it runs what it is given."""

    __slots__ = ("_looks", "runs")

    def __init__(self, name: bytes) -> None:
        self.runs = _RUNS.search(name) is not None
        self._looks = _LOOKS.search(name) is not None

    def holds(self, leaf: Leaf) -> bool:
        """Whether this value is a sentence to somebody, and no text that a machine runs."""
        if self.runs or leaf.text.startswith("#!"):
            return False
        if leaf.origin is not None and self.holds(leaf.origin):
            return True
        name = _name(leaf)
        if _SENTENCES.search(name) is not None:
            return True
        return self._looks and _SOUGHT.search(name) is not None


def _name(leaf: Leaf) -> bytes:
    """The name of the member that a value stands under, the indices of lists left out."""
    node = leaf.node
    while isinstance(node[1], int) and node[0] is not None:
        node = node[0]
    return str(node[1])[:255].encode("latin-1", "replace")
