"""The agent takes its grant while others act on the same approved call."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection, transaction

from riskgate.core.errors import RiskgateError
from riskgate.core.levels import Level
from riskgate.services import agents, approvals, gate, grants, rows, transitions, withdrawals
from riskgate.services.shapes import CallView
from riskgate.storage.models import Call, Team
from tests.people import LOW, MEDIUM, answer, claim, utcnow
from tests.races.books import Book, must
from tests.races.ground import Ground
from tests.races.rig import Round, Story


def one_refused(turn: Round, kind: type[RiskgateError] = transitions.WrongState) -> None:
    """All but one got what they wanted, and the one was told why not."""
    must([type(each) for each in turn.refusals] == [kind], f"one is refused with {kind.__name__}")


class Claiming(Story):
    """Approved calls, one a round."""

    def prepare(self, ground: Ground, rounds: int) -> Sequence[CallView]:
        return ground.submit(LOW, rounds, level=Level.LOW)


class ManyClaims(Claiming):
    name = "of-many-claims-one-wins"
    actors = 3
    outcomes = frozenset(f"claimer {actor}" for actor in range(3))

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        return claim(ground.world, turn.case)

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must([type(each) for each in turn.refusals] == [transitions.WrongState] * 2, "all others are refused")
        return (
            f"claimer {next(n for n, each in enumerate(turn.answers) if not isinstance(each, RiskgateError))}"
        )


class ClaimOrRevoke(Claiming):
    name = "a-call-is-claimed-or-revoked"
    outcomes = frozenset({"executing", "revoked"})

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        if actor == 0:
            return claim(ground.world, turn.case)
        return approvals.revoke(member=ground.world.carol, call_id=turn.case.id)

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        one_refused(turn)
        return books[0].status


class ClaimOrCancel(Claiming):
    name = "a-call-is-claimed-or-cancelled"
    main = False
    outcomes = frozenset({"executing", "cancelled"})

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        if actor == 0:
            return claim(ground.world, turn.case)
        return gate.cancel(principal=ground.world.agent, call_id=turn.case.id, idempotency=None, now=utcnow())

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        one_refused(turn)
        return books[0].status


class TwoCancel(Claiming):
    name = "the-agent-and-its-owner-withdraw-once"
    main = False
    outcomes = frozenset({"support-copilot", "Alice Lindqvist"})

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        if actor == 0:
            return gate.cancel(
                principal=ground.world.agent, call_id=turn.case.id, idempotency=None, now=utcnow()
            )
        return withdrawals.withdraw(member=ground.world.alice, call_id=turn.case.id)

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        one_refused(turn)
        must(books[0].status == "cancelled", "it is cancelled")
        return books[0].events[-1].actor


class ClaimOrPause(Claiming):
    name = "a-call-is-claimed-or-its-agent-paused"
    outcomes = frozenset({"executing", "paused"})

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        world = ground.world
        try:
            if actor == 0:
                self.pace.wait(turn.rng)
                grant = claim(world, turn.case)
                self.pace.later()
                return grant
            agents.pause(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
            return rows.clock()
        except grants.Paused:
            self.pace.sooner()
            raise
        finally:
            meet()
            if actor == 1:
                agents.resume(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        if turn.refusals:
            must(isinstance(turn.answers[0], grants.Paused), "the claim hears of the pause")
            must(books[0].status == "approved", "the call waits for the end of the pause")
            return "paused"
        must(books[0].events[-1].at < turn.answers[1], "nothing is claimed after the pause")
        return "executing"


def agents_turn(turn: Round) -> bool:
    """In every other round it is the agent that is paused, else the whole team."""
    return turn.place.round % 2 == 0


class WaitsThroughPause(Story):
    """Alice pauses the agent, or the team, while somebody already waits for the call's row."""

    outcomes = frozenset({"agent paused", "team paused"})

    def wanted(self, ground: Ground, case: Any) -> Any:
        raise NotImplementedError

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        if actor == 0:
            meet()
            try:
                return self.wanted(ground, turn.case)
            finally:
                meet()
        world = ground.world
        with transaction.atomic():
            Call.objects.select_for_update().get(id=turn.case[0].id)
            meet()
            wait_for_a_waiter()
            if agents_turn(turn):
                agents.pause(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
            else:
                Team.objects.filter(id=world.agent.team_id).update(paused_at=utcnow())
        meet()
        agents.resume(member=world.alice, agent_id=world.agent.agent_id, now=utcnow())
        Team.objects.filter(id=world.agent.team_id).update(paused_at=None)
        return None

    def calls(self, turn: Round) -> Sequence[Any]:
        return [turn.case[0].id]


class ClaimWaitsThroughPause(WaitsThroughPause):
    name = "a-claim-that-waited-while-alice-paused-is-refused"

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        return [(call,) for call in ground.submit(LOW, rounds, level=Level.LOW)]

    def wanted(self, ground: Ground, case: Any) -> Any:
        return claim(ground.world, case[0])

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(isinstance(turn.answers[0], grants.Paused), "the claim hears of the pause")
        return "agent paused" if agents_turn(turn) else "team paused"


class VoteWaitsThroughPause(WaitsThroughPause):
    name = "an-approval-that-waited-while-alice-paused-is-refused"
    main = False

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(MEDIUM, rounds, level=Level.MEDIUM)
        return list(zip(calls, ground.serve(ground.world.bob, calls), strict=True))

    def wanted(self, ground: Ground, case: Any) -> Any:
        call, attempt = case
        return answer(ground.world.bob, call, attempt, [])

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(isinstance(turn.answers[0], rows.NotAllowed), "the approval hears of the pause")
        must(books[0].status == "pending", "the call still waits")
        return "agent paused" if agents_turn(turn) else "team paused"


def wait_for_a_waiter() -> None:
    """Until somebody waits for a lock; not for ever, as the story holds whether or not."""
    for _ in range(2000):
        with connection.cursor() as cursor:
            cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            if cursor.fetchone()[0]:
                return


class TwoOutcomes(Story):
    name = "an-outcome-is-reported-once"
    main = False
    outcomes = frozenset({"succeeded", "failed"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[CallView]:
        calls = ground.submit(LOW, rounds, level=Level.LOW)
        for call in calls:
            claim(ground.world, call)
        return calls

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        return gate.report_outcome(
            principal=ground.world.agent,
            call_id=turn.case.id,
            succeeded=actor == 0,
            output="done" if actor == 0 else None,
            error=None if actor == 0 else "it broke",
            idempotency=None,
            now=utcnow(),
        )

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        one_refused(turn)
        row = books[0].call
        expected = ("done", None) if row.status == "succeeded" else (None, "it broke")
        must((row.output, row.error) == expected, "output and error are those of the report that counted")
        return books[0].status


STORIES = (
    ManyClaims(), ClaimOrRevoke(), ClaimOrCancel(), TwoCancel(), ClaimOrPause(), ClaimWaitsThroughPause(),
    VoteWaitsThroughPause(), TwoOutcomes(),
)  # fmt: skip
