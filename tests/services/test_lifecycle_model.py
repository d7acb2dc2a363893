"""Whatever people, the agent and the clock do in whatever order: a call does what a small model says it does."""

import pytest

from tests.people import World
from tests.races.lifecycle import run_lives


@pytest.mark.slow
def test_calls_live_as_the_model_says(world: World) -> None:
    run_lives(world, 25, steps=40)
