"""The sweeper comes at the moment when somebody still acts on a call whose time ends."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.services import gate, housekeeping, rows, transitions
from riskgate.storage.models import Call
from tests.people import LOW, MEDIUM, answer, claim, utcnow
from tests.races.books import Book, must
from tests.races.ground import Ground
from tests.races.rig import Round, Story


class Sweeping(Story):
    """The time of a call ends while actor 0 does what it wants; actor 1 is the sweeper, who comes at that moment."""

    deadline: str

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        return [(call,) for call in ground.submit(LOW, rounds, level=Level.LOW)]

    def calls(self, turn: Round) -> Sequence[UUID]:
        return [turn.case[0].id]

    def wanted(self, ground: Ground, turn: Round) -> Any:
        raise NotImplementedError

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        if actor == 0:
            meet()
            turn.wait(actor)
            try:
                answered = self.wanted(ground, turn)
            except (transitions.Expired, transitions.WrongState):
                self.pace.later()
                raise
            self.pace.sooner()
            return answered
        within = self.pace.draw(turn.rng)
        ends = rows.clock() + timedelta(seconds=within)
        Call.objects.filter(id=turn.case[0].id).update(**{self.deadline: ends})
        meet()
        time.sleep(within)
        while (now := rows.clock()) < ends:
            pass
        return housekeeping.expire(now=now)

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        if turn.refusals:
            must(turn.answers[0] in turn.refusals, "the sweeper is never refused")
            must(
                isinstance(turn.refusals[0], (transitions.Expired, transitions.WrongState)),
                "it came too late",
            )
        return books[0].status


class SweepOrClaim(Sweeping):
    name = "a-call-is-claimed-or-expires"
    main = False
    outcomes = frozenset({"executing", "expired"})
    deadline = "use_by"

    def wanted(self, ground: Ground, turn: Round) -> Any:
        return claim(ground.world, turn.case[0])

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(
            bool(turn.refusals) == (books[0].status == "expired"),
            "refused where it has expired, and only there",
        )
        return super().outcome(turn, books)


class SweepOrApprove(Sweeping):
    name = "a-call-is-approved-or-expires"
    main = False
    outcomes = frozenset({"approved", "expired"})
    deadline = "decide_by"

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(MEDIUM, rounds, level=Level.MEDIUM)
        return list(zip(calls, ground.serve(ground.world.bob, calls), strict=True))

    def wanted(self, ground: Ground, turn: Round) -> Any:
        return answer(ground.world.bob, *turn.case, [])

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(
            bool(turn.refusals) == (books[0].status == "expired"),
            "refused where it has expired, and only there",
        )
        return super().outcome(turn, books)


class SweepOrOutcome(Sweeping):
    name = "an-outcome-is-reported-or-unknown"
    main = False
    outcomes = frozenset({"succeeded", "unknown"})
    deadline = "outcome_by"

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(LOW, rounds, level=Level.LOW)
        for call in calls:
            claim(ground.world, call)
        return [(call,) for call in calls]

    def wanted(self, ground: Ground, turn: Round) -> Any:
        return gate.report_outcome(
            principal=ground.world.agent, call_id=turn.case[0].id, succeeded=True, output=None, error=None,
            idempotency=None, now=utcnow(),
        )  # fmt: skip

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(
            bool(turn.refusals) == (books[0].status == "unknown"),
            "refused where it is unknown, and only there",
        )
        return super().outcome(turn, books)


class TwoSweepers(Story):
    name = "two-sweepers-move-each-call-once"
    main = False
    outcomes = frozenset({"sweeper 0", "sweeper 1"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(LOW, rounds * 3, level=Level.LOW)
        return [calls[begin : begin + 3] for begin in range(0, len(calls), 3)]

    def calls(self, turn: Round) -> Sequence[UUID]:
        return [call.id for call in turn.case]

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> int:
        if actor == 0:
            Call.objects.filter(id__in=self.calls(turn)).update(use_by=rows.clock())
        meet()
        turn.wait(actor)
        return housekeeping.expire(now=rows.clock())

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must({book.status for book in books} == {"expired"}, "all have expired")
        must([len(book.happened(Event.EXPIRED)) for book in books] == [1, 1, 1], "each once")
        must(sum(turn.answers) >= 3, "and it is said how many")
        return f"sweeper {int(turn.answers[1] > turn.answers[0])}"


STORIES = (SweepOrClaim(), SweepOrApprove(), SweepOrOutcome(), TwoSweepers())
