"""The settings come from the environment, and say by name what is wrong there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from riskgate.config.environment import SETTINGS, Environment, table

HOME = Path(__file__).resolve().parents[2]
GOOD = {
    "DATABASE_URL": "postgresql://app:p%40ss@db.example.org:5433/gate?sslmode=require",
    "RISKGATE_BROKER_URL": "redis://broker.example.org/0",
    "RISKGATE_SECRET_KEY": "x" * 40,
    "RISKGATE_SIGNING_KEY_FILE": "/etc/riskgate/signing.jwk",
    "RISKGATE_PUBLIC_URL": "https://gate.example.org",
}


def settings(*shown: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Load the settings in a process of its own, with these variables alone, and print some of them."""
    code = "from riskgate.config import settings\n" + "".join(f"print(settings.{name})\n" for name in shown)
    environ = {"PATH": os.environ["PATH"], **environ}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=HOME, env=environ, capture_output=True, text=True, check=False
    )


def refused(name: str, method: str, value: str, *arguments: object) -> str:
    env = Environment({name: value})
    getattr(env, method)(name, *arguments)
    with pytest.raises(ImproperlyConfigured) as caught:
        env.finish()
    return str(caught.value)


def test_everything_that_is_missing_is_named_at_once() -> None:
    done = settings()
    assert done.returncode != 0
    for name in GOOD:
        assert f"{name} is not set" in done.stderr


def test_a_server_behind_https_sends_cookies_over_https_alone() -> None:
    shown = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SESSION_COOKIE_NAME", "ALLOWED_HOSTS", "DEBUG")
    done = settings(*shown, **GOOD)
    assert done.stdout.split("\n")[:5] == [
        "True",
        "True",
        "__Host-riskgate_session",
        "['gate.example.org']",
        "False",
    ], done.stderr


def test_on_this_machine_plain_http_is_enough() -> None:
    done = settings(
        "SESSION_COOKIE_SECURE", "ALLOWED_HOSTS", **GOOD | {"RISKGATE_PUBLIC_URL": "http://localhost:8000"}
    )
    assert done.stdout.split("\n")[:2] == ["False", "['localhost', '127.0.0.1', '[::1]']"], done.stderr


def test_a_database_url_is_read_as_libpq_reads_it() -> None:
    read = Environment(GOOD).database("DATABASE_URL")
    assert (read["HOST"], read["PORT"], read["NAME"]) == ("db.example.org", "5433", "gate")
    assert (read["USER"], read["PASSWORD"]) == ("app", "p@ss")
    assert read["OPTIONS"] == {"sslmode": "require"}


def test_a_database_may_be_behind_a_socket() -> None:
    environ = {"DATABASE_URL": "postgresql://riskgate@/riskgate?host=%2Fvar%2Frun%2Fgate"}
    assert Environment(environ).database("DATABASE_URL")["HOST"] == "/var/run/gate"


@pytest.mark.parametrize(
    "url", ["mysql://db/gate", "postgresql://db", "gate", "postgresql://db/gate?nonsense=1"]
)
def test_what_is_no_database_url_is_refused(url: str) -> None:
    assert "DATABASE_URL must be" in refused("DATABASE_URL", "database", url)


@pytest.mark.parametrize(
    "url",
    [
        "gate.example.org",
        "http://gate.example.org",
        "https://gate.example.org/path",
        "https://",
        "https://user@gate.example.org",
        "ftp://localhost",
        "https://gate.example.org:port",
    ],
)
def test_what_is_no_public_url_is_refused(url: str) -> None:
    assert "RISKGATE_PUBLIC_URL" in refused("RISKGATE_PUBLIC_URL", "public_url", url)


def test_a_short_secret_is_refused() -> None:
    env = Environment({"RISKGATE_SECRET_KEY": "hunter2"})
    env.text("RISKGATE_SECRET_KEY", at_least=32)
    with pytest.raises(ImproperlyConfigured, match="at least 32") as caught:
        env.finish()
    assert "hunter2" not in str(caught.value)


def test_a_flag_is_yes_or_no() -> None:
    assert Environment({"RISKGATE_DEBUG": "Yes"}).flag("RISKGATE_DEBUG")
    assert not Environment({}).flag("RISKGATE_DEBUG")
    assert "one of yes" in refused("RISKGATE_DEBUG", "flag", "perhaps")


@pytest.mark.parametrize("value", ["0", "-1", "many", "1001", "٣"])
def test_a_number_has_bounds(value: str) -> None:
    assert "from 1 to 1000" in refused("RISKGATE_DATABASE_POOL", "number", value, 1, 1000)


def test_mail_goes_to_its_server_or_to_the_log() -> None:
    read = Environment({"RISKGATE_EMAIL_URL": "smtps://u:p%2Fw@mail.example.org"}).mail("RISKGATE_EMAIL_URL")
    assert read["EMAIL_HOST_PASSWORD"] == "p/w"
    assert (read["EMAIL_PORT"], read["EMAIL_USE_SSL"], read["EMAIL_USE_TLS"]) == (465, True, False)
    assert "console" in Environment({}).mail("RISKGATE_EMAIL_URL")["EMAIL_BACKEND"]
    assert "RISKGATE_EMAIL_URL" in refused("RISKGATE_EMAIL_URL", "mail", "mail.example.org")


def test_the_readme_describes_every_setting() -> None:
    assert table() in (HOME / "README.md").read_text()


def test_no_variable_is_read_that_the_table_does_not_know() -> None:
    known = {each.name for each in SETTINGS}
    source = (HOME / "riskgate/config/settings.py").read_text()
    asked = set(re.findall(r'env\.\w+\("(\w+)"', source))
    assert asked == {each.name for each in SETTINGS if each.reader == "settings"}
    assert asked < known
