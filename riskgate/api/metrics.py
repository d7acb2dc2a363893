"""What Prometheus reads: how requests went in this process, and what waits in the database."""

import hmac
import ipaddress
import os

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from riskgate.api.problems import Problem
from riskgate.core.levels import Level
from riskgate.services.queries import counts

REQUESTS = Counter(
    "riskgate_api_requests", "API requests, by route and status.", ("method", "route", "status")
)
SUBMITTED = Counter(
    "riskgate_submitted_actions", "Submitted actions, by level and first status.", ("level", "status")
)

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
"""Who comes with one of these came through a proxy, and is not on this machine because the proxy is."""


def count(request: HttpRequest, response: HttpResponse) -> None:
    match = request.resolver_match
    route = match.route.rstrip("/") if match else ""
    method = request.method if request.method in ("GET", "HEAD", "POST") else "other"
    REQUESTS.labels(method, route, str(response.status_code)).inc()


def count_submission(level: str, status: str) -> None:
    SUBMITTED.labels(level, status).inc()


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not _may_read(request):
        return Problem(
            "forbidden",
            "Metrics are for this machine, or for who sends `Authorization: Bearer` with RISKGATE_METRICS_TOKEN.",
        ).response()
    text = _of_process() + generate_latest(_of_database())
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def _may_read(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if settings.METRICS_TOKEN and scheme.lower() == "bearer":
        return hmac.compare_digest(token.strip().encode(), settings.METRICS_TOKEN.encode())
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _of_process() -> bytes:
    """The counters of this process, or of all together where they keep them in one folder."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    together = CollectorRegistry()
    MultiProcessCollector(together)
    return generate_latest(together)


def _of_database() -> CollectorRegistry:
    found = counts.live()
    registry = CollectorRegistry()
    calls = Gauge(
        "riskgate_live_actions", "Actions not yet at their end.", ("status", "level"), registry=registry
    )
    for status, level, number in found.calls:
        calls.labels(status.value, Level(level).name).set(number)
    Gauge("riskgate_outbox_due", "Messages not yet delivered.", registry=registry).set(found.outbox)
    return registry
