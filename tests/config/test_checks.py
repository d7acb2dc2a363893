"""What is looked at before every command."""

from pathlib import Path

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from riskgate.config import checks


def ids(found: list[object]) -> list[str]:
    return [each.id for each in found]  # type: ignore[attr-defined]


def test_the_ground_of_the_tests_is_sound() -> None:
    assert run_checks() == []


def test_a_signing_key_that_others_can_read_is_refused(settings: Settings, tmp_path: Path) -> None:
    settings.SIGNING_KEY_FILE = tmp_path / "signing.jwk"
    assert ids(checks.signing_key(None)) == ["riskgate.E001"]
    settings.SIGNING_KEY_FILE.write_text("{}")
    settings.SIGNING_KEY_FILE.chmod(0o644)
    assert ids(checks.signing_key(None)) == ["riskgate.E002"]
    settings.SIGNING_KEY_FILE.chmod(0o600)
    assert checks.signing_key(None) == []


def test_tracebacks_for_everybody_are_refused_in_a_deployment(settings: Settings) -> None:
    assert checks.debug(None) == []
    settings.DEBUG = True
    assert ids(checks.debug(None)) == ["riskgate.E003"]


@pytest.mark.django_db
def test_the_database_is_asked_for_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.database(None, databases=["default"]) == []
    monkeypatch.setattr(checks, "OLDEST_POSTGRESQL", 990_000)
    assert ids(checks.database(None, databases=["default"])) == ["riskgate.E004"]
