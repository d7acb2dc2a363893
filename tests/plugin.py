"""The ground under the tests: a throw-away PostgreSQL and a throw-away broker, unless others are named.

It has to stand before Django's settings are read. The first process of a run starts the servers; the workers
that it starts find them in their environment, and each makes a database of its own in them.
"""

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

from riskgate.cli.embedded import postgres, secrets
from tests import brokers

PREPARED = "RISKGATE_TESTS_PREPARED"
KEPT = ("RISKGATE_PG_BIN", brokers.CHOSEN)  # which PostgreSQL, and which kind of broker, carry the tests


def prepare() -> ExitStack:
    """Put everything that the settings need into the environment. Close what it returns at the end of the
    run.
    """
    ground = ExitStack()
    if PREPARED in os.environ:
        return ground
    given = {
        name: os.environ[name] for name in ("DATABASE_URL", "RISKGATE_BROKER_URL") if os.environ.get(name)
    }
    for name in [name for name in os.environ if name.startswith("RISKGATE_") and name not in KEPT]:
        del os.environ[name]
    folder = Path(ground.enter_context(tempfile.TemporaryDirectory(prefix="riskgate-tests-")))
    os.environ.update(
        {
            "DJANGO_SETTINGS_MODULE": "riskgate.config.settings",
            # Playwright's synchronous interface runs inside an event loop; Django would take that for async
            # code.
            "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
            "DATABASE_URL": given.get("DATABASE_URL") or ground.enter_context(postgres.throwaway()),
            "RISKGATE_BROKER_URL": given.get("RISKGATE_BROKER_URL")
            or ground.enter_context(brokers.running()).url,
            "RISKGATE_SECRET_KEY": secrets.secret_key(folder / "secret.key"),
            "RISKGATE_SIGNING_KEY_FILE": str(secrets.signing_key(folder / "signing.jwk")),
            "RISKGATE_PUBLIC_URL": "http://localhost:8000",
            # Races have up to sixteen writers, each with a connection of its own.
            "RISKGATE_DATABASE_POOL": "24",
            "RISKGATE_LOG_FORMAT": "console",
            PREPARED: "yes",
        }
    )
    return ground
