"""Many submissions at once: numbers, keys, sessions and policies."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.policy import Requirement
from riskgate.services import gate, grants, intake, policies, sessions
from riskgate.services.shapes import CallView, Idempotency, Submission
from riskgate.storage.models import AuditEvent, Call, FunctionCount, Session
from riskgate.storage.models.fields import uuid7
from tests.people import LOW, MEDIUM, claim, submit, utcnow
from tests.races.books import Book, must
from tests.races.ground import CALM, RACING, Ground
from tests.races.rig import Round, Story

FADING: dict[str, Any] = {"function_name": "get_config", "args": [{"api_key": "x"}], "docstring": "Reads it."}
"""MEDIUM the first time; its later calls would be LOW if nobody remembered the first."""


def new_key(path: str) -> Idempotency:
    return Idempotency(path, str(uuid7()), hashlib.sha256(b"{}").digest())


class Writers(Story):
    """The session does not exist before, so that making it is part of the race."""

    name = "sixteen-writers-of-one-session-take-sixteen-numbers"
    main = False
    actors = 16
    outcomes = frozenset({"all numbers"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[str]:
        return [f"run-{uuid7()}" for _ in range(rounds)]

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> CallView:
        turn.wait(actor)
        return submit(ground.world, LOW, session=turn.case)

    def calls(self, turn: Round) -> Sequence[UUID]:
        return [call.id for call in turn.answers]

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(sorted(call.prior_calls for call in turn.answers) == list(range(self.actors)), "a number each")
        must(
            sorted(book.call.prior_calls for book in books) == list(range(self.actors)), "stored as answered"
        )
        session = Session.objects.get(name=turn.case)
        must({call.session_id for call in turn.answers} == {session.id}, "one session")
        must(FunctionCount.objects.get(session=session).calls == self.actors, "and all are counted")
        opened = AuditEvent.objects.filter(session_id=session.id, kind=Event.SESSION_OPENED)
        must(opened.count() == 1, "the session was opened once")
        return "all numbers"


class RatchetedWriters(Writers):
    """What one of them must not do, the next must not do by asking again, even at the same moment."""

    name = "of-writers-at-once-each-knows-the-calls-before-it"
    main = False
    actors = 4
    outcomes = frozenset({"all knew"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[str]:
        """Sessions that are there already: writers would wait for each other while one is being made."""
        names = super().prepare(ground, rounds)
        for name in names:
            sessions.create(principal=ground.world.agent, name=name, idempotency=None, now=utcnow())
        return names

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> CallView:
        turn.wait(actor)
        return submit(ground.world, FADING, session=turn.case)

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        super().outcome(turn, books)
        must(
            {call.level for call in turn.answers} == {Level.MEDIUM}, "no later call is easier than the first"
        )
        must(any(call.score_level is Level.LOW for call in turn.answers), "though the later ones score less")
        return "all knew"


class OneKeySubmit(Story):
    name = "one-key-at-once-is-one-submission"
    actors = 3
    outcomes = frozenset(f"actor {actor}" for actor in range(3))

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Idempotency]:
        return [new_key("/api/v1/actions/batch") for _ in range(rounds)]

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        many = 1 + turn.place.round % 3  # a single one and batches in turn
        return gate.submit_batch(
            principal=ground.world.agent,
            submissions=[Submission(**LOW)] * many,
            idempotency=turn.case,
            now=utcnow(),
        )

    def calls(self, turn: Round) -> Sequence[UUID]:
        return [call.id for call in turn.answers[0][0]]

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(
            len({tuple(call.id for call in calls) for calls, _ in turn.answers}) == 1,
            "everybody has the same",
        )
        first = [actor for actor, (_, replayed) in enumerate(turn.answers) if not replayed]
        must(len(first) == 1, f"{len(first)} were the first")
        made = turn.answers[first[0]][0][0].created_at
        must(Call.objects.filter(created_at=made).count() == len(books), "nothing else was stored")
        return f"actor {first[0]}"


class OneKeyClaim(Story):
    name = "one-key-at-once-is-one-grant-for-everybody"
    main = False
    actors = 3
    outcomes = frozenset({"the same grant"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(LOW, rounds, level=Level.LOW)
        return [(call, new_key(f"/api/v1/actions/{call.id}/claim")) for call in calls]

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        call, key = turn.case
        turn.wait(actor)
        return grants.claim(
            principal=ground.world.agent,
            call_id=call.id,
            action_digest=call.action_digest,
            idempotency=key,
            now=utcnow(),
        )

    def calls(self, turn: Round) -> Sequence[UUID]:
        return [turn.case[0].id]

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(not turn.refusals, "nobody is refused")
        must(len({grant.token for grant in turn.answers}) == 1, "everybody has the same grant")
        return "the same grant"


class OneKeyOutcome(Story):
    name = "one-key-at-once-is-one-report"
    main = False
    outcomes = frozenset({"succeeded"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(LOW, rounds, level=Level.LOW)
        for call in calls:
            claim(ground.world, call)
        return [(call, new_key(f"/api/v1/actions/{call.id}/outcome")) for call in calls]

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        call, key = turn.case
        turn.wait(actor)
        return gate.report_outcome(
            principal=ground.world.agent,
            call_id=call.id,
            succeeded=True,
            output=None,
            error=None,
            idempotency=key,
            now=utcnow(),
        )

    def calls(self, turn: Round) -> Sequence[UUID]:
        return [turn.case[0].id]

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must({each.status for each in turn.answers} == {"succeeded"}, "everybody is answered the same")
        return books[0].status


class CloseOrSubmit(Story):
    name = "a-session-is-closed-while-calls-come-in"
    main = False
    actors = 3
    outcomes = frozenset({"some came in", "none came in"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[UUID]:
        agent = ground.world.agent
        return [
            sessions.create(principal=agent, name=None, idempotency=None, now=utcnow()).id
            for _ in range(rounds)
        ]

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        if actor > 0:
            turn.wait(actor)
            try:
                call = submit(ground.world, LOW, session=str(turn.case))
            except intake.SessionClosed:
                self.pace.later()
                raise
            self.pace.sooner()
            return call
        self.pace.wait(turn.rng)
        sessions.close(principal=ground.world.agent, session_id=turn.case, now=utcnow())
        return Call.objects.filter(session_id=turn.case).count()

    def calls(self, turn: Round) -> Sequence[UUID]:
        return [answer.id for answer in turn.answers[1:] if isinstance(answer, CallView)]

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must({type(each) for each in turn.refusals} <= {intake.SessionClosed}, "who is late is told so")
        taken = Call.objects.filter(session_id=turn.case).count()
        must(taken == len(books), "what was refused is not stored")
        must(taken == turn.answers[0], "nothing comes in after the session is closed")
        counted = sum(FunctionCount.objects.filter(session_id=turn.case).values_list("calls", flat=True))
        must(counted == taken, "what was refused is not counted")
        return "some came in" if taken else "none came in"


class PublishOrSubmit(Story):
    """The policy changes what MEDIUM takes, to and fro, at the moment when a call comes in."""

    name = "a-call-keeps-the-policy-that-it-was-scored-with"
    main = False
    outcomes = frozenset({"before", "after"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[int]:
        """The version that is active when the round begins: each round publishes one."""
        first = policies.publish(member=ground.world.alice, policy=RACING, reason="Again.", now=utcnow())
        return range(first, first + rounds)

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        if actor == 0:
            self.pace.wait(turn.rng)
            call = submit(ground.world, MEDIUM, session=None)
            (self.pace.later if call.policy_version == turn.case else self.pace.sooner)()
            return call
        policy = (CALM, RACING)[turn.place.round % 2]
        return policies.publish(member=ground.world.alice, policy=policy, reason="To and fro.", now=utcnow())

    def calls(self, turn: Round) -> Sequence[UUID]:
        return [turn.answers[0].id]

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        call, number = turn.answers
        row = books[0].call
        must(number == turn.case + 1, "one version follows the other")
        must(call.policy_version in (number, number - 1), f"version {call.policy_version} around {number}")
        must(row.policy.number == call.policy_version, "the stored version is the answered one")
        asked = row.policy.document["requirements"]["MEDIUM"]
        must(row.requirement == asked == call.requirement.as_json(), "it asks for what its version asks for")
        must(Requirement.from_json(asked) in (CALM.requirements[Level.MEDIUM], RACING.requirements[Level.MEDIUM]),
             "one of the two")  # fmt: skip
        return "after" if call.policy_version == number else "before"


STORIES = (
    Writers(), RatchetedWriters(), OneKeySubmit(), OneKeyClaim(), OneKeyOutcome(), CloseOrSubmit(), PublishOrSubmit(),
)  # fmt: skip
