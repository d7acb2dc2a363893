"""What the README says of the code, compared with the code."""

import re
from pathlib import Path

from riskgate.config.environment import SETTINGS
from riskgate.core.lifecycle import diagram

README = (Path(__file__).parents[2] / "README.md").read_text()


def test_the_table_of_moves_is_what_the_command_prints() -> None:
    assert f"```\n{diagram()}\n```" in README


def test_every_setting_is_in_the_table_and_nothing_else() -> None:
    rows = re.findall(r"^\| `((?:RISKGATE_|DATABASE_)\w+)` \| (.*?) \| (.*) \|$", README, re.MULTILINE)
    said = {name: (default, meaning) for name, default, meaning in rows}
    real = {
        each.name: (
            "required" if each.default is None else f"`{each.default}`" if each.default else "–",
            each.meaning,
        )
        for each in SETTINGS
    }
    assert said == real


def test_every_file_that_the_readme_names_is_there() -> None:
    root = Path(__file__).parents[2]
    for name in re.findall(r"\]\(([^):#]+)\)", README):
        assert (root / name).exists(), name
