"""What somebody wrote, wherever it stands on a page: hidden characters spelled out, of bounded length."""

import re
from itertools import islice

from django import template
from django.template.loader import get_template

from riskgate.web import call_text

register = template.Library()

RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
TURNS = 64
"""So many stretches of one text are kept apart from each other; what is after them, from all before."""


@register.filter
def pieces(text: object, most: int = 600) -> call_text.Pieces:
    """For components/pieces.html: a text on one line, in about `most` bytes."""
    return call_text.brief(str(text), most)


@register.simple_tag
def line(text: str, most: int = 600) -> str:
    """The same as its markup, for lists: most lines are plain letters, and need no template of their own."""
    parts = call_text.brief(text, most)
    if RIGHT_TO_LEFT.search(text) is None and all(part.kind == "text" and not part.hit for part in parts):
        return "".join(part.text for part in parts)  # escaped by the template
    return get_template("components/pieces.html").render({"pieces": parts})


@register.filter
def spelled(text: object, most: int = 600) -> str:
    """The same as plain text, for where no markup can stand: titles, options, labels."""
    return "".join(piece.text for piece in call_text.brief(str(text), most))


@register.filter
def runs(text: str) -> list[tuple[str, bool]]:
    """The text cut at quotation marks and equals signs, and whether each part holds letters that run from right to
    left. Such a part is kept to itself: it would draw its neighbours over, and a name and its value change places.
    """
    if RIGHT_TO_LEFT.search(text) is None:
        return [(text, False)]
    out: list[tuple[str, bool]] = []
    end = 0
    for part in islice(re.finditer(r'[^"=]+', text), TURNS):
        if RIGHT_TO_LEFT.search(part[0]):
            out += [(text[end : part.start()], False), (part[0], True)]
            end = part.end()
    return [*out, (text[end:], end < len(text) and RIGHT_TO_LEFT.search(text, end) is not None)]


@register.filter
def quoting(text: str) -> list[tuple[str, bool]]:
    """The text in parts, and whether each stood between backticks, which say that it is code."""
    return [(part, i % 2 == 1) for i, part in enumerate(text.split("`"))]


@register.filter
def in_thousands(number: int) -> str:
    """`240,000`"""
    return f"{number:,}"
