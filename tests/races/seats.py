"""Several people on the seats of one approval, more of them than there are seats."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.services import approvals, challenges, transitions
from riskgate.services.shapes import AttemptView, CallView
from riskgate.storage.models import ChallengeAttempt
from tests.people import CRITICAL, HIGH, answer, right_answers, start, utcnow
from tests.races.books import Book, must
from tests.races.ground import Ground
from tests.races.rig import Round, Story


class Seats(Story):
    """Everybody who may decide starts the challenge of the same call; who gets a seat answers at once."""

    actors = 4  # alice, grace, bob, carol
    fields: dict[str, Any]
    level: Level
    seats: int
    outcomes = frozenset(f"actor {actor} left over" for actor in range(4))

    def prepare(self, ground: Ground, rounds: int) -> Sequence[CallView]:
        return ground.submit(self.fields, rounds, level=self.level)

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        person = ground.deciders[actor]
        turn.wait(actor)
        try:
            attempt = start(person, turn.case)
        except challenges.SeatsTaken as error:
            attempt, refusal = None, error
        meet()
        if actor == 0:
            ground.look_long_enough([turn.case])
        meet()
        if attempt is None:
            raise refusal
        answers = right_answers(attempt)
        turn.wait(actor)
        return attempt, answer(person, turn.case, attempt, answers)

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must(
            [type(each) for each in turn.refusals] == [challenges.SeatsTaken] * (self.actors - self.seats),
            "the seats are given to as many people as there are, and only the others are refused",
        )
        seated = [each[0].seat for each in turn.answers if isinstance(each, tuple)]
        must(sorted(seated) == list(range(1, self.seats + 1)), f"seats {seated} were given")
        must(books[0].status == "approved", "enough votes are an approval")
        last = [each[1].status for each in turn.answers if isinstance(each, tuple)]
        must(last.count(Status.APPROVED) == 1, "one vote was the last one")
        left_over = [n for n, each in enumerate(turn.answers) if each in turn.refusals]
        return f"actor {turn.rng.choice(left_over)} left over"


class TwoSeats(Seats):
    name = "three-people-on-the-two-seats-of-a-critical-call"
    main = False
    actors = 3
    outcomes = frozenset(f"actor {actor} left over" for actor in range(3))
    fields, level, seats = CRITICAL, Level.CRITICAL, 2


class ThreeSeats(Seats):
    name = "four-people-on-three-seats"
    main = False
    fields, level, seats = HIGH, Level.HIGH, 3


class LastSeatOrDeny(Story):
    """Three vote at once, and the fourth denies."""

    name = "three-votes-at-once-against-one-deny"
    main = False
    actors = 4
    outcomes = frozenset({"approved", "denied"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(HIGH, rounds, level=Level.HIGH)
        served = [ground.serve(person, calls, seat) for seat, person in enumerate(ground.deciders[:3], 1)]
        return list(zip(calls, zip(*served, strict=True), strict=True))

    def calls(self, turn: Round) -> Sequence[Any]:
        return [turn.case[0].id]

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        call, attempts = turn.case
        if actor == 3:
            self.pace.wait(turn.rng)
            try:
                approvals.deny(member=ground.deciders[3], call_id=call.id)
            except transitions.WrongState:
                self.pace.sooner()
                raise
            return self.pace.later()
        turn.wait(actor)
        return answer(ground.deciders[actor], call, attempts[actor], [])

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        must({type(each) for each in turn.refusals} <= {transitions.WrongState}, "who is late is told so")
        if books[0].status == "approved":
            must(len(turn.refusals) == 1, "only the deny came too late")
        else:
            must(len(books[0].votes) == 3 - len(turn.refusals), "who was not refused has voted")
        return books[0].status


class LostSeat(Story):
    """Bob's lease has ended. He answers at the moment when carol starts, and wants his seat as well."""

    name = "a-seat-whose-lease-has-ended-is-taken-or-voted-from"
    main = False
    outcomes = frozenset({"bob has voted", "carol has the seat"})

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        calls = ground.submit(HIGH, rounds, level=Level.HIGH)
        attempts = ground.serve(ground.world.bob, calls, 1)
        ChallengeAttempt.objects.filter(call__in=[call.id for call in calls]).update(
            lease_until=utcnow() - timedelta(seconds=1)
        )
        return list(zip(calls, attempts, strict=True))

    def calls(self, turn: Round) -> Sequence[Any]:
        return [turn.case[0].id]

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        call, attempt = turn.case
        turn.wait(actor)
        if actor == 0:
            return answer(ground.world.bob, call, attempt, [])
        return start(ground.world.carol, call)

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        seat = turn.answers[1].seat
        must(isinstance(turn.answers[1], AttemptView), "carol has a seat")
        if turn.refusals:
            must(isinstance(turn.answers[0], challenges.SeatsTaken), "bob hears that his seat is lost")
            must((seat, len(books[0].votes)) == (1, 0), "carol has bob's seat")
            return "carol has the seat"
        must((seat, len(books[0].votes)) == (2, 1), "carol has the next seat")
        return "bob has voted"


STORIES = (TwoSeats(), ThreeSeats(), LastSeatOrDeny(), LostSeat())
