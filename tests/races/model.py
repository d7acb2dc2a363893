"""A call's life as a few lines of plain Python: what has to come of every step, worked out without the services.

Times are seconds on the model's own clock. A step answers None where it is done, else the class of the refusal.
"""

from collections import Counter
from dataclasses import dataclass, field

from riskgate.core.errors import RiskgateError
from riskgate.core.events import Event
from riskgate.core.levels import Level
from riskgate.core.lifecycle import Status
from riskgate.core.policy import Policy, Requirement
from riskgate.services.approvals import TooEarly
from riskgate.services.challenges import AttemptClosed, SeatsTaken
from riskgate.services.grants import DigestDiffers, Paused
from riskgate.services.rows import NotAllowed, NotFound
from riskgate.services.transitions import EVENTS, Expired, WrongState

Refusal = type[RiskgateError] | None

OWNER = "alice"
DECIDERS = {"alice", "grace", "bob", "carol"}
ONLOOKERS = {"dave", "erin"}
STRANGER = "eve"


@dataclass
class Paper:
    """A challenge that somebody has open."""

    seat: int
    served: float
    held_until: float | None


@dataclass
class Life:
    """What is known of one call, and what happens to it."""

    level: Level
    requirement: Requirement
    policy: Policy
    born: float
    status: Status = field(init=False)
    revision: int = 1
    votes: dict[int, str] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    papers: dict[str, Paper] = field(default_factory=dict)
    opened: set[str] = field(default_factory=set)
    events: list[Event] = field(default_factory=lambda: [Event.SUBMITTED, Event.SCORED])
    due: float = field(init=False)
    """When the clock moves it on, where it does."""

    def __post_init__(self) -> None:
        timings = self.policy.timings
        if self.requirement.kind == "none":
            self.status, self.due = Status.APPROVED, self.born + timings.use_by
            self.events.append(Event.APPROVED)
        else:
            self.status, self.due = Status.PENDING, self.born + timings.decide_by[self.level]

    # ------------------------------------------------------------------ the clock

    def shown(self, now: float) -> Status:
        if self.due > now:
            return self.status
        if self.status is Status.EXECUTING:
            return Status.UNKNOWN
        return Status.EXPIRED if self.status in (Status.PENDING, Status.APPROVED) else self.status

    def settle(self, now: float) -> Refusal:
        """The next write, or the sweeper, moves a call that is past its time; who came for something else is late."""
        target = self.shown(now)
        if target is self.status:
            return None
        self._move(target, now)
        return WrongState if target is Status.UNKNOWN else Expired

    def _move(self, target: Status, now: float) -> None:
        self.status = target
        self.revision += 1
        self.events.append(EVENTS[target])
        timings = self.policy.timings
        self.due = now + (timings.outcome if target is Status.EXECUTING else timings.use_by)

    # ------------------------------------------------------------------ people

    def _bar(self, person: str, paused: bool) -> bool:
        """Whether this person may not approve."""
        alone = self.requirement.approvals < 2
        return (
            person not in DECIDERS
            or person in self.votes.values()
            or self.failures[person] >= self.policy.attempts
            or (alone and person == OWNER and self.level > self.policy.owner_limit)
            or paused
        )

    def _taken(self, person: str, now: float) -> set[int]:
        """Seats that are filled, or held by somebody else."""
        held = {
            paper.seat
            for other, paper in self.papers.items()
            if other != person and paper.held_until is not None and paper.held_until > now
        }
        return held | set(self.votes)

    def start(self, person: str, now: float, *, paused: bool) -> Refusal:
        if person == STRANGER:
            return NotFound
        if late := self.settle(now):
            return late
        if self.status is not Status.PENDING or self._bar(person, paused):
            return NotAllowed
        taken = self._taken(person, now)
        lease = (
            min(now + self.policy.timings.seat_lease, self.due) if self.requirement.approvals > 1 else None
        )
        paper = self.papers.get(person)
        if paper is not None and paper.seat not in taken:
            paper.held_until = lease
            return None
        self.papers.pop(person, None)
        free = [seat for seat in range(1, self.requirement.approvals + 1) if seat not in taken]
        if not free:
            return SeatsTaken
        self.papers[person] = Paper(free[0], now, lease)
        if person not in self.opened:
            self.opened.add(person)
            self.events.append(Event.OPENED)
        self.events.append(Event.CHALLENGE_ISSUED)
        return None

    def answer(self, person: str, now: float, *, right: bool, paused: bool) -> Refusal:
        if person == STRANGER:
            return NotFound
        if late := self.settle(now):
            return late
        if self.status is not Status.PENDING:
            return WrongState
        if self._bar(person, paused):
            return NotAllowed
        paper = self.papers.get(person)
        if paper is None:
            return AttemptClosed
        if now < paper.served + self.requirement.seats[paper.seat - 1].review_seconds:
            return TooEarly
        if paper.seat in self._taken(person, now):
            return SeatsTaken
        del self.papers[person]
        if not right:
            self.failures[person] += 1
            self.events.append(Event.CHALLENGE_FAILED)
            return None
        self.votes[paper.seat] = person
        self.events += [Event.CHALLENGE_PASSED, Event.VOTED]
        if len(self.votes) == self.requirement.approvals:
            self._move(Status.APPROVED, now)
        else:
            self.revision += 1
        return None

    def leave(self, person: str) -> Refusal:
        if person == STRANGER:
            return NotFound
        self.papers.pop(person, None)
        return None

    def decide(self, person: str, now: float, target: Status) -> Refusal:
        """Denied, or returned."""
        if person == STRANGER:
            return NotFound
        if late := self.settle(now):
            return late
        if self.status is not Status.PENDING:
            return WrongState
        if person in ONLOOKERS:
            return NotAllowed
        self._move(target, now)
        return None

    def revoke(self, person: str, now: float) -> Refusal:
        if person == STRANGER:
            return NotFound
        if late := self.settle(now):
            return late
        if person in ONLOOKERS:
            return NotAllowed
        return self._from({Status.APPROVED}, Status.REVOKED, now)

    def withdraw(self, person: str, now: float) -> Refusal:
        if person == STRANGER:
            return NotFound
        if late := self.settle(now):
            return late
        if person != OWNER:
            return NotAllowed
        return self._from({Status.PENDING, Status.APPROVED}, Status.CANCELLED, now)

    # ------------------------------------------------------------------ the agent

    def cancel(self, now: float) -> Refusal:
        return self.settle(now) or self._from({Status.PENDING, Status.APPROVED}, Status.CANCELLED, now)

    def claim(self, now: float, *, right: bool, paused: bool) -> Refusal:
        if late := self.settle(now):
            return late
        if self.status is not Status.APPROVED:
            return WrongState
        if not right:
            return DigestDiffers
        if paused:
            return Paused
        self._move(Status.EXECUTING, now)
        return None

    def report(self, now: float, target: Status) -> Refusal:
        return self.settle(now) or self._from({Status.EXECUTING}, target, now)

    def _from(self, sources: set[Status], target: Status, now: float) -> Refusal:
        if self.status not in sources:
            return WrongState
        self._move(target, now)
        return None
