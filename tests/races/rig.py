"""Threads that meet at a barrier, round after round, each on a connection that it keeps."""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any, ClassVar
from uuid import UUID

from django.db import connection, connections

from riskgate.core.errors import RiskgateError
from tests.races.books import Book, Broken, read_books
from tests.races.ground import Ground

CHUNK = 50
"""So many rounds are prepared, run and checked at a time."""

PATIENCE = 60
"""Seconds after which a thread that does not come to the barrier counts as stuck."""


class Pace:
    """How long one side waits for the other, in seconds, on average; it finds out by itself what is fair here.

    On a fast machine two milliseconds are long, on a loaded one short. Who is told after each round that it should
    have been sooner or later ends at a pace at which both orders happen.
    """

    def __init__(self) -> None:
        self.seconds = 0.004

    def wait(self, rng: random.Random) -> None:
        time.sleep(self.draw(rng))

    def draw(self, rng: random.Random) -> float:
        return rng.uniform(0, 2 * self.seconds)

    def sooner(self) -> None:
        self.seconds = max(0.0001, self.seconds / 1.2)

    def later(self) -> None:
        self.seconds = min(0.25, self.seconds * 1.2)


class Round:
    """One meeting: what it is about, who waits how long before the start, and what each was answered."""

    def __init__(self, case: Any, place: "Place", actors: int, jitter: float) -> None:
        rng = random.Random(str(place))
        self.case = case
        self.place = place
        self.rng = rng
        self.delays = [rng.random() * jitter for _ in range(actors)]
        self.answers: list[Any] = [None] * actors

    def wait(self, actor: int) -> None:
        """The random moment that decides who is faster."""
        time.sleep(self.delays[actor])

    @property
    def refusals(self) -> list[RiskgateError]:
        return [answer for answer in self.answers if isinstance(answer, RiskgateError)]


class Story:
    """What some people and programs do at once. Subclasses say who does what, and what may come of it."""

    name: ClassVar[str]
    actors: ClassVar[int] = 2
    jitter: ClassVar[float] = 0.0008
    """The longest that somebody waits before the start, in seconds."""
    main: ClassVar[bool] = True
    """One of those that every run plays in full; the others are played half as often."""
    outcomes: ClassVar[frozenset[str]]
    """Every one of these is met in a few hundred rounds."""

    def __init__(self) -> None:
        self.pace = Pace()

    def prepare(self, ground: Ground, rounds: int) -> Sequence[Any]:
        """What each of so many rounds is about."""
        raise NotImplementedError

    def act(self, ground: Ground, actor: int, turn: Round, meet: Callable[[], None]) -> Any:
        """What this actor does. Everybody begins at the same moment; `meet` waits for everybody once more."""
        raise NotImplementedError

    def calls(self, turn: Round) -> Sequence[UUID]:
        """The ids of the calls whose books are read after the round."""
        return [turn.case.id]

    def outcome(self, turn: Round, books: Sequence[Book]) -> str:
        """Which way it went; raises Broken where it went no way that it may."""
        raise NotImplementedError


@dataclass(frozen=True)
class Place:
    """Enough to run a broken round again."""

    story: str
    seed: int
    round: int

    def __str__(self) -> str:
        return f"story {self.story}, seed {self.seed}, round {self.round}"


def run(
    story: Story, ground: Ground, *, rounds: int, seed: int, told: Callable[[int], None] = lambda done: None
) -> Counter[str]:
    """Runs so many rounds and answers how often each outcome was met. Raises Broken at the first that is wrong."""
    tally: Counter[str] = Counter()
    ground.begin()
    with _crew(story, ground) as meet_all:
        for begin in range(0, rounds, CHUNK):
            numbers = range(begin, min(begin + CHUNK, rounds))
            ground.mark()
            cases = story.prepare(ground, len(numbers))
            turns = [
                Round(case, Place(story.name, seed, number), story.actors, story.jitter)
                for number, case in zip(numbers, cases, strict=True)
            ]
            meet_all(turns)
            books = read_books([each for turn in turns for each in story.calls(turn)], ground.outbox_mark)
            for turn in turns:
                tally[_judged(story, turn, [books[each] for each in story.calls(turn)])] += 1
            told(numbers[-1] + 1)
    return tally


def _judged(story: Story, turn: Round, books: Sequence[Book]) -> str:
    try:
        for book in books:
            book.check()
        return story.outcome(turn, books)
    except AssertionError as error:
        rows = "\n".join(str(book) for book in books)
        raise Broken(f"{turn.place}: {error}\nanswers: {turn.answers}\n{rows}") from error


@contextmanager
def _crew(story: Story, ground: Ground) -> Iterator[Callable[[Sequence[Round]], None]]:
    """The threads of a story, which live until the block ends; gives a function that sends them through rounds."""
    start = Barrier(
        story.actors + 1, timeout=10 * PATIENCE
    )  # with this thread, which prepares many rounds meanwhile
    among = Barrier(story.actors, timeout=PATIENCE)
    work: list[Sequence[Round]] = [()]
    failures: list[Broken] = []

    def meet() -> None:
        among.wait()

    def once(actor: int, turn: Round) -> None:
        try:
            turn.answers[actor] = story.act(ground, actor, turn, meet)
        except RiskgateError as error:
            turn.answers[actor] = error
        except BrokenBarrierError:
            raise
        except Exception as error:
            failures.append(Broken(f"{turn.place}, actor {actor}: {error!r}"))
            failures[-1].__cause__ = error
            raise

    def live(actor: int) -> None:
        try:
            connection.ensure_connection()
            while True:
                start.wait()
                if not work[0]:
                    return
                for turn in work[0]:
                    among.wait()
                    once(actor, turn)
                start.wait()
        except Exception:
            among.abort()  # nobody waits for who has failed
            start.abort()
        finally:
            connections.close_all()

    def meet_all(turns: Sequence[Round]) -> None:
        work[0] = turns
        try:
            start.wait()
            start.wait()
        except BrokenBarrierError:
            raise (
                failures[0] if failures else Broken(f"{turns[0].place} and after: somebody is stuck")
            ) from None

    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.0002)  # Python's threads take turns often enough to overtake each other
    threads = [
        Thread(target=live, args=(actor,), name=f"{story.name}-{actor}") for actor in range(story.actors)
    ]
    try:
        for thread in threads:
            thread.start()
        yield meet_all
        work[0] = ()
        start.wait()
    finally:
        start.abort()
        among.abort()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)


def aside(function: Callable[[], Any]) -> Any:
    """What the function answers on another connection, while this one keeps its locks."""

    def run() -> Any:
        try:
            return function()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result(timeout=PATIENCE)
