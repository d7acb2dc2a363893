"""Every audit event as one sentence for people: a table of sentences with places for who, what and how long.

The result is parts of text, never HTML, so that a template shows whatever an agent wrote as text and nothing else.
"""

from riskgate.web.presenters.parts import Line, Segment
from riskgate.web.presenters.places import PLACES, duration
from riskgate.web.presenters.sentences import SENTENCES
from riskgate.web.presenters.telling import present, present_all

__all__ = ["PLACES", "SENTENCES", "Line", "Segment", "duration", "present", "present_all"]
