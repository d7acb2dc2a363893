"""What `manage.py check` looks at, and every command before it begins: can this installation be trusted at
all?
"""

import stat
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import connections

OLDEST_POSTGRESQL = 150_000


def signing_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """The key that signs grants is a file that nobody but its owner may read."""
    path = settings.SIGNING_KEY_FILE
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError as error:
        return [Error(f"RISKGATE_SIGNING_KEY_FILE cannot be read: {error}", id="riskgate.E001")]
    if mode & 0o077:
        return [Error(f"RISKGATE_SIGNING_KEY_FILE is open to others: chmod 600 {path}", id="riskgate.E002")]
    return []


def debug(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if settings.DEBUG:
        return [Error("RISKGATE_DEBUG is on: tracebacks would be shown to everybody", id="riskgate.E003")]
    return []


def database(app_configs: Any, databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Every database that is asked about is PostgreSQL 15 or newer."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        connection.ensure_connection()
        version = connection.connection.info.server_version
        if version < OLDEST_POSTGRESQL:
            found.append(
                Error(f"PostgreSQL 15 or newer is needed, this is {version // 10_000}", id="riskgate.E004")
            )
    return found
