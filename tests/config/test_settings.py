"""What every answer carries, and who is let in."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

HOME = Path(__file__).resolve().parents[2]


@pytest.mark.django_db
def test_every_page_comes_with_a_strict_policy_for_the_browser(client: Client) -> None:
    headers = client.get("/accounts/login/").headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_nobody_signs_themselves_up(client: Client) -> None:
    fields = {
        "email": "mallory@example.com",
        "password1": "correct-horse-9x",
        "password2": "correct-horse-9x",
    }
    client.post("/accounts/signup/", fields)
    assert not client.session.get("_auth_user_id")
    assert not get_user_model().objects.filter(email="mallory@example.com").exists()


@pytest.mark.django_db
def test_a_request_keeps_an_id_that_it_came_with_unless_it_is_odd(client: Client) -> None:
    kept = client.get("/accounts/login/", headers={"X-Request-ID": "trace-0123456789"})
    assert kept["X-Request-ID"] == "trace-0123456789"
    odd = client.get("/accounts/login/", headers={"X-Request-ID": "a\tb {} " * 9})
    assert re.fullmatch("[0-9a-f]{32}", odd["X-Request-ID"])


def test_another_host_is_not_served(client: Client) -> None:
    assert client.get("/accounts/login/", headers={"Host": "evil.example"}).status_code == 400


def test_static_files_get_hashed_names_and_all_that_they_name_is_there(
    settings: Settings, tmp_path: Path
) -> None:
    settings.STATIC_ROOT = str(tmp_path)
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    assert (tmp_path / "staticfiles.json").exists()


def test_every_static_file_that_a_template_names_is_there() -> None:
    named = {
        name
        for template in (HOME / "templates").rglob("*.html")
        for name in re.findall(r"""{%\s*static\s+["']([^"']+)["']""", template.read_text())
    }
    assert [name for name in sorted(named) if finders.find(name) is None] == []


def test_there_is_no_admin_site() -> None:
    assert "django.contrib.admin" not in settings.INSTALLED_APPS
