"""The five factors as bars on one scale from 0 to 1, each beginning where the one before ended."""

from dataclasses import dataclass

from riskgate.core.levels import MICRO, WEIGHT, Level
from riskgate.services.shapes import CallView
from riskgate.web import words


@dataclass(frozen=True, slots=True)
class Bar:
    """Lengths are percentages of the scale, as SVG takes them."""

    name: str
    sentence: str
    contribution: str
    product: str
    start: str
    used: str
    weight: str


@dataclass(frozen=True, slots=True)
class Mark:
    level: str
    at: str
    label: str


@dataclass(frozen=True, slots=True)
class Stack:
    """`lifted` is what a floor adds: from the score to where the level begins that it forces."""

    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]
    total: str
    length: str
    lifted: str
    sentence: str


def _percent(value: float) -> str:
    return f"{value * 100:.2f}%"


def stack(call: CallView, thresholds: tuple[int, int, int]) -> Stack:
    bars: list[Bar] = []
    start = 0.0
    for factor in call.factors:
        bars.append(
            Bar(
                name=factor.name,
                sentence=factor.sentence,
                contribution=f"{factor.contribution:.3f}",
                product=f"{words.decimals(factor.score, MICRO)} × {words.weight(factor.weight)}",
                start=_percent(start),
                used=_percent(factor.contribution),
                weight=_percent(factor.weight / WEIGHT),
            )
        )
        start += factor.contribution
    marks = tuple(
        Mark(level.name, _percent(at / MICRO), words.decimals(at, MICRO, least=1))
        for level, at in zip(list(Level)[1:], thresholds, strict=True)
    )
    raised = call.level > call.score_level
    forced = thresholds[call.level - 2] if raised else call.score
    return Stack(
        bars=tuple(bars),
        marks=marks,
        total=words.score(call.score),
        length=_percent(call.score / MICRO),
        lifted=_percent((forced - call.score) / MICRO) if forced > call.score else "",
        sentence=_sentence(call, thresholds),
    )


def _sentence(call: CallView, thresholds: tuple[int, int, int]) -> str:
    if not call.factors:
        return f"It could not be scored, so it counts as {call.level.name}"
    if call.level > call.score_level:
        return f"{call.score_level.name} by score; a floor lifts it to {call.level.name}"
    begins = ""
    if call.level > Level.LOW:
        begins = f"{call.level.name} from {words.decimals(thresholds[call.level - 2], MICRO, least=1)}"
    if call.level is Level.CRITICAL:
        return begins
    above = Level(call.level + 1)
    missing = f"{words.score(thresholds[call.level - 1] - call.score)} below {above.name}"
    return f"{begins}; {missing}" if begins else missing
