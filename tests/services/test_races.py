"""Two or more at the same moment, with real threads on real rows. Every story ends well whoever is faster."""

from datetime import timedelta

import pytest
from django.db import transaction

from riskgate.services import housekeeping
from riskgate.storage.models import Call
from tests.people import HIGH, make_world, submit, utcnow
from tests.races import rig
from tests.races.ground import Ground
from tests.races.stories import STORIES

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 200


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES, ids=[story.name for story in STORIES])
def test_it_ends_well_whoever_is_faster(story: rig.Story) -> None:
    rounds = ROUNDS if story.main else ROUNDS // 2
    met = rig.run(story, Ground(), rounds=rounds, seed=1)
    assert met.total() == rounds
    assert set(met) == story.outcomes, "every way that it can go was met"


def test_the_sweeper_leaves_a_row_that_somebody_holds_for_the_next_round() -> None:
    call = submit(make_world(), HIGH)
    Call.objects.filter(id=call.id).update(decide_by=utcnow() - timedelta(seconds=1))
    with transaction.atomic():
        Call.objects.select_for_update().get(id=call.id)
        assert rig.aside(lambda: housekeeping.expire(now=utcnow())) == 0
    assert rig.aside(lambda: housekeeping.expire(now=utcnow())) == 1
