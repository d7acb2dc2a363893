"""Floors for program text that deletes trees without any shell."""

from riskgate.core.levels import Level
from riskgate.core.scoring.rules import Part, Rule

_WHERE = rb"(?:~|\.{1,2}[/\"'`]|/(?:[\"'`*]|[^\"'`*t\xff]|t[^\"'`m\xff]))"
"""The start of a path that is written out and not below a folder for temporary files."""

CODE = (
    Rule(
        id="guardrails.delete.code",
        family="guardrails.delete",
        part=Part.TEXT,
        # A variable may name anything; only what is written out can be judged.
        pattern=rb"((?:shutil\.rmtree|fs\.rmdirSync|rimraf|remove_tree|FileUtils\.rm_rf|Remove-Item -Recurse)"
        rb"[( ]\s*f?[\"'`](?:~|\.{1,2}[/\"'`]|/(?:[\"'`*]|[^\"'`*t\xff]|t[^\"'`m\xff])))",
        floor=Level.HIGH,
        sentence="The code deletes a whole tree, and that cannot be undone.",
        phrase="deletes a whole tree",
        match=("import shutil; shutil.rmtree('/srv/data')", 'shutil.rmtree("/")', "rimraf('~/x')"),
        no_match=("shutil.rmtree(workdir)", "shutil.rmtree('/tmp/x')", "shutil.copytree('/a', '/b')"),
    ),
    Rule(
        id="guardrails.delete.code-recursive",
        family="guardrails.delete",
        part=Part.TEXT,
        pattern=rb"(\.(?:rm|rmdir)(?:Sync)?\(\s*[\"'`]%s[^\xff\n)]*recursive[\"']?\s*:\s*(?:true|!0))"
        % _WHERE,
        floor=Level.HIGH,
        sentence="The code deletes a whole tree, and that cannot be undone.",
        phrase="deletes a whole tree",
        match=(
            "require('fs').rmSync('/', {recursive: true})",
            'await fs.rm("/srv", { recursive: true, force: true })',
        ),
        no_match=(
            "fs.rmSync('/tmp/x', {recursive: true})",
            "fs.rmSync(dir, {recursive: true})",
            "fs.rmSync('/srv/a.txt')",
        ),
    ),
    Rule(
        id="guardrails.delete.code-each",
        family="guardrails.delete",
        part=Part.TEXT,
        pattern=rb"(unlink[\s(]*(?:glob[\s(]*[\"'`]%s|<\s*[~/]))"
        rb"|(os\.walk\(\s*[\"']%s[^\xff]*(?:os\.(?:unlink|remove|rmdir)|rmtree)\()" % (_WHERE, _WHERE),
        floor=Level.HIGH,
        sentence="The code deletes every file below a folder, and that cannot be undone.",
        phrase="deletes every file found",
        match=(
            "perl -e 'unlink glob \"/*\"'",
            "for r,d,f in os.walk('/home'):\n  [os.unlink(os.path.join(r,x)) for x in f]",
        ),
        no_match=(
            'unlink glob "/tmp/x/*"',
            "os.walk('/home')",
            "os.walk('/tmp/x'): os.remove(y)",
            "unlink the page",
        ),
    ),
)
