"""Sessions: one run of one agent, in which novelty is counted."""

from typing import Annotated, ClassVar
from uuid import UUID

from django.http import HttpResponse
from msgspec import Meta
from rest_framework.request import Request

from riskgate.api import answers
from riskgate.api.base import Endpoint
from riskgate.api.inputs import NAMED, Input, Name, Nothing
from riskgate.api.operations import IDEMPOTENCY_KEY, Answer, Header, Operation, Route
from riskgate.services import sessions


class SessionBody(Input, frozen=True):
    """Your own name for the run, or none."""

    must: ClassVar = {"name": NAMED + ", or null"}

    name: Annotated[
        Name | None, Meta(description="Where you have used it before, you get that session again.")
    ] = None


class SessionsView(Endpoint):
    def post(self, request: Request) -> HttpResponse:
        body = self.body(SessionBody, optional=True)
        session = sessions.create(
            principal=self.principal, name=body.name, idempotency=self.idempotency(), now=self.now()
        )
        return answers.respond(answers.session(session), 201, {"Location": f"/api/v1/sessions/{session.id}"})


class SessionView(Endpoint):
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        self.query(Nothing)
        return answers.respond(answers.session(sessions.get(principal=self.principal, session_id=session_id)))


class CloseView(Endpoint):
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        self.body(Nothing, optional=True)
        self.idempotency()  # closing twice is the same as closing once; the header is only checked
        session = sessions.close(principal=self.principal, session_id=session_id, now=self.now())
        return answers.respond(answers.session(session))


ROUTES = (
    Route(
        "api/v1/sessions",
        SessionsView,
        (
            Operation(
                id="open_session",
                method="post",
                summary="Open a session",
                text="Not needed where you name your run when you submit: the session is then made on first use.",
                body=SessionBody,
                body_optional=True,
                example={"name": "run-2026-11-20-a"},
                headers=(IDEMPOTENCY_KEY,),
                answers={
                    201: Answer(
                        "The session.", answers.Session, (Header("Location", "Where the session is."),)
                    )
                },
                problems=("idempotency_mismatch",),
            ),
        ),
        "Sessions",
    ),
    Route(
        "api/v1/sessions/<uuid:session_id>",
        SessionView,
        (
            Operation(
                id="get_session",
                method="get",
                summary="Read a session",
                text="With the number of actions that were submitted in it.",
                answers={200: Answer("The session.", answers.Session)},
                problems=("not_found",),
            ),
        ),
        "Sessions",
    ),
    Route(
        "api/v1/sessions/<uuid:session_id>/close",
        CloseView,
        (
            Operation(
                id="close_session",
                method="post",
                summary="Close a session",
                text="Nothing more can be submitted in it; what was submitted goes on. Closing again changes nothing.",
                body=Nothing,
                body_optional=True,
                headers=(IDEMPOTENCY_KEY,),
                answers={200: Answer("The closed session.", answers.Session)},
                problems=("not_found",),
            ),
        ),
        "Sessions",
    ),
)
