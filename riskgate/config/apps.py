from django.apps import AppConfig
from django.core.checks import Tags, register

from riskgate.config import checks


class RiskgateConfig(AppConfig):
    name = "riskgate.config"
    label = "config"

    def ready(self) -> None:
        register(checks.signing_key, Tags.security)
        register(checks.debug, Tags.security, deploy=True)
        register(checks.database, Tags.database)
