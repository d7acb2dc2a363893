"""The active policy."""

from riskgate.core.policy import BALANCED
from tests.api.conftest import Caller


def test_an_agent_reads_the_policy_that_it_will_meet(agent: Caller) -> None:
    response = agent.get("/api/v1/policy")
    assert response.status_code == 200
    assert response.json() == {"version": 1, **BALANCED.as_json()}
