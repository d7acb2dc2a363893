"""`manage.py migrate`: alone on its database, and not on one of the future."""

import shutil
import threading
import time
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from psycopg.conninfo import make_conninfo

from riskgate.cli.embedded.schema import HOME, code, fingerprint
from riskgate.cli.management.commands.migrate import LOCK


@pytest.mark.django_db
def test_a_database_of_a_newer_version_is_left_alone() -> None:
    MigrationRecorder(connection).record_applied("storage", "9999_from_the_future")
    with pytest.raises(CommandError, match=r"newer version of riskgate.*9999_from_the_future"):
        call_command("migrate", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_what_has_to_be_migrated_is_seen_without_asking_django() -> None:
    parts = connection.get_connection_params()
    url = make_conninfo(**{name: parts[name] for name in ASKED if name in parts})
    known = code()
    before = fingerprint(url, known)
    assert fingerprint(url, code()) == before
    MigrationRecorder(connection).record_applied("storage", "9999_new")
    try:
        assert fingerprint(url, known) != before, "the database has had more"
    finally:
        MigrationRecorder(connection).record_unapplied("storage", "9999_new")
    assert fingerprint(url, known) == before


def test_whatever_can_bring_migrations_is_looked_at_before_a_start_goes_without(tmp_path: Path) -> None:
    home, packages = tmp_path / "home", tmp_path / "packages"
    shutil.copytree(HOME / "riskgate" / "storage" / "migrations", home / "riskgate/storage/migrations")
    settings = home / "riskgate/config/settings.py"
    settings.parent.mkdir(parents=True)
    shutil.copy(HOME / "riskgate/config/settings.py", settings)
    (packages / "django_allauth-1.0.dist-info").mkdir(parents=True)
    seen = [code(home, packages)]
    assert code(home, packages) == seen[0]
    (home / "riskgate/storage/migrations/9999_new.py").write_text("")
    seen.append(code(home, packages))
    settings.write_text(settings.read_text() + "INSTALLED_APPS += ('django.contrib.sites',)\n")
    seen.append(code(home, packages))
    (packages / "django_allauth-1.0.dist-info").rename(packages / "django_allauth-2.0.dist-info")
    seen.append(code(home, packages))
    assert len(set(seen)) == len(seen)


ASKED = ("host", "port", "user", "password", "dbname")


@pytest.mark.django_db(transaction=True)
def test_two_migrate_one_after_the_other() -> None:
    done = threading.Event()

    def migrate() -> None:
        try:
            call_command("migrate", verbosity=0)
            done.set()
        finally:
            connections.close_all()

    where = {name: value for name, value in connection.get_connection_params().items() if name in ASKED}
    with psycopg.connect(**where, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        thread = threading.Thread(target=migrate)
        thread.start()
        deadline = time.monotonic() + 10
        waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while other.execute(waits).fetchone() != (1,):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert not done.is_set()
        other.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    thread.join(30)
    assert done.is_set()
