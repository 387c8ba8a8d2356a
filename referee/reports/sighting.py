"""The looks of places by how well they are known: their fill, their edge and its dashes."""

from collections.abc import Mapping
from typing import Final

from referee.reports.shapes import FAINT, INK, PAPER, SOLID, Dash
from referee.rules.views import Sighting

LOOKS: Final[Mapping[Sighting, tuple[str, str, Dash]]] = {
    Sighting.SEEN: (PAPER, INK, SOLID),
    Sighting.REMEMBERED: ("#e9ecef", FAINT, (5, 3)),
    Sighting.UNEXPLORED: (PAPER, FAINT, (2, 3)),
}
