"""Logs as structlog events, one line each, with the request's id on every line that a request caused."""

import re
import time
from collections.abc import Callable
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from uuid_utils import uuid7

SLOW = 1.0  # seconds; a long-poll or a stream never comes this way
GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

PROBES = ("/healthz", "/readyz")  # asked all day long

_shared: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def _for_people(_: Any, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """The time of day, and nothing that only a machine would look at."""
    kept = {name: value for name, value in event.items() if name not in ("logger", "request_id")}
    return {**kept, "timestamp": kept["timestamp"][11:19]}


def configuration(style: str, level: str) -> dict[str, Any]:
    """Django's LOGGING for `json` or `console`; sets structlog up as well, so that both end in the same
    handler.
    """
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    render: list[structlog.typing.Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if style == "json":
        render += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        # A plain traceback: the fuller kinds show the values of variables, secrets among them.
        plain = structlog.dev.plain_traceback
        console = structlog.dev.ConsoleRenderer(
            colors=False, pad_event_to=0, pad_level=False, exception_formatter=plain
        )
        render += [_for_people, console]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": render,
                "foreign_pre_chain": _shared,
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level.upper()},
        "loggers": {
            "django": {"handlers": [], "level": level.upper(), "propagate": True},
            "django.server": {"handlers": [], "level": level.upper(), "propagate": True},
            # RequestLog tells of refused requests, with more.
            "django.request": {"level": "ERROR"},
            # Each ring of the clock would be three lines.
            "celery.app.trace": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "httpx": {"level": "WARNING"},
        },
    }


class RequestLog:
    """Gives each request an id, answers with it, and writes a line for requests that failed or were slow."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.log = structlog.stdlib.get_logger("riskgate.request")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if GIVEN_ID.fullmatch(given) else uuid7().hex
        began = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
            took = time.perf_counter() - began
            notable = response.status_code >= 400 or took > SLOW
            told = self.log.info if notable and request.path not in PROBES else self.log.debug
            told(f"{request.method} {request.path}", status=response.status_code, ms=round(took * 1000))
        response.headers["X-Request-ID"] = request_id
        return response
