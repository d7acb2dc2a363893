"""What the web server runs: `granian --interface asgi riskgate.config.asgi:application`."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "riskgate.config.settings")

from django.conf import settings

from riskgate.config.front import Front
from riskgate.config.wsgi import application as django

_database = settings.DATABASES["default"]

application = Front(
    django,
    database=_database,
    # A request needs a connection: with more threads than connections they would wait for each other.
    threads=_database["OPTIONS"]["pool"]["max_size"],
    public_url=settings.PUBLIC_URL,
)
