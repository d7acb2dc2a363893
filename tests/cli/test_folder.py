"""The data folder of `up`."""

import json
import os
import stat
from pathlib import Path

import pytest

import riskgate
from riskgate.cli.embedded import secrets
from riskgate.cli.embedded.folder import DataFolder, FolderError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_is_closed_to_others(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "deep" / "var")
    folder.enter()
    assert mode(folder.path) == 0o700
    assert mode(folder.sockets()) == 0o700


def test_two_cannot_use_it_at_once_but_one_after_the_other_can(tmp_path: Path) -> None:
    first, second = DataFolder(tmp_path / "var"), DataFolder(tmp_path / "var")
    first.enter()
    with pytest.raises(FolderError, match="already running"):
        second.enter()
    first.leave()
    second.enter()
    assert not second.left_in_a_hurry


def test_it_knows_that_its_last_user_was_killed(tmp_path: Path) -> None:
    killed, next_one = DataFolder(tmp_path / "var"), DataFolder(tmp_path / "var")
    killed.enter()
    os.close(killed._lock)  # what the kernel does for a killed process
    next_one.enter()
    assert next_one.left_in_a_hurry


def test_a_folder_of_a_newer_version_is_refused_and_of_an_older_one_taken(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "var")
    folder.enter()
    folder.leave()
    (folder.path / "VERSION").write_text("99.10.2\n")
    with pytest.raises(FolderError, match=r"riskgate 99\.10\.2"):
        DataFolder(folder.path).enter()
    (folder.path / "VERSION").write_text("0.0.9\n")
    DataFolder(folder.path).enter()
    assert (folder.path / "VERSION").read_text().strip() == riskgate.__version__


def test_somebody_else_s_folder_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "letter.txt").write_text("dear erin")
    with pytest.raises(FolderError, match="not riskgate's"):
        DataFolder(tmp_path).enter()
    assert mode(tmp_path) == 0o755


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match="--data"):
        DataFolder(tmp_path / "file" / "var").enter()
    with pytest.raises(FolderError, match="--data"):
        DataFolder(Path("/proc/riskgate")).enter()


@pytest.mark.parametrize("name", ["a" * 120, "with space", "per%cent?", "comma,"])
def test_sockets_stand_elsewhere_when_the_path_does_not_suit_them(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = DataFolder(tmp_path / name)
    folder.enter()
    sockets = folder.sockets()
    assert sockets.parent == tmp_path
    assert sockets == folder.sockets(), "it must be found again"
    assert mode(sockets) == 0o700
    folder.leave()
    assert not sockets.exists()


def test_a_run_time_folder_that_others_can_enter_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = DataFolder(tmp_path / "with space")
    folder.enter()
    folder.sockets().chmod(0o777)
    with pytest.raises(FolderError, match="somebody else"):
        folder.sockets()


def test_secrets_are_made_once_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    text = secrets.secret_key(tmp_path / "secret.key")
    key = secrets.signing_key(tmp_path / "signing.jwk").read_text()
    assert text == secrets.secret_key(tmp_path / "secret.key")
    assert key == secrets.signing_key(tmp_path / "signing.jwk").read_text()
    assert len(text) >= 50
    described = json.loads(key)
    assert (described["kty"], described["crv"]) == ("OKP", "Ed25519")
    assert {"d", "x", "kid"} <= described.keys()
    assert {mode(each) for each in tmp_path.iterdir()} == {0o600}
