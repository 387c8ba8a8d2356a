"""The map as a chart: stars on their hexes, colonies, fleets, and how far they reach."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from referee.rules.hexes import Hex
from referee.rules.ruleset import Seat
from referee.rules.spots import pointy
from referee.rules.views import (
    Area,
    Chart,
    Grid,
    Link,
    Mark,
    Node,
    Panel,
    Range,
    Spot,
    Unit,
    UnitKind,
)
from referee.rulesets.fistful.cluster import COLUMNS, ROWS
from referee.rulesets.fistful.knowledge import HIDDEN, believed, is_open
from referee.rulesets.fistful.state import LINE, REACH, Fleet, Star, State

_TITLE: Final = "The star cluster"


def chart(state: State, seat: Seat) -> Chart:
    """Return the stars with colonies and fleets, linked by the transport lines (F17)."""
    known = believed(state, seat)
    own = tuple(f"W{star.number}" for star in known.colonies_of(seat))
    supply = Range(f"{REACH} hexes from your colonies", REACH, own)
    return Chart(
        nodes=tuple(_node(known, star, seat) for star in known.stars.values()),
        links=tuple(_lines(state)),
        title=_TITLE,
        owners=(state.players[seat].name, state.players[state.other(seat)].name),
        grid=Grid.POINTY_HEXES,
        panels=(_panel(),),
        ranges=(supply,) if own else (),
    )


def truth(state: State) -> Chart:
    """Return the cluster with all colonies and fleets."""
    return Chart(
        nodes=tuple(_node(state, star, None) for star in state.stars.values()),
        links=tuple(_lines(state)),
        title=_TITLE,
        grid=Grid.POINTY_HEXES,
        panels=(_panel(),),
    )


def public(state: State) -> Chart:
    """Return the cluster as both players know it: in fog only the owners of colonies."""
    if is_open(state):
        return truth(state)
    known = state.copy()
    known.fleets = []
    for star in known.stars.values():
        star.fortified = star.besieged = False
    nobody = Seat(0)
    return replace(truth(known), nodes=tuple(_node(known, s, nobody) for s in known.stars.values()))


def _lines(state: State) -> Iterator[Link]:
    for one, other in combinations(state.stars, 2):
        if state.apart(one, other) <= LINE:
            yield Link(f"W{one}", f"W{other}")


def spot_of(at: Hex) -> Spot:
    """Return the spot of a hex. Every second row is half a hex further to the right."""
    row, column = at.row - 1, at.column - 1
    return pointy(column - row // 2, row)


def _panel() -> Panel:
    """Return the only panel, with all hexes of the map."""
    last = [spot_of(Hex(row, COLUMNS)) for row in (ROWS - 1, ROWS)]
    right, bottom = max(at.x for at in last), max(at.y for at in last)
    return Panel("", "", area=Area(0.0, 0.0, right, bottom))


def _node(known: State, star: Star, seat: Seat | None) -> Node:
    """Return a star with its colony and the fleets there, as a player or nobody knows them."""
    return Node(
        f"W{star.number}",
        (_size(known, star, seat),),
        "" if star.owner is None else known.players[star.owner].name,
        spot=spot_of(star.at),
        marks=tuple(_marks(known, star)),
        units=tuple(_unit(known, fleet, seat) for fleet in known.fleets_at(star.number)),
        details=(
            f"row {star.row}, column {star.column}",
            f"{known.rules.colours[star.capacity - 1]} star, colonies up to {star.capacity}",
        ),
    )


def _size(known: State, star: Star, seat: Seat | None) -> str:
    """Return the size of a colony, if it is known, and the most that it can have."""
    if star.owner is None:
        return f"most {star.capacity}"
    size = star.size if seat in (None, star.owner) or is_open(known) else HIDDEN
    return f"{size} of {star.capacity}"


def _marks(known: State, star: Star) -> Iterator[Mark]:
    # In fog no enemy colony is fortified: see what a player believes.
    if star.number in {player.home for player in known.players.values()}:
        yield Mark.HOME
    if star.fortified:
        yield Mark.FORTRESS
    if star.besieged:
        yield Mark.SIEGE


def _unit(known: State, fleet: Fleet, seat: Seat | None) -> Unit:
    owner = known.players[fleet.owner].name
    if fleet.letter == HIDDEN:
        return Unit(HIDDEN, owner, UnitKind.UNKNOWN, "fleets of unknown strength")
    reach = known.rules.range_of(fleet.ships) if fleet.owner == seat else 0
    ships = str(fleet.ships)
    return Unit(f"F{fleet.letter}", owner, UnitKind.FLEET, ships, reach, force=ships)
