"""What the README says of the code, compared with the code."""

import re
from pathlib import Path

from riskgate.core.lifecycle import diagram

README = (Path(__file__).parents[2] / "README.md").read_text()


def test_the_table_of_moves_is_what_the_command_prints() -> None:
    assert f"```\n{diagram()}\n```" in README


def test_every_file_that_the_readme_names_is_there() -> None:
    root = Path(__file__).parents[2]
    for name in re.findall(r"\]\(([^):#]+)\)", README):
        assert (root / name).exists(), name
