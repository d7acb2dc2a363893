"""All stories."""

from tests.races import claiming, deciding, seats, submitting, sweeping

STORIES = (*submitting.STORIES, *deciding.STORIES, *seats.STORIES, *claiming.STORIES, *sweeping.STORIES)
