"""Every address of this door. A slash at the end is never required."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, path, re_path

from riskgate.api import docs, health, metrics
from riskgate.api.base import NoSuchAddress
from riskgate.api.resources import ROUTES


def both(route: str, view: Callable[..., Any], name: str) -> tuple[URLPattern, URLPattern]:
    """The address with and without a slash at its end; `name` gives the one without."""
    return path(route, view, name=name), path(f"{route}/", view)


urlpatterns = [
    pattern
    for pair in (
        *(both(route.path, route.view.as_view(), f"api-{route.operations[0].id}") for route in ROUTES),
        both("api/v1/schema", docs.SchemaView.as_view(), "api-schema"),
        both("api/docs", docs.page, "api-docs"),
        both("api/docs/problems", docs.problems_page, "api-problems"),
        both("healthz", health.healthz, "healthz"),
        both("readyz", health.readyz, "readyz"),
        both("metrics", metrics.metrics, "metrics"),
    )
    for pattern in pair
] + [re_path(r"^api(?:/|$)", NoSuchAddress.as_view())]
