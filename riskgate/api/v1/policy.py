"""The team's active policy, to be read."""

from django.http import HttpResponse
from rest_framework.request import Request

from riskgate.api import answers
from riskgate.api.base import Endpoint
from riskgate.api.inputs import Nothing
from riskgate.api.operations import Answer, Operation, Route
from riskgate.services import policies


class PolicyView(Endpoint):
    def get(self, request: Request) -> HttpResponse:
        self.query(Nothing)
        active, version = policies.active(team_id=self.principal.team_id)
        return answers.respond(answers.active_policy(active, version))


ROUTES = (
    Route(
        "api/v1/policy",
        PolicyView,
        (
            Operation(
                id="policy",
                method="get",
                summary="Read the active policy",
                text="Weights, thresholds, what each level takes, and the times. Every action keeps the version that "
                "it met.",
                answers={200: Answer("The active policy.", answers.Policy)},
            ),
        ),
        "Policy",
    ),
)
