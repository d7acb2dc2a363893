"""A few of the crash rounds of tests/crashes: each part of `up` is killed once under load, and at last all of it."""

import subprocess
import sys

import pytest

from tests.cli.test_up import HOME, environ

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("up")]


def test_the_books_agree_whoever_is_killed() -> None:
    """Whoever is to die in the first rounds stands in `tests.crashes.house.FIRST`."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.crashes", "--rounds", "4", "--agents", "4"],
        cwd=HOME,
        env=environ(),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "and the books agree" in done.stdout
