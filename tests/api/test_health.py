"""For monitors: is it up, is it ready, how is it going."""

from unittest.mock import patch

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from riskgate.services import housekeeping
from tests.api.conftest import Caller
from tests.people import HIGH, LOW


def test_health_asks_nobody() -> None:
    # No database is allowed in this test.
    for path in ("/healthz", "/healthz/"):
        response = Client().get(path)
        assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_ready_looks_at_database_and_migrations(nobody: Caller) -> None:
    response = nobody.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"status": "ready", "reasons": []})


def test_not_ready_says_why(nobody: Caller) -> None:
    reason = "The database does not answer: OperationalError."
    with patch.object(housekeeping, "ready", return_value=[reason]):
        response = nobody.get("/readyz")
    assert (response.status_code, response.json()["reasons"]) == (503, [reason])


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_they_are_only_read(nobody: Caller, path: str) -> None:
    assert nobody.post(path).status_code == 405
    assert nobody.client.head(path).status_code == 200


def test_the_public_keys_are_public_and_only_the_public_half(nobody: Caller) -> None:
    response = nobody.get("/.well-known/jwks.json")
    assert response.status_code == 200
    assert "max-age" in response["Cache-Control"]
    (key,) = response.json()["keys"]
    assert (key["kty"], key["crv"], key["use"]) == ("OKP", "Ed25519", "sig")
    assert "d" not in key


def test_metrics_count_requests_and_what_waits(agent: Caller, nobody: Caller) -> None:
    agent.submit(HIGH)
    agent.submit(LOW)
    agent.get("/api/v1/actions/nonsense")
    text = nobody.get("/metrics").content.decode()
    assert 'riskgate_live_actions{level="HIGH",status="pending"} 1.0' in text
    assert 'riskgate_live_actions{level="LOW",status="approved"} 1.0' in text
    assert 'riskgate_live_actions{level="CRITICAL",status="executing"} 0.0' in text
    assert "riskgate_outbox_due 1.0" in text
    assert 'riskgate_api_requests_total{method="POST",route="api/v1/actions",status="202"}' in text
    assert 'riskgate_submitted_actions_total{level="HIGH",status="pending"}' in text
    assert "nonsense" not in text, "labels are routes, not what somebody typed"


def test_metrics_cost_few_queries(nobody: Caller, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(4):
        nobody.get("/metrics")


def test_metrics_are_for_this_machine_alone(nobody: Caller) -> None:
    def ask(address: str, **headers: str) -> int:
        return nobody.client.get("/metrics", headers=headers, REMOTE_ADDR=address).status_code

    assert ask("127.0.0.1") == 200
    assert ask("::1") == 200
    assert ask("192.0.2.7") == 403
    assert ask("") == 403
    assert ask("127.0.0.1", **{"X-Forwarded-For": "192.0.2.7"}) == 403, (
        "a proxy on this machine is not this machine"
    )


def test_metrics_from_elsewhere_need_the_token(nobody: Caller, settings: Settings) -> None:
    settings.METRICS_TOKEN = "a-token-for-the-monitor"

    def ask(token: str) -> int:
        headers = {"Authorization": f"Bearer {token}"}
        return nobody.client.get("/metrics", headers=headers, REMOTE_ADDR="192.0.2.7").status_code

    assert ask("a-token-for-the-monitor") == 200
    assert ask("another") == 403
    assert ask("") == 403
