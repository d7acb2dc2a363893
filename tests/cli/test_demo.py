"""`manage.py demo` and `manage.py first_admin`, against a real database."""

import json
import stat
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import transaction
from pytest_django import Settings

from riskgate.core.policy import BALANCED
from riskgate.core.roles import Role
from riskgate.services import agents, policies, teams
from riskgate.storage.models import Agent, ApiKey, AuditEvent, Team, User

pytestmark = pytest.mark.django_db


def seed(folder: Path, *arguments: str) -> dict[str, Any]:
    call_command("demo", "--data", str(folder), *arguments, stdout=StringIO())
    return json.loads((folder / "demo.json").read_text())


def first_admin() -> str:
    said = StringIO()
    call_command("first_admin", stdout=said)
    return said.getvalue()


def test_everybody_of_the_demo_can_sign_in_with_the_password_in_the_file(tmp_path: Path) -> None:
    demo = seed(tmp_path)
    assert set(demo["users"]) == {"alice", "grace", "bob", "carol", "dave", "erin", "eve"}
    for first_name, account in demo["users"].items():
        assert account.keys() == {"email", "password"}
        assert account["email"] == f"{first_name}@example.com"
        assert authenticate(None, email=account["email"], password=account["password"]) is not None
        assert authenticate(None, email=account["email"], password=account["password"] + "x") is None


def test_everybody_has_their_role_in_their_team(tmp_path: Path) -> None:
    ids = seed(tmp_path)["ids"]
    found = {
        first_name: [(member.team_name, member.role) for member in teams.memberships(user_id=UUID(user_id))]
        for first_name, user_id in ids.items()
    }
    assert found == {
        "alice": [("Payments", Role.ADMIN)],
        "grace": [("Payments", Role.ADMIN)],
        "bob": [("Payments", Role.OPERATOR)],
        "carol": [("Payments", Role.OPERATOR)],
        "dave": [("Payments", Role.AUDITOR)],
        "erin": [("Payments", Role.VIEWER)],
        "eve": [("Harbour", Role.ADMIN)],
    }


def test_the_agent_is_alice_s_and_its_key_works(tmp_path: Path) -> None:
    demo = seed(tmp_path)
    principal = agents.authenticate(token=demo["api_key"])
    assert principal is not None
    assert (principal.agent_name, principal.environment) == ("support-copilot", "production")
    assert str(Agent.objects.get().owner_id) == demo["ids"]["alice"]


def test_its_times_are_short_so_that_every_status_can_be_seen(tmp_path: Path) -> None:
    ids = seed(tmp_path)["ids"]
    (alice,) = teams.memberships(user_id=UUID(ids["alice"]))
    policy, version = policies.active(team_id=alice.team_id)
    assert (policy.timings.use_by, policy.timings.outcome, version) == (300, 60, 2)
    assert policy.weights == BALANCED.weights


def test_the_file_says_where_the_console_is_and_only_its_owner_reads_it(
    tmp_path: Path, settings: Settings
) -> None:
    assert seed(tmp_path / "new")["url"] == settings.PUBLIC_URL
    assert stat.S_IMODE((tmp_path / "new" / "demo.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_a_second_run_keeps_everything_and_takes_the_new_address(tmp_path: Path) -> None:
    first = seed(tmp_path)
    events = AuditEvent.objects.count()
    second = seed(tmp_path, "--url", "http://localhost:8123")
    assert second == {**first, "url": "http://localhost:8123"}
    assert (Team.objects.count(), User.objects.count(), AuditEvent.objects.count()) == (2, 7, events)


def test_the_passwords_of_two_demos_differ_and_are_long_enough(tmp_path: Path) -> None:
    passwords = [account["password"] for account in seed(tmp_path)["users"].values()]
    assert len(set(passwords)) == len(passwords)
    assert all(len(each) >= 12 for each in passwords)


def test_a_new_database_gets_the_passwords_that_people_have_written_down(tmp_path: Path) -> None:
    """The database was thrown away, and the file was not."""
    with transaction.atomic():
        first = seed(tmp_path)
        transaction.set_rollback(True)
    assert not User.objects.exists()
    second = seed(tmp_path)
    assert second["users"] == first["users"]
    assert second["api_key"] != first["api_key"]


def test_a_revoked_key_is_replaced_and_the_agent_stays(tmp_path: Path) -> None:
    first = seed(tmp_path)
    ApiKey.objects.update(revoked_at=datetime.now(UTC))
    second = seed(tmp_path)
    assert second["users"] == first["users"]
    assert agents.authenticate(token=first["api_key"]) is None
    assert agents.authenticate(token=second["api_key"]) is not None
    assert Agent.objects.count() == 1


def test_demo_accounts_do_not_go_among_other_people(tmp_path: Path, world: object) -> None:
    with pytest.raises(CommandError, match="not of this demo"):
        seed(tmp_path)
    assert not (tmp_path / "demo.json").exists()
    assert Team.objects.count() == 2


def test_a_damaged_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "demo.json").write_text('{"users": {"alice": ')
    with pytest.raises(CommandError, match="is damaged"):
        seed(tmp_path)
    assert (tmp_path / "demo.json").read_text() == '{"users": {"alice": '


def test_the_first_admin_is_given_a_link_that_works(settings: Settings) -> None:
    link = first_admin().split()[-1]
    before, token = link.rsplit("/", 1)
    assert before == f"{settings.PUBLIC_URL}/welcome"
    assert teams.check_first_admin_link(token=token, now=datetime.now(UTC))


def test_where_there_are_accounts_there_is_no_link(world: object) -> None:
    assert "/welcome/" not in first_admin()
    assert "sign in" in first_admin()
