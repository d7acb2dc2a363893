"""The environment as one table: every variable that riskgate reads, what it means, and what happens without
it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import SplitResult, unquote, urlsplit

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

Reader = Literal["settings", "up"]

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@dataclass(frozen=True)
class Setting:
    """`default` None means that it must be given; `up` gives those itself. `reader` is who looks at it."""

    name: str
    default: str | None
    meaning: str
    reader: Reader = "settings"


SETTINGS: tuple[Setting, ...] = (
    Setting("DATABASE_URL", None, "PostgreSQL 15 or newer, as `postgresql://user:password@host/name`"),
    Setting("RISKGATE_BROKER_URL", None, "the Celery broker: `redis://`, `redis+socket://` or `amqp://`"),
    Setting("RISKGATE_SECRET_KEY", None, "signs cookies and links; at least 32 characters"),
    Setting("RISKGATE_SIGNING_KEY_FILE", None, "file with the Ed25519 key (a private JWK) that signs grants"),
    Setting("RISKGATE_PUBLIC_URL", None, "how people and agents reach it, as `https://gate.example.org`"),
    Setting("RISKGATE_BEHIND_PROXY", "no", "`yes` behind one proxy that sets X-Forwarded-For and -Proto"),
    Setting("RISKGATE_API_KEY_RATE", "100", "requests a second of one API key in each web process"),
    Setting("RISKGATE_API_TEAM_RATE", "200", "the same for all keys of one team; bursts are four times as large"),
    Setting("RISKGATE_DATABASE_POOL", "10", "the most database connections that one process keeps"),
    Setting("RISKGATE_STATIC_ROOT", "", "folder of the collected static files; without it, unhashed ones"),
    Setting("RISKGATE_EMAIL_URL", "", "`smtps://user:password@host:port`; without it mail goes to the log"),
    Setting("RISKGATE_EMAIL_FROM", "", "the sender of mail; by default `riskgate@` the public host"),
    Setting(
        "RISKGATE_METRICS_TOKEN", "", "lets `/metrics` be read from elsewhere; by default only from here"
    ),
    Setting("RISKGATE_LOG_FORMAT", "json", "`json`, or `console` for people"),
    Setting("RISKGATE_LOG_LEVEL", "info", "`debug`, `info`, `warning` or `error`"),
    Setting("RISKGATE_DEBUG", "no", "`yes` shows tracebacks to everybody: never where others can reach it"),
    Setting("RISKGATE_DATA", "var", "the data folder of `up`, unless `--data` says another", "up"),
    Setting(
        "RISKGATE_PG_BIN", "", "folder with PostgreSQL's programs, instead of those that came along", "up"
    ),
)


class Environment:
    """Reads the table from a mapping and collects what is wrong, so that all of it is said at once."""

    def __init__(self, source: Mapping[str, str]) -> None:
        self._source = source
        self._settings = {each.name: each for each in SETTINGS}
        self._wrong: list[str] = []

    def finish(self) -> None:
        """Raises ImproperlyConfigured, naming each variable that was missing or could not be read."""
        if self._wrong:
            raise ImproperlyConfigured("\n".join(self._wrong))

    def text(self, name: str, *, at_least: int = 0) -> str:
        setting = self._settings[name]
        value = self._source.get(name, "").strip()
        if value:
            if len(value) < at_least:
                self._refuse(name, f"must have at least {at_least} characters")
            return value
        if setting.default is None:
            self._wrong.append(f"{name} is not set: {setting.meaning}.")
            return ""
        return setting.default

    def choice(self, name: str, *choices: str) -> str:
        value = self.text(name).lower()
        if value not in choices:
            self._refuse(name, f"must be one of {', '.join(choices)}")
        return value

    def flag(self, name: str) -> bool:
        return YES_NO.get(self.choice(name, *YES_NO), False)

    def number(self, name: str, low: int, high: int) -> int:
        value = self.text(name)
        if not (value.isascii() and value.isdigit() and low <= int(value) <= high):
            self._refuse(name, f"must be a whole number from {low} to {high}")
            return low
        return int(value)

    def public_url(self, name: str) -> SplitResult:
        """An origin: scheme and host, perhaps a port, and nothing behind. Plain http is for this machine
        only.
        """
        value = self.text(name)
        url, host, problem = urlsplit(""), "", ""
        try:
            url = urlsplit(value.rstrip("/"))
            host, _ = url.hostname or "", url.port
        except ValueError:
            problem = "is not a URL"
        more = url.path or url.query or url.fragment or url.username
        if url.scheme not in ("http", "https") or not host or more:
            problem = "must be a scheme and a host, as https://gate.example.org"
        elif url.scheme == "http" and host not in LOCAL_HOSTS:
            problem = "must begin with https:// unless its host is localhost"
        if problem and value:
            self._refuse(name, problem)
        return url

    def database(self, name: str) -> dict[str, Any]:
        """Django's description of the database behind a libpq URL."""
        value = self.text(name)
        if not value:
            return {}
        try:
            parts = dict(conninfo_to_dict(value))
        except psycopg.ProgrammingError:
            parts = {}
        if not value.startswith(("postgresql://", "postgres://")) or not parts.get("dbname"):
            self._refuse(name, "must be a URL as postgresql://user:password@host/name")
            return {}
        known = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
        described = {key: str(parts.pop(part, "") or "") for key, part in known.items()}
        return {"ENGINE": "django.db.backends.postgresql", **described, "OPTIONS": parts}

    def mail(self, name: str) -> dict[str, Any]:
        """The EMAIL_* settings behind an smtp URL; no URL, no server: mail is written to the log."""
        value = self.text(name)
        if not value:
            return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
        url = urlsplit(value)
        ports = {"smtp": 587, "smtps": 465}
        try:
            port = url.port or ports.get(url.scheme)
        except ValueError:
            port = None
        if port is None or not url.hostname:
            self._refuse(name, "must be a URL as smtps://user:password@host:465")
            return {}
        return {
            "EMAIL_HOST": url.hostname,
            "EMAIL_PORT": port,
            "EMAIL_HOST_USER": unquote(url.username or ""),
            "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
            "EMAIL_USE_SSL": url.scheme == "smtps",
            "EMAIL_USE_TLS": url.scheme == "smtp" and url.hostname not in LOCAL_HOSTS,
            "EMAIL_TIMEOUT": 15,
        }

    def _refuse(self, name: str, problem: str) -> None:
        self._wrong.append(f"{name} {problem}.")


def table() -> str:
    """The settings as the README shows them."""
    rows = ["| setting | default | what it is |", "|---|---|---|"]
    for each in SETTINGS:
        default = "required" if each.default is None else f"`{each.default}`" if each.default else ""
        rows.append(f"| `{each.name}` | {default} | {each.meaning} |")
    return "\n".join(rows) + "\n"
