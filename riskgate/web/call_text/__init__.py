"""What an agent wrote, cut into pieces that a template shows as text: matches marked, hidden characters spelled out.

Nothing here makes HTML. A piece is text with a kind, and the template decides how a kind looks.
"""

from riskgate.web.call_text.matches import NOTHING, Spots, spots
from riskgate.web.call_text.pieces import Piece, Pieces, brief, excerpt, pieces
from riskgate.web.call_text.said import Words, legend, members, raw, words
from riskgate.web.call_text.signature import signature
from riskgate.web.call_text.tree import Row, tree

__all__ = [
    "NOTHING",
    "Piece",
    "Pieces",
    "Row",
    "Spots",
    "Words",
    "brief",
    "excerpt",
    "legend",
    "members",
    "pieces",
    "raw",
    "signature",
    "spots",
    "tree",
    "words",
]
