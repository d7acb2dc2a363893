"""An agent as it looks from the API: an address, a key, and JSON both ways."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from riskgate.api import throttles
from tests.people import World


class Caller:
    """Speaks to the API with one key, or with none."""

    def __init__(self, key: str | None) -> None:
        self.client = Client()
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.client.get(path, headers={**self.headers, **_named(headers)})

    def post(self, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str) -> HttpResponse:
        """`body` as JSON, or `raw` as it is."""
        content = raw if raw is not None else json.dumps(body).encode() if body is not None else b""
        named = {**self.headers, **_named(headers)}
        kind = named.pop("Content-Type", "application/json")
        return self.client.post(path, content, content_type=kind, headers=named)

    def submit(self, fields: dict[str, Any], **headers: str) -> dict[str, Any]:
        response = self.post("/api/v1/actions", fields, **headers)
        assert response.status_code in (201, 202), response.content
        return response.json()


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-").title(): value for name, value in headers.items()}


@pytest.fixture(autouse=True)
def full_buckets() -> Iterator[None]:
    throttles.forget()
    yield
    throttles.forget()


@pytest.fixture
def agent(world: World) -> Caller:
    return Caller(world.api_key)


@pytest.fixture
def other(world: World) -> Caller:
    """The agent of eve's team."""
    return Caller(world.other_api_key)


@pytest.fixture
def nobody(db: None) -> Caller:
    return Caller(None)
