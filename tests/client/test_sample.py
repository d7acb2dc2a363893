"""The bundled sample is worth looking at: every level, many kinds of work, nothing that is real."""

import re
from collections import Counter

from riskgate.client.demo_sample import Step, load, stories
from riskgate.core.action import Action, Context
from riskgate.core.levels import Level
from riskgate.core.policy import BALANCED
from riskgate.core.scoring import assess

SAMPLE = load()
DOMAIN = re.compile(r"(?:@|://)([\w.-]+)")
ADDRESS = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
RESERVED = re.compile(r"192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|0\.0\.0\.0")


def level(step: Step, prior_calls: int = 0) -> Level:
    action = Action(step.function_name, step.args, step.kwargs, step.docstring, step.hints)
    assessment = assess(action, Context(prior_calls=prior_calls), BALANCED)
    assert not assessment.failed
    return assessment.level


def everything(step: Step) -> str:
    return repr((step.args, step.kwargs, step.docstring, step.reason, step.output, step.error))


def test_it_holds_all_four_levels_as_often_as_people_meet_them() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    levels: Counter[Level] = Counter()
    for step in SAMPLE:
        levels[level(step, seen[step.story, step.function_name])] += 1
        seen[step.story, step.function_name] += 1
    shares = {each: levels[each] / len(SAMPLE) for each in Level}
    assert len(SAMPLE) >= 160
    assert 0.45 <= shares[Level.LOW] <= 0.65
    assert 0.20 <= shares[Level.MEDIUM] <= 0.36
    assert 0.07 <= shares[Level.HIGH] <= 0.18
    assert 0.02 <= shares[Level.CRITICAL] <= 0.08


def test_its_first_four_stories_open_with_a_call_of_each_level() -> None:
    assert [level(story.steps[0]) for story in stories(SAMPLE, "x")[:4]] == [
        Level.LOW,
        Level.HIGH,
        Level.MEDIUM,
        Level.CRITICAL,
    ]


def test_it_tells_many_stories_of_many_functions() -> None:
    assert len({step.story for step in SAMPLE}) >= 25
    assert len({step.function_name for step in SAMPLE}) >= 80
    assert sum(step.docstring is None for step in SAMPLE) >= 3
    assert sum(bool(step.hints) for step in SAMPLE) >= 10
    assert 0 < sum(step.error is not None for step in SAMPLE) < len(SAMPLE) / 10


def test_it_holds_what_tries_to_deceive() -> None:
    told = "".join(map(everything, SAMPLE))
    assert "<script>" in told
    assert any("\u202e" in step.reason for step in SAMPLE)
    assert any("d\u0435lete" in str(step.kwargs) for step in SAMPLE)  # its first e is Cyrillic


def test_its_addresses_are_nobody_s() -> None:
    for step in SAMPLE:
        text = everything(step)
        for domain in DOMAIN.findall(text):
            # A name without a dot is a bucket or a host of the story.
            assert (
                "." not in domain or re.search(r"(^|\.)example(\.com)?\.?$", domain) or ADDRESS.match(domain)
            ), step
        for address in ADDRESS.findall(text):
            assert RESERVED.match(address), step


def test_the_signature_in_the_log_shows_no_character_that_acts() -> None:
    step = Step("x", "say", ["\u202eabc\x1b[31m\n"], {"text": "x" * 500})
    assert step.signature.isprintable()
    assert len(step.signature) <= 100
