"""The map of an atlas: where its places lie, and how they are linked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from referee.reports.atlas_deltas import History
from referee.reports.placing import cells
from referee.reports.symbols import liveries
from referee.rules.views import Chart, Grid, Link, LinkKind, Panel, Sighting, Spot

_SIGHTINGS: Final = tuple(Sighting)
_COLUMN, _ROW = 0.62, 1.05
"""The size of a cell where the rules know no coordinates: no two places come closer than one."""


def atlas_map(
    charts: Sequence[Chart], turns: Sequence[int], spots: Mapping[str, Spot], history: History
) -> Mapping[str, Any]:
    """Return the map as the page reads it; *history* has the numbers of the places."""
    last = charts[-1]
    owners = liveries(replace(last, nodes=tuple(node for chart in charts for node in chart.nodes)))
    panels = {panel.key: panel for chart in charts for panel in chart.panels} or {"": Panel("", "")}
    order = list(panels)
    return {
        "grid": last.grid.value,
        "owners": list(owners),
        "colours": [owner.colour for owner in owners.values()],
        "panels": [_panel(panel) for panel in panels.values()],
        "places": [[key, *_at(spots[key], order)] for key in history.places.all],
        "ground": [
            [ground.name, *_at(ground.spot, order), _SIGHTINGS.index(ground.sighting)]
            for ground in last.ground
        ],
        "links": list(_links(charts, turns, history)),
        "ranges": [
            [each.title, each.reach, [history.places.number(key) for key in each.around]]
            for each in last.ranges
        ],
    }


def _panel(panel: Panel) -> list[Any]:
    area = panel.area
    edges = (area.left, area.top, area.right, area.bottom) if area is not None else ()
    return [panel.title, panel.plane, panel.level, [_short(edge) for edge in edges] or None]


def spots_of(charts: Sequence[Chart]) -> dict[str, Spot]:
    """Return where each place lies; one that was on an earlier map only is where it was then."""
    chart = charts[-1]
    nodes = {node.key: node for chart in charts for node in chart.nodes}
    links = [*chain.from_iterable(chart.links for chart in charts)]
    if chart.grid is not Grid.NONE:
        return {key: node.spot or Spot("", 0, 0) for key, node in nodes.items()}
    whole = replace(chart, nodes=tuple(nodes.values()), links=tuple(dict.fromkeys(links)))
    return {
        key: Spot("", cell.column * _COLUMN, cell.row * _ROW) for key, cell in cells(whole).items()
    }


def _at(spot: Spot, panels: Sequence[str]) -> tuple[int, float, float]:
    panel = panels.index(spot.panel) if spot.panel in panels else 0
    return panel, _short(spot.x), _short(spot.y)


def _short(value: float) -> float:
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded


@dataclass(frozen=True, slots=True)
class _Way:
    one: int
    other: int
    kind: LinkKind


def _links(charts: Sequence[Chart], turns: Sequence[int], history: History) -> Iterator[list[Any]]:
    """Yield each link once, by the numbers of its places, with the turn it is known since.

    Where places have coordinates, what only lies near is left out.
    """
    since: dict[_Way, int] = {}
    for chart, turn in zip(charts, turns, strict=True):
        known = {node.key for node in chart.nodes}
        for link in chart.links:
            is_near = link.kind is LinkKind.NEAR and chart.grid is not Grid.NONE
            if not is_near and {link.one, link.other} <= known:
                since.setdefault(_way(link, history), turn)
    for way, turn in since.items():
        yield [way.one, way.other, turn, way.kind.value]


def _way(link: Link, history: History) -> _Way:
    one, other = history.places.number(link.one), history.places.number(link.other)
    if link.kind is not LinkKind.JUMP and one > other:
        one, other = other, one
    return _Way(one, other, link.kind)
