"""What `up` cannot work with, it says in one sentence."""

from pathlib import Path

import pytest

from tests.cli.test_up import free_port, manage


def test_another_machine_is_let_in_only_over_https(tmp_path: Path) -> None:
    done = manage("up", "--host", "0.0.0.0", "--data", str(tmp_path / "var"))
    assert done.returncode == 1
    assert "RISKGATE_PUBLIC_URL" in done.stderr
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize("options", [("--port", "70000"), ("--host", "::1", "--port", "-1")])
def test_an_impossible_port_is_named(tmp_path: Path, options: tuple[str, ...]) -> None:
    done = manage("up", "--data", str(tmp_path / "var"), *options)
    assert done.returncode == 1
    assert done.stderr.startswith("Cannot listen on")
    assert done.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_made_is_named() -> None:
    done = manage("up", "--data", "/proc/riskgate")
    assert done.returncode == 1
    assert done.stderr.startswith("/proc/riskgate cannot be used")
    assert done.stderr.count("\n") == 1


def test_data_of_a_postgresql_that_is_not_here_is_named_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "var" / "postgres").mkdir(parents=True)
    (tmp_path / "var" / "lock").touch()
    (tmp_path / "var" / "postgres" / "PG_VERSION").write_text("99\n")
    done = manage("up", "--data", str(tmp_path / "var"), "--port", str(free_port()))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "The data is PostgreSQL 99's, which is not here: point RISKGATE_PG_BIN at its programs.\n"
    )
    assert [each.name for each in (tmp_path / "var" / "postgres").iterdir()] == ["PG_VERSION"]
