"""The resources, in the order in which the docs tell of them. A new one is one more line."""

from riskgate.api import health
from riskgate.api.operations import Route
from riskgate.api.v1 import actions, batch, claims, policy, score, sessions

ROUTES: tuple[Route, ...] = (
    *actions.ROUTES,
    *batch.ROUTES,
    *claims.ROUTES,
    *score.ROUTES,
    *sessions.ROUTES,
    *policy.ROUTES,
    *health.ROUTES,
)
