"""One line of the table, and how the table is printed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

Rows = Callable[[bool], Iterator["Row"]]
"""What each module has as `rows(quick)`: its lines, measured when they are asked for. `quick` is a look whether
everything still works; its numbers mean nothing."""


@dataclass(frozen=True)
class Row:
    """`ours` and `other` are medians in `unit`; `ratio` is the median of ours / other over rounds that took turns.

    The goal, where there is one, is about the ratio if there is one, else about `ours`.
    """

    name: str
    ours: float
    unit: str
    other: float | None = None
    ratio: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def goal(self) -> str:
        """In a few characters; empty where none was set."""
        if self.at_least is not None:
            return f"≥ {self.at_least:,g}"
        return f"≤ {self.at_most:,g}" if self.at_most is not None else ""

    @property
    def met(self) -> bool | None:
        figure = self.ours if self.ratio is None else self.ratio
        if self.at_least is not None:
            return figure >= self.at_least
        return figure <= self.at_most if self.at_most is not None else None


HEAD = f"{'':<64}{'ours':>10}{'other':>10}{'unit':>10}{'ratio':>8}{'goal':>11}"


def show(rows: Iterable[Row]) -> Iterator[str]:
    """The rows as lines of text, each as soon as it was measured."""
    for row in rows:
        verdict = {True: "goal met", False: "missed", None: ""}[row.met]
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        yield (
            f"{row.name:<64}{_figure(row.ours):>10}{_figure(row.other):>10}{row.unit:>10}{ratio:>8}"
            f"{row.goal:>11}  {verdict:<10}  {row.note}"
        ).rstrip()


def _figure(number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:,.0f}" if abs(number) >= 100 or number == int(number) else f"{number:,.1f}"
