"""How much one key and one team may ask: token buckets in the memory of each process.

What holds much counts as many requests: one for each action of a batch, and one for each 4 KiB of a body. It is let in
as one, and the debt is waited off before the next.

Nothing is shared between processes, so that counting costs microseconds and needs nobody: with n processes a limit is
up to n times as high. The limits are there to keep one team's flood from the others, not to meter anybody.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from riskgate.api.problems import too_many

KEPT = 10_000
"""How many buckets of a kind are remembered; the one unused for longest is forgotten, and then full again."""


PIECE = 4096
"""So many bytes of a body count as one request: what is long takes long to score."""


@dataclass(frozen=True, slots=True)
class Limit:
    """`rate` requests a second in the long run, `burst` at once after a pause."""

    rate: float
    burst: float


class Buckets:
    """One bucket for each name, full at first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, name: Hashable, limit: Limit) -> float:
        """Takes one token and answers 0, or takes none and answers the seconds until there is one."""
        now = self._clock()
        with self._lock:
            level, then = self._levels.pop(name, (limit.burst, now))
            level = min(limit.burst, level + (now - then) * limit.rate)
            enough = level >= 1
            self._levels[name] = (level - 1 if enough else level, now)
            if len(self._levels) > KEPT:
                self._levels.popitem(last=False)
        return 0.0 if enough else (1 - level) / limit.rate

    def charge(self, name: Hashable, limit: Limit, tokens: int) -> float:
        """Takes tokens that may not be there yet and answers 0: the next to ask waits until they are.

        Takes none and answers the seconds until it may, where somebody else's debt is not waited off: those who were
        let in at the same moment shall not all go into debt.
        """
        now = self._clock()
        with self._lock:
            level, then = self._levels.get(name, (limit.burst, now))
            level = min(limit.burst, level + (now - then) * limit.rate)
            if level >= 0:
                self._levels[name] = (level - tokens, now)
        return max(0.0, -level / limit.rate)

    def give_back(self, name: Hashable, tokens: int) -> None:
        with self._lock:
            if name in self._levels:
                level, then = self._levels[name]
                self._levels[name] = (level + tokens, then)

    def clear(self) -> None:
        with self._lock:
            self._levels.clear()


_keys = Buckets()
_teams = Buckets()


def admit_key(token_hash: bytes) -> None:
    """Called before the key is looked up, so that a flood costs no query. Raises Problem."""
    seconds = _keys.take(token_hash, Limit(*settings.API_KEY_LIMIT))
    if seconds:
        raise too_many(seconds, "This key")


def admit_team(team_id: UUID) -> None:
    """Raises Problem."""
    seconds = _teams.take(team_id, Limit(*settings.API_TEAM_LIMIT))
    if seconds:
        raise too_many(seconds, "This team")


def charge(token_hash: bytes, team_id: UUID, *, length: int, actions: int = 1) -> None:
    """For a request with a body of so many bytes and so many actions, which was let in for one. Raises Problem."""
    further = max(actions, length // PIECE) - 1
    if further <= 0:
        return
    seconds = _keys.charge(token_hash, Limit(*settings.API_KEY_LIMIT), further)
    if seconds:
        raise too_many(seconds, "This key")
    seconds = _teams.charge(team_id, Limit(*settings.API_TEAM_LIMIT), further)
    if seconds:
        _keys.give_back(token_hash, further)
        raise too_many(seconds, "This team")


def forget() -> None:
    """Every bucket is full again."""
    _keys.clear()
    _teams.clear()
