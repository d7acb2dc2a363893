"""Django's `migrate`, one at a time on a database, and never on one that a newer riskgate has moved on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

LOCK = 0x7269736B  # any number will do that nobody else takes in this database


@contextmanager
def _alone(connection: BaseDatabaseWrapper) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        with _alone(connection):
            loader = MigrationLoader(connection)
            applied = sorted(name for app, name in loader.applied_migrations if app == "storage")
            unknown = [name for name in applied if ("storage", name) not in loader.disk_migrations]
            if unknown:
                raise CommandError(
                    f"This database belongs to a newer version of riskgate (it knows {unknown[-1]}): "
                    "run that version, or restore a backup from before it."
                )
            super().handle(*args, **options)
            call_command("createcachetable", database=options["database"], verbosity=0)
