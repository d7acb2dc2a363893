"""Scoring alone: what a first look would say. Nothing is stored."""

from typing import Annotated, ClassVar

import msgspec
from django.http import HttpResponse
from msgspec import Meta
from rest_framework.request import Request

from riskgate.api import answers
from riskgate.api.base import Endpoint
from riskgate.api.inputs import ACTION_MUST, Args, Docstring, FunctionName, Hints, Input, Kwargs
from riskgate.api.operations import Answer, Operation, Route
from riskgate.api.problems import Problem
from riskgate.core.action import Action, pointer
from riskgate.core.scoring import PACKS
from riskgate.services import gate

PACK_NAMES = tuple(pack.name for pack in PACKS)
MANY = 1_000_000


class ScoreBody(Input, frozen=True):
    """The action, and how often this session has called the function before."""

    must: ClassVar = {
        **ACTION_MUST,
        "prior_calls": f"must be a whole number from 0 to {MANY}",
        "packs": f"must be a list of names of packs ({', '.join(PACK_NAMES)}), or null",
    }

    function_name: FunctionName
    args: Args = msgspec.field(default_factory=list)
    kwargs: Kwargs = msgspec.field(default_factory=dict)
    docstring: Docstring = None
    hints: Hints = msgspec.field(default_factory=dict)
    prior_calls: Annotated[int, Meta(ge=0, le=MANY)] = 0
    packs: Annotated[
        list[str] | None,
        Meta(description="Instead of the policy's. `core` is always on.", examples=[["core"]]),
    ] = None


class ScoreView(Endpoint):
    def post(self, request: Request) -> HttpResponse:
        body = self.body(ScoreBody)
        found = gate.score(
            principal=self.principal,
            action=Action(body.function_name, body.args, body.kwargs, body.docstring, body.hints),
            prior_calls=body.prior_calls,
            packs=_packs(body),
        )
        return answers.respond(answers.score(found))


def _packs(body: ScoreBody) -> tuple[str, ...] | None:
    for index, name in enumerate(body.packs or ()):
        if name not in PACK_NAMES:
            raise Problem(
                "invalid",
                f"There is no such pack. `packs` {ScoreBody.must['packs']}.",
                pointer=pointer("packs", index),
            )
    return tuple(body.packs) if body.packs is not None else None


ROUTES = (
    Route(
        "api/v1/score",
        ScoreView,
        (
            Operation(
                id="score",
                method="post",
                summary="Score an action",
                text="With the team's active policy, as if it were submitted. Nothing is stored and nobody is asked.",
                body=ScoreBody,
                example={
                    "function_name": "delete_user",
                    "args": ["usr_123"],
                    "kwargs": {"env": "production"},
                    "docstring": "Permanently remove a user account.",
                    "prior_calls": 0,
                },
                answers={200: Answer("The score, with its evidence.", answers.Score)},
            ),
        ),
        "Scoring",
    ),
)
