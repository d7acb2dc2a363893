"""riskgate: a gate between AI agents and the world that people open."""

__version__ = "0.1.0"
