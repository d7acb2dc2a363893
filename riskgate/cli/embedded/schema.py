"""Whether the database has to be migrated, found out in milliseconds: Django needs more than a second to say no."""

import hashlib
import sysconfig
from pathlib import Path

import psycopg

HOME = Path(__file__).resolve().parents[3]
APPLIED = "SELECT string_agg(app || '.' || name, ' ' ORDER BY app, name) FROM django_migrations"


def code(home: Path = HOME, packages: Path | None = None) -> str:
    """A hash of all that brings migrations along: riskgate's own files, its settings, and what is installed beside it.

    `requirements.lock` says what should be installed; a start between two steps of an upgrade finds something else.
    """
    known = hashlib.sha256()
    own = (home / "riskgate/config/settings.py", *sorted((home / "riskgate/storage/migrations").glob("*.py")))
    for each in own:
        known.update(f"{each.name} {hashlib.sha256(each.read_bytes()).hexdigest()}\n".encode())
    where = packages or Path(sysconfig.get_path("purelib"))
    known.update(" ".join(sorted(each.name for each in where.glob("*.dist-info"))).encode())
    return known.hexdigest()


def fingerprint(url: str, code: str) -> str:
    """Of the `code` together with the migrations that the database has had.

    As long as it is what it was after the last migration, there is nothing to do.
    """
    try:
        with psycopg.connect(url) as connection:
            applied = connection.execute(APPLIED).fetchone()
    except psycopg.errors.UndefinedTable:
        applied = None
    return hashlib.sha256(f"{code} {applied}".encode()).hexdigest()
