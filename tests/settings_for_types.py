"""The settings as the type checker loads them, without a server behind them."""

import os

os.environ.update(
    DATABASE_URL="postgresql://nobody@localhost/nothing",
    RISKGATE_BROKER_URL="redis://localhost",
    RISKGATE_SECRET_KEY="only for reading types, never for signing",
    RISKGATE_SIGNING_KEY_FILE="/nowhere",
    RISKGATE_PUBLIC_URL="http://localhost:8000",
)

from riskgate.config.settings import *  # noqa: F403
