"""The map as a chart: all that an empire knows of the galaxy, in its own coordinates."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.spots import flat
from referee.rules.views import (
    Chart,
    Grid,
    Ground,
    Link,
    LinkKind,
    Mark,
    Node,
    Panel,
    Spot,
    Unit,
    UnitKind,
)
from referee.rules.views import Sighting as Sight
from referee.rules.wording import counted
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.fleets import percent
from referee.rulesets.star_empires.knowledge import (
    Sighted,
    chart_of,
    knows_class,
    sighted,
    strangers,
)
from referee.rulesets.star_empires.names import natural
from referee.rulesets.star_empires.sectors import CENTRE, Frame, Sector, disk, distance, written
from referee.rulesets.star_empires.state import (
    Empire,
    Known,
    KnownPortal,
    KnownStorm,
    KnownWorld,
    Ship,
    Sighting,
    State,
)


def _units_of(state: State, empire: Empire) -> Mapping[Sector, tuple[Unit, ...]]:
    """Return the ships that an empire sees, by sector: its own, then others, then unknown ones."""
    there: defaultdict[Sector, list[Unit]] = defaultdict(list)
    for ship in sorted(state.fleet(empire.seat), key=lambda ship: natural(ship.callsign)):
        there[ship.at].append(_own(state, empire, ship))
    foreign = sorted(sighted(state, empire.seat), key=lambda each: _by_owner(state, each.ship))
    for each in foreign:
        there[each.ship.at].append(_foreign(state, empire, each))
    for at, found in strangers(state, empire.seat).items():
        ships = counted(found.number, "ship")
        text = f"{ships}, {counted(found.tonnage, 'ton')}"
        there[at].append(Unit("?", "", UnitKind.UNKNOWN, text, force=ships))
    return {at: tuple(units) for at, units in there.items()}


def _by_owner(state: State, ship: Ship) -> tuple[str, object]:
    return state.empires[ship.owner].name, natural(ship.callsign)


def _own(state: State, empire: Empire, ship: Ship) -> Unit:
    """Return a ship of which the empire knows everything."""
    kind = state.kind(ship)
    text = f"{class_name(empire, ship.kind)}, DP {ship.dp}/{kind.ratings.dp}"
    if ship.carrier is not None:
        text += f", on {state.ships[ship.carrier].callsign}"
    reach = 0 if ship.loaded else state.engines_to_move(ship)
    owner = state.empires[ship.owner].name
    return Unit(ship.callsign, owner, _kind(state, ship), text, reach)


def _foreign(state: State, empire: Empire, each: Sighted) -> Unit:
    """Return a foreign ship; only a close look shows its damage."""
    ship, kind = each.ship, state.kind(each.ship)
    text = class_name(empire, ship.kind)
    if each.close and knows_class(state, empire.seat, ship):
        text += f", DP {ship.dp}/{kind.ratings.dp}"
    elif each.close:
        text += f", {percent(ship, kind)}%"
    return Unit(ship.callsign, state.empires[ship.owner].name, _kind(state, ship), text)


def _kind(state: State, ship: Ship) -> UnitKind:
    return UnitKind.BASE if state.kind(ship).starbase else UnitKind.SHIP


_GAP: Final = 4
"""The distance up to which two sectors belong to one region."""


@dataclass(frozen=True, slots=True)
class Regions:
    """The panels of a map, and the one in which each sector is drawn."""

    frame: Frame
    panels: tuple[Panel, ...]
    of: Mapping[Sector, str]

    def spot(self, at: Sector) -> Spot:
        """Return the spot of a sector; the first coordinate grows to the east, y to the north."""
        oblique, y = self.frame.local(at)
        return flat(oblique, -y, self.of[at])


def regions_of(frame: Frame, home: Sector, sectors: Iterable[Sector]) -> Regions:
    """Return the regions of *sectors*, that of the home first."""
    parts = _parts(set(sectors))
    parts.sort(key=lambda part: min((distance(home, at), frame.local(at)) for at in part))
    panels, of = [], {}
    for number, part in enumerate(parts, 1):
        middle = _middle(part, home if number == 1 and home in part else None)
        title = f"Around {written(frame.local(middle))}" if len(parts) > 1 else ""
        panels.append(Panel(str(number), title))
        of.update(dict.fromkeys(part, str(number)))
    return Regions(frame, tuple(panels), of)


def _parts(left: set[Sector]) -> list[set[Sector]]:
    """Return the sectors in sets that are farther apart than the gap."""
    parts = []
    while left:
        part: set[Sector] = set()
        edge = [min(left)]
        left.discard(edge[0])
        while edge:
            at = edge.pop()
            part.add(at)
            near = [other for other in disk(at, _GAP) if other in left]
            left.difference_update(near)
            edge += near
        parts.append(part)
    return parts


def _middle(part: set[Sector], home: Sector | None) -> Sector:
    """Return the home, or the sector nearest to the middle of a region."""
    if home is not None:
        return home
    oblique, y = (sum(at[axis] for at in part) // len(part) for axis in (0, 1))
    return min(part, key=lambda at: (distance(at, (oblique, y)), at))


NEAR: Final = 3
"""The distance up to which places are linked on the chart; a probe covers it in one turn."""


def chart(state: State, seat: Seat) -> Chart:
    """Return the known places and sectors with ships, and the links between places."""
    empire = state.empires[seat]
    units = _units_of(state, empire)
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


def truth(state: State) -> Chart:
    """Return the whole galaxy in galactic coordinates, with all ships."""
    witness = _witness(state)
    there: defaultdict[Sector, list[Unit]] = defaultdict(list)
    for ship in sorted(state.ships.values(), key=lambda each: _by_owner(state, each)):
        there[ship.at].append(_own(state, witness, ship))
    units = {at: tuple(found) for at, found in there.items()}
    places = sorted(witness.objects(), key=lambda place: _rank(witness, place))
    ground = {*disk(CENTRE, state.radius), *units, *(place.at for place in places)}
    regions = regions_of(witness.frame, witness.home, ground)
    return Chart(
        nodes=tuple(_nodes(state, witness, places, units, regions)),
        links=(*_near(places), *_wormnets(state, witness)),
        title="The galaxy",
        grid=Grid.FLAT_HEXES,
        panels=regions.panels,
        ground=tuple(Ground(regions.spot(at), written(at)) for at in sorted(ground)),
    )


def _witness(state: State) -> Empire:
    """Return an empire of nobody that knows every world, portal and storm."""
    now = state.turn
    return Empire(
        Seat(0),
        name="",
        code="",
        navigation=set(state.portals),
        worlds={
            each.name: KnownWorld(
                each.name, each.at, each.production, each.owner, each.stockpile,
                each.homeworld, now,
            )
            for each in state.worlds.values()
        },
        portals={
            each.name: KnownPortal(each.name, each.at, each.collapsed, now)
            for each in state.portals.values()
        },
        storms={
            each.name: KnownStorm(each.name, each.at, each.intensity, now)
            for each in state.storms.values()
        },
    )  # fmt: skip


def keys(state: State, seat: Seat) -> Mapping[Sector, str]:
    """Return keys of the chart by sector: its first place, or else that of own ships."""
    empire = state.empires[seat]
    places = sorted(empire.objects(), key=lambda place: _rank(empire, place), reverse=True)
    units = {ship.at: written(empire.frame.local(ship.at)) for ship in state.fleet(seat)}
    return units | {place.at: place.name for place in places}


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
