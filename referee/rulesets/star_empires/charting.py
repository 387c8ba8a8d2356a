"""The map as a chart: the worlds and portals an empire knows, and the links between them."""

from itertools import combinations
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.views import Chart, Link, Node
from referee.rules.views import Sighting as Sight
from referee.rulesets.star_empires.knowledge import chart_of, chart_status
from referee.rulesets.star_empires.sectors import distance, written
from referee.rulesets.star_empires.state import Empire, KnownPortal, KnownWorld, Sighting, State

NEAR: Final = 3
"""The distance up to which places are linked on the chart; a probe covers it in one turn."""


def chart(state: State, seat: Seat) -> Chart:
    """Return the known worlds and portals, with links between near ones and along wormnets."""
    empire = state.empires[seat]
    sectors = chart_of(empire)
    places: list[KnownWorld | KnownPortal] = [*empire.worlds.values(), *empire.portals.values()]
    places.sort(key=lambda place: (distance(place.at, empire.home), place.name))
    owners = [state.empires[s].name for s in sorted(state.empires) if s != seat]
    return Chart(
        nodes=tuple(
            _node(state, empire, place, chart_status(sectors, place.at)) for place in places
        ),
        links=tuple(
            Link(one.name, other.name)
            for one, other in combinations(places, 2)
            if distance(one.at, other.at) <= NEAR or _joined(state, empire, one.name, other.name)
        ),
        title="What you know",
        owners=(empire.name, *owners),
    )


def _joined(state: State, empire: Empire, one: str, other: str) -> bool:
    """Return whether the empire's navigation data shows a wormnet between the two."""
    if not {one, other} <= empire.navigation or not {one, other} <= state.portals.keys():
        return False
    return other in state.portals[one].exits or one in state.portals[other].exits


def _node(state: State, empire: Empire, place: KnownWorld | KnownPortal, seen: Sighting) -> Node:
    lines = [written(empire.frame.local(place.at))]
    owner = ""
    if isinstance(place, KnownWorld):
        lines.append(f"makes {place.production}")
        owner = "" if place.owner is None else state.empires[place.owner].name
    else:
        lines.append("portal")
    return Node(
        place.name,
        tuple(lines),
        owner,
        Sight.REMEMBERED if seen is Sighting.STALE else Sight.SEEN,
    )
