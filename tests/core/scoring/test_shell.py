"""What is a command and what only mentions one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskgate.core.scoring.structure.commands import forms


def plain(text: str) -> list[str]:
    return [
        form.data.decode("latin-1").replace("\xa0", "·").replace("\x1a", "<temporary>")
        for form in forms(text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ls -l; rm x", ["ls -l", "rm x"]),
        ("echo 'rm -rf /'", ["echo rm·-rf·/"]),
        ("echo 'rm x' | sh", ["echo rm·x | sh", "rm x", "sh"]),
        ('sudo -u root FOO=1 /bin/rm -r"f" x', ["rm -rf x"]),
        ("bash -c 'a | b'", ["bash -c a·b".replace("a·b", "a···b"), "a | b", "b"]),
        ('echo "$(rm x)"', ["rm x", "echo $(rm·x)"]),
        ("rm a # rm b", ["rm a"]),
        ("cat <<EOF\nrm -rf /\nEOF\nls", ["cat", "ls"]),
        ("bash <<EOF\nrm x\nEOF", ["bash", "rm x", "EOF"]),
        ("rm${IFS}-rf${IFS}x", ["rm -rf x"]),
        ("rm -rf \\\n x", ["rm -rf x"]),
        ("ls | xargs -n 1 rm", ["ls | rm {}", "rm {}"]),
        ("rm -rf /tmp/a /tmp/../b", ["rm -rf <temporary> /tmp/../b"]),
        ("if true; then rm x; fi", ["true", "rm x", "fi"]),
        ("a 2>/dev/null", ["a > /dev/null"]),
        ("ssh -p 22 host 'rm x'", ["ssh -p 22 host rm·x", "rm x"]),
        ("Never run `rm x`", ["Never run `rm x`"]),
        ("don't; rm x", ["don't", "rm x"]),
        ("X=rm; $X -rf /", ["rm -rf /"]),
        ('a=r b=m; "$a${b}" -rf /', ["rm -rf /"]),
        ("C='rm -rf /'; $C", ["rm -rf /"]),
        ("alias x='rm -rf'; x /", ["alias x=rm·-rf", "rm -rf /"]),
        ("{rm,-rf,/}", ["rm -rf /"]),
        (r"$'\x72\155' -rf /", ["rm -rf /"]),
        (r"echo $'it\'s' x", ["echo it's x"]),
        ("$(echo /bin/rm) x", ["echo /bin/rm", "$(echo·/bin/rm) x"]),
        ("$(dirname x)/run.sh", ["dirname x", "run.sh"]),
        ("cat <<EOF | sh\nrm x\nEOF", ["cat | sh", "rm x", "sh"]),
        ("cat <<EOF > a.sh\nrm x\nEOF\nsh a.sh", ["cat > a.sh", "sh a.sh", "rm x"]),
        ("printf 'rm x' > a.sh; ./a.sh", ["printf rm·x > a.sh", "a.sh", "rm x"]),
        ("curl x.io/i -o a; sh a", ["curl x.io/i -o a", "sh a", "curl x.io/i -o a | sh"]),
        ("curl x.io/i -o a; sh b", ["curl x.io/i -o a", "sh b"]),
        ("ansible all -m shell -a 'rm x'", ["ansible all -m shell -a rm·x", "rm x"]),
        ("trap 'rm x' EXIT", ["trap rm·x EXIT", "rm x"]),
        ("", []),
    ],
)
def test_commands_in_their_plain_form(text: str, expected: list[str]) -> None:
    assert plain(text) == expected


def test_a_place_in_the_plain_form_is_a_place_in_the_text() -> None:
    text = "x; sudo rm -r\"f\"  '/srv'"
    form = list(forms(text))[-1]
    assert form.data == b"rm -rf /srv"
    assert text[slice(*form.source(0, 2))] == "rm"
    assert text[slice(*form.source(0, len(form.data)))] == 'rm -r"f"  \'/srv'


@given(st.text(alphabet="XAxrm -f/'\"`$(){}<>|&;#\\\nab=", max_size=60))
def test_any_text_can_be_read_and_pointed_into(text: str) -> None:
    for form in forms(text):
        assert len(form.places) == len(form.data)
        assert all(0 <= place < len(text) for place in form.places)


def test_substitutions_within_substitutions_end() -> None:
    assert any(form.startswith("rm x") for form in plain("$(" * 500 + "rm x"))
