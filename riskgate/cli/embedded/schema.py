"""Whether the database has to be migrated, found out in milliseconds: Django needs more than a second to say no."""

import hashlib
from pathlib import Path

import psycopg

HOME = Path(__file__).resolve().parents[3]
APPLIED = "SELECT string_agg(app || '.' || name, ' ' ORDER BY app, name) FROM django_migrations"


def fingerprint(url: str, home: Path = HOME) -> str:
    """Of the migrations that the code brings along together with those that the database has had.

    As long as it is what it was after the last migration, there is nothing to do.
    """
    known = hashlib.sha256()
    for each in (home / "requirements.lock", *sorted((home / "riskgate/storage/migrations").glob("*.py"))):
        known.update(f"{each.name} {hashlib.sha256(each.read_bytes()).hexdigest()}\n".encode())
    try:
        with psycopg.connect(url) as connection:
            applied = connection.execute(APPLIED).fetchone()
    except psycopg.errors.UndefinedTable:
        applied = None
    known.update(str(applied).encode())
    return known.hexdigest()
