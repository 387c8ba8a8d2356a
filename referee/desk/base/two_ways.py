"""Views for letters, drawn as text and as HTML."""

from referee.letters.outgoing.pairs import Drawn
from referee.reports.html import html
from referee.reports.text import text
from referee.rules.views import View


def both_ways(view: View) -> Drawn:
    """Return a view as a part of a letter."""
    return Drawn(text(view), html(view))
