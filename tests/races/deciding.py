"""People decide while others, the agent or the clock act on the same pending call."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction

from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.services import approvals, gate, rows, transitions
from riskgate.storage.models import Call
from tests.people import MEDIUM, answer, claim, utcnow
from tests.races.books import Book, must
from tests.races.claiming import one_refused
from tests.races.ground import Ground
from tests.races.rig import Round, Story


class Deciding(Story):
    """Pending calls, each with bob's challenge open: a case is the call and the attempt."""

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(MEDIUM, rounds, level=Level.MEDIUM)
        return list(zip(calls, ground.serve(ground.world.bob, calls), strict=True))

    def calls(self, turn: Round) -> Sequence[Any]:
        return [turn.case[0].id]

    def bob_approves(self, ground: Ground, turn: Round) -> Any:
        call, attempt = turn.case[:2]
        return answer(ground.world.bob, call, attempt, [])


class TwoOperators(Deciding):
    name = "two-operators-who-pass-at-once-approve-once"
    outcomes = frozenset({"Bob Okafor", "Carol Weber"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(MEDIUM, rounds, level=Level.MEDIUM)
        bobs, carols = ground.serve(ground.world.bob, calls), ground.serve(ground.world.carol, calls)
        return list(zip(calls, bobs, carols, strict=True))

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        person = (ground.world.bob, ground.world.carol)[actor]
        return answer(person, turn.case[0], turn.case[1 + actor], [])

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        one_refused(turn)
        must(books[0].status == "approved", "it is approved")
        return books[0].happened(Event.APPROVED)[0].actor


class OneAnswersTwice(Deciding):
    name = "one-person-in-two-tabs-votes-once"
    main = False
    outcomes = frozenset({"tab 0", "tab 1"})

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        return self.bob_approves(ground, turn)

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        one_refused(turn)
        must(books[0].status == "approved", "it is approved")
        return f"tab {[each in turn.refusals for each in turn.answers].index(False)}"


class ApproveOrDeny(Deciding):
    name = "a-call-is-approved-or-denied"
    outcomes = frozenset({"approved", "denied"})

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        if actor == 0:
            return self.bob_approves(ground, turn)
        return approvals.deny(member=ground.world.carol, call_id=turn.case[0].id)

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        one_refused(turn)
        return books[0].status


class DenyOrSendBack(Deciding):
    name = "a-call-is-denied-or-sent-back"
    main = False
    outcomes = frozenset({"denied", "returned"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        return [(call,) for call in ground.submit(MEDIUM, rounds, level=Level.MEDIUM)]

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        if actor == 0:
            return approvals.deny(member=ground.world.carol, call_id=turn.case[0].id)
        return approvals.send_back(member=ground.world.bob, call_id=turn.case[0].id, reason="Take fewer.")

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        one_refused(turn)
        row = books[0].call
        must(
            row.message == {"denied": "", "returned": "Take fewer."}[row.status],
            "the message is the decider's",
        )
        return books[0].status


class ApproveOrCancel(Deciding):
    name = "a-call-is-approved-while-the-agent-withdraws-it"
    main = False
    outcomes = frozenset({"cancelled before", "cancelled after"})

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        turn.wait(actor)
        if actor == 0:
            return self.bob_approves(ground, turn)
        return gate.cancel(
            principal=ground.world.agent, call_id=turn.case[0].id, idempotency=None, now=utcnow()
        )

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(books[0].status == "cancelled", "an approved call can be withdrawn as well")
        if not turn.refusals:
            must(books[0].happened(Event.APPROVED), "the approval was told to bob and is kept")
            return "cancelled after"
        one_refused(turn)
        must(turn.answers[0] in turn.refusals, "bob is refused")
        return "cancelled before"


class ApproveThenClaim(Deciding):
    name = "a-claim-at-the-moment-of-the-approval-is-after-it-or-refused"
    main = False
    outcomes = frozenset({"approved", "executing"})

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        if actor == 0:
            return self.bob_approves(ground, turn)
        self.pace.wait(turn.rng)
        try:
            grant = claim(ground.world, turn.case[0])
        except transitions.WrongState:
            self.pace.later()
            raise
        self.pace.sooner()
        return grant

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        if turn.refusals:
            one_refused(turn)
            must(turn.answers[1] in turn.refusals, "the claim came too early")
        return books[0].status


class LateApproval(Deciding):
    """The row is locked by another transaction while its time to decide passes, or nearly so.

    Bob's transaction begins in time and waits. Only the clock after the lock says whether he is late.
    """

    name = "an-approval-that-waited-for-the-row-goes-by-the-clock-after-the-wait"
    outcomes = frozenset({"approved", "expired"})

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        if actor == 0:
            meet()
            try:
                answered = self.bob_approves(ground, turn)
            except transitions.Expired:
                self.pace.later()
                raise
            self.pace.sooner()
            return answered
        call_id = turn.case[0].id
        with transaction.atomic():
            Call.objects.select_for_update().get(id=call_id)
            ends = rows.clock() + timedelta(seconds=self.pace.draw(turn.rng))
            Call.objects.filter(id=call_id).update(decide_by=ends)
            meet()
            time.sleep(turn.rng.uniform(0, 0.004))
            return rows.clock()

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        released = turn.answers[1]
        last = books[0].events[-1]
        must(last.at > released, "the clock was read while somebody else still held the row")
        if books[0].status == Status.EXPIRED:
            must(isinstance(turn.answers[0], transitions.Expired), "bob hears that he is late")
        else:
            must(not turn.refusals, "bob is in time")
        return books[0].status


STORIES = (
    TwoOperators(), OneAnswersTwice(), ApproveOrDeny(), DenyOrSendBack(), ApproveOrCancel(), ApproveThenClaim(),
    LateApproval(),
)  # fmt: skip
