"""The borders of ranges on a hex map: where units can move, and what distances decide."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Final

from referee.reports.hexes import STEPS, Hex, apart
from referee.reports.shapes import Dash
from referee.rules.spots import axial
from referee.rules.views import Chart, Panel, Spot

MOVES: Final = "within one move of your units"
_LOOKS: Final[tuple[tuple[str, Dash], ...]] = (
    ("#0b4f9c", (3, 4)), ("#8a1c4a", (9, 4)), ("#2b6a1d", (9, 3)), ("#5f3dc4", (14, 4)),
)  # fmt: skip
"""The colours and dashes of borders, the movement of units first."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A range with its look: each spot in it and how far it reaches."""

    title: str
    colour: str
    dash: Dash
    around: Mapping[Spot, int]


def ranges(chart: Chart) -> tuple[Reached, ...]:
    """Return how far the reader's units move, and the ranges of the map."""
    spots = {node.key: node.spot for node in chart.nodes}
    moves: dict[Spot, int] = {}
    for node in chart.nodes:
        own = [unit.reach for unit in node.units if chart.owners[:1] == (unit.owner,)]
        if node.spot is not None and max(own, default=0) > 0:
            moves[node.spot] = max(*own, moves.get(node.spot, 0))
    found = [(MOVES, moves)] if moves else []
    for each in chart.ranges:
        around = [spot for key in each.around if (spot := spots.get(key)) is not None]
        found.append((each.title, dict.fromkeys(around, each.reach)))
    looks = (_LOOKS if moves else _LOOKS[1:]) * len(found)
    return tuple(
        Reached(title, colour, dash, around)
        for (title, around), (colour, dash) in zip(found, looks, strict=False)
        if around
    )


def inside(reached: Reached, chart: Chart, panel: Panel, hexes: Set[Hex]) -> frozenset[Hex]:
    """Return the hexes of a panel that are in a range."""
    panels = {each.key: each for each in chart.panels}
    centres = []
    for spot, reach in reached.around.items():
        there = panels[spot.panel]
        if there.plane == panel.plane and abs(there.level - panel.level) <= reach:
            centres.append((axial(spot, chart.grid), reach))
    return frozenset(
        at for at in hexes if any(apart(at, centre) <= reach for centre, reach in centres)
    )


def border(area: frozenset[Hex], hexes: Set[Hex]) -> Iterator[tuple[Hex, int]]:
    """Yield the edges between an area and the other *hexes*: a hex of the area and a direction."""
    for at in sorted(area):
        for direction, (q, r) in enumerate(STEPS):
            other = at[0] + q, at[1] + r
            if other in hexes and other not in area:
                yield at, direction
