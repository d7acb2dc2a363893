"""`manage.py first_admin`: the one-time link that makes the very first admin."""

from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from riskgate.services import teams


class Command(BaseCommand):
    help = "Prints a one-time link that makes the first admin; a link that was printed before stops working."

    def handle(self, *args: Any, **options: Any) -> None:
        token = teams.first_admin_link(now=datetime.now(UTC))
        if token is None:
            self.stdout.write(f"There are accounts already: sign in at {settings.PUBLIC_URL}/")
        else:
            self.stdout.write("This link makes the first admin. It works once, for a day:")
            self.stdout.write(f"{settings.PUBLIC_URL}/welcome/{token}")
