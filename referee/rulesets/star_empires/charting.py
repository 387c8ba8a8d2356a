"""The map as a chart: all that an empire knows of the galaxy, in its own coordinates."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.views import Chart, Grid, Ground, Link, LinkKind, Mark, Node, Unit
from referee.rules.views import Sighting as Sight
from referee.rulesets.star_empires.knowledge import chart_of
from referee.rulesets.star_empires.regions import Regions, regions_of
from referee.rulesets.star_empires.sectors import Sector, distance, written
from referee.rulesets.star_empires.state import (
    Empire,
    Known,
    KnownPortal,
    KnownStorm,
    KnownWorld,
    Sighting,
    State,
)
from referee.rulesets.star_empires.visible_ships import units_of

NEAR: Final = 3
"""The distance up to which places are linked on the chart; a probe covers it in one turn."""


def chart(state: State, seat: Seat) -> Chart:
    """Return the known places and sectors with ships, and the links between places."""
    empire = state.empires[seat]
    units = units_of(state, empire)
    places = sorted(empire.objects(), key=lambda place: _rank(empire, place))
    sectors = {each.at: _sight(each.status) for each in empire.chart}
    unseen = {place.at: Sight.UNEXPLORED for place in places} | dict.fromkeys(
        units, Sight.UNEXPLORED
    )
    ground = unseen | sectors
    regions = regions_of(empire.frame, empire.home, ground)
    nodes = tuple(_nodes(state, empire, places, units, regions))
    return Chart(
        nodes=nodes,
        links=(*_near(places), *_wormnets(state, empire)),
        title="What you know",
        owners=(empire.name, *_known_empires(state, empire, nodes)),
        grid=Grid.FLAT_HEXES,
        panels=regions.panels,
        ground=tuple(
            Ground(regions.spot(at), written(empire.frame.local(at)), how)
            for at, how in sorted(ground.items())
        ),
    )


def _rank(empire: Empire, place: Known) -> tuple[int, bool, str]:
    return distance(place.at, empire.home), isinstance(place, KnownStorm), place.name


def _sight(status: Sighting) -> Sight:
    return Sight.REMEMBERED if status is Sighting.STALE else Sight.SEEN


def _nodes(
    state: State,
    empire: Empire,
    places: list[Known],
    units: Mapping[Sector, tuple[Unit, ...]],
    regions: Regions,
) -> Iterator[Node]:
    """Yield the places, the units of a sector at its first one, and sectors with only units."""
    left = dict(units)
    stale = {at for at, seen in chart_of(empire).items() if seen.status is Sighting.STALE}
    for place in places:
        is_old = place.turn < state.turn if isinstance(place, KnownStorm) else place.at in stale
        yield Node(
            place.name,
            tuple(_lines(place)),
            _owner(state, place),
            Sight.REMEMBERED if is_old else Sight.SEEN,
            spot=regions.spot(place.at),
            marks=tuple(_marks(place)),
            units=left.pop(place.at, ()),
            details=(written(empire.frame.local(place.at)), f"seen in turn {place.turn}"),
        )
    for at, there in sorted(left.items()):
        yield Node(written(empire.frame.local(at)), (), spot=regions.spot(at), units=there)


def _known_empires(state: State, empire: Empire, nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the names that the empire knows, in the order in which it first saw them.

    So an empire has the same colour in every turn. Those that a GM made known come last, until the
    next turn.
    """
    yield from (state.empires[seat].name for seat in empire.named)
    units = chain.from_iterable(node.units for node in nodes)
    shown = {node.owner for node in nodes} | {unit.owner for unit in units}
    for seat, other in sorted(state.empires.items(), key=lambda each: each[1].name):
        is_known = seat in empire.contacts or other.name in shown
        if is_known and seat not in (empire.seat, *empire.named):
            yield other.name


def _owner(state: State, place: Known) -> str:
    if not isinstance(place, KnownWorld) or place.owner is None:
        return ""
    return state.empires[place.owner].name


def _lines(place: Known) -> Iterator[str]:
    match place:
        case KnownWorld():
            yield f"makes {place.production}"
            if place.stockpile is not None:
                yield f"has {place.stockpile}"
        case KnownPortal():
            if place.collapsed:
                yield "collapsed"
        case KnownStorm():
            if place.intensity:
                yield f"strength {place.intensity}"


def _marks(place: Known) -> Iterator[Mark]:
    match place:
        case KnownWorld():
            if place.homeworld:
                yield Mark.HOME
            yield Mark.PRODUCTION
        case KnownPortal():
            yield Mark.PORTAL
        case KnownStorm():
            yield Mark.STORM if place.intensity else Mark.NEBULA


def _near(places: list[Known]) -> Iterator[Link]:
    worlds = [place for place in places if not isinstance(place, KnownStorm)]
    for one, other in combinations(worlds, 2):
        if distance(one.at, other.at) <= NEAR:
            yield Link(one.name, other.name, kind=LinkKind.NEAR)


def _wormnets(state: State, empire: Empire) -> Iterator[Link]:
    """Yield the ways between portals that the empire's navigation data shows."""
    known = sorted(empire.navigation & state.portals.keys() & empire.portals.keys())
    exits: defaultdict[str, set[str]] = defaultdict(set)
    for name in known:
        exits[name] = state.portals[name].exits
    for one in known:
        for other in known:
            if other in exits[one]:
                yield Link(one, other, kind=LinkKind.JUMP)
