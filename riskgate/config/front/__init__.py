"""The one port: Django's requests in threads; waiting agents and open consoles as coroutines beside them."""

from riskgate.config.front.application import Front
from riskgate.config.front.limits import Limits

__all__ = ["Front", "Limits"]
