"""The ground of the model test: a life that is being played, and what has to hold after each of its steps."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from hypothesis.stateful import RuleBasedStateMachine, invariant

from riskgate.core.errors import RiskgateError
from riskgate.core.events import BLIND
from riskgate.core.levels import Level
from riskgate.core.lifecycle import NEXT, TERMINAL, Status
from riskgate.core.policy import BALANCED, Policy, Requirement, Seat
from riskgate.services import history, policies, queries
from riskgate.services.shapes import AttemptView, CallView
from riskgate.storage.models import Outbox
from tests.people import World, utcnow
from tests.races.books import read_books
from tests.races.model import OWNER, Life

REVIEW = 200
TICK = 420
"""Time passes in steps that are longer than a review and a lease, and bring no deadline near enough to be met by
chance: a whole life takes seconds."""

ENDED_TOO = 2
"""Picks below this one take any call."""


def _policy(**more: Any) -> Policy:
    quiz, confirm = Seat("quiz", REVIEW), Seat("confirm", REVIEW)
    requirements = {
        Level.LOW: Requirement("none"),
        Level.MEDIUM: Requirement("confirm", (confirm,)),
        Level.HIGH: Requirement("quiz", (quiz,)),
        Level.CRITICAL: Requirement("multi_party", (quiz, confirm)),
    }
    return replace(BALANCED, **{"requirements": requirements, **more})


POLICIES = (
    _policy(),
    _policy(attempts=1, owner_limit=Level.MEDIUM),
    _policy(
        requirements={**_policy().requirements, Level.MEDIUM: Requirement("quiz", (Seat("quiz", REVIEW),))}
    ),
)


class Watched(RuleBasedStateMachine):
    """What is known, and what holds after each step. The world is made once; each life is rolled back."""

    world: ClassVar[World]

    def __init__(self) -> None:
        super().__init__()
        self.undo = transaction.atomic()
        self.undo.__enter__()
        self.now = 0.0
        self.policy = 0
        self.paused = False
        self.closed: set[str] = set()
        self.runs: dict[str, UUID] = {}
        self.calls: list[CallView] = []
        self.lives: list[Life] = []
        self.ended: dict[UUID, Status] = {}
        self.attempts: dict[tuple[UUID, str], AttemptView] = {}
        self.mark = Outbox.objects.aggregate(last=Max("id"))["last"] or 0

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.undo.__exit__(None, None, None)

    def _publish(self) -> None:
        policy = POLICIES[self.policy]
        policies.publish(member=self.world.alice, policy=policy, reason="As agreed.", now=utcnow())

    @property
    def alive(self) -> list[int]:
        """The places of the calls that have not ended."""
        return [place for place, life in enumerate(self.lives) if life.status not in TERMINAL]

    def _picked(self, pick: int) -> tuple[CallView, Life]:
        """A call, mostly one that has not ended."""
        places = self.alive if pick >= ENDED_TOO else []
        place = places[pick % len(places)] if places else pick % len(self.calls)
        return self.calls[place], self.lives[place]

    def _same(self, refusal: type[RiskgateError] | None, step: Callable[[], Any]) -> Any:
        """Takes the step, which has to end as the model says."""
        answered, met = None, None
        try:
            answered = step()
        except RiskgateError as error:
            met = error
        assert (type(met) if met else None) is refusal, f"{met!r}, and not {refusal}"
        return answered

    # ------------------------------------------------------------------ what holds after each step

    @invariant()
    def calls_are_as_the_model_says(self) -> None:
        ids = [call.id for call in self.calls]
        views = queries.calls_by_id(principal=self.world.agent, call_ids=ids, now=utcnow())
        books = read_books(ids, self.mark)
        names = [member.user_name for name, member in self.world.members.items() if name != OWNER]
        for view, life in zip(views, self.lives, strict=True):
            book = books[view.id]
            book.check(times=False)
            assert book.status == life.status
            assert view.status is life.shown(self.now)
            assert not any(name in repr(view) for name in names), "the agent reads a name"
            assert view.next == NEXT[life.shown(self.now)]
            assert (view.revision, view.approvals) == (life.revision, len(life.votes))
            assert [event.kind for event in book.events] == life.events
            people = {vote.seat: vote.user_id for vote in book.votes}
            assert people == {seat: self.world.members[name].user_id for seat, name in life.votes.items()}
            before = self.ended.setdefault(view.id, view.status) if view.status in TERMINAL else None
            assert before in (None, view.status), "a final state has changed"

    @invariant()
    def nobody_learns_who_is_at_a_pending_call(self) -> None:
        for place in self.alive:
            if self.lives[place].status is Status.PENDING:
                timeline = history.timeline(self.world.dave, self.calls[place].id)
                assert not BLIND & {event.kind for event in timeline}, "somebody else's votes can be seen"
