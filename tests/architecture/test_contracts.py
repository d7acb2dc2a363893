"""The plan of the house, read by machines: imports go down, types are strict, the style is one."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import riskgate

HOME = Path(riskgate.__file__).parents[1]


def run(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "120"},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_imports_go_down_and_doors_do_not_know_each_other() -> None:
    run("-c", "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])")


def test_the_style_is_one() -> None:
    run("-m", "ruff", "check", ".")


@pytest.mark.slow
def test_the_types_of_core_and_services_are_strict() -> None:
    run("-m", "mypy")


def test_the_version_stands_in_two_places_and_is_one() -> None:
    with (HOME / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["version"] == riskgate.__version__


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_holds_hashes_and_no_addresses(name: str) -> None:
    text = (HOME / name).read_text()
    pins = [line for line in text.splitlines() if line[:1] not in ("", " ", "#")]
    assert pins
    assert all("==" in line for line in pins)
    assert text.count("--hash=sha256:") >= len(pins)
    assert "://" not in text
    assert not any(word in text for word in ("--index", "--extra-index", "--find-links", "--trusted"))


def test_the_tests_lock_holds_everything_that_the_other_holds() -> None:
    def pins(name: str) -> set[str]:
        return {line.split(" \\")[0] for line in (HOME / name).read_text().splitlines() if "==" in line}

    assert pins("requirements.lock") < pins("requirements-dev.lock")
