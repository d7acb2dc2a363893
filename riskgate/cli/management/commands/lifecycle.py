from typing import Any, ClassVar

from django.core.management.base import BaseCommand

from riskgate.core.lifecycle import diagram


class Command(BaseCommand):
    help = "Prints every move between the states of a call, as the README shows them."
    requires_system_checks: ClassVar[list[str]] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(diagram())
