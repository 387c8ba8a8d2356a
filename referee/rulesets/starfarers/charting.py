"""The map as a chart: a panel for each galaxy, with hexes, ships and bases."""

from collections.abc import Iterator, Sequence
from typing import Final

from referee.rules.extras import Colour
from referee.rules.ruleset import Seat
from referee.rules.spots import corner, pointy
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
from referee.rulesets.starfarers.galaxies import content, ways
from referee.rulesets.starfarers.state import CORNERS, Base, Hex, Kind, Ship, State

MARKS: Final = {
    Kind.MOTHERSHIP: Mark.HOME,
    Kind.PLANET: Mark.PRODUCTION,
    Kind.PIRATES: Mark.PIRATES,
    Kind.TRADER: Mark.TRADER,
    Kind.MERCENARIES: Mark.MERCENARIES,
    Kind.TELEPORTER: Mark.TELEPORTER,
    Kind.WORMHOLE: Mark.WORMHOLE,
}


def chart(state: State, seat: Seat) -> Chart:
    """Return the visible hexes with ships and bases, linked to their neighbours."""
    galaxies = [galaxy for galaxy in state.players if state.sees(seat, galaxy)]
    names = [state.players[seat].name]
    names += [player.name for other, player in state.players.items() if other != seat]
    return _space(state, seat, galaxies, tuple(names))


def truth(state: State) -> Chart:
    """Return all explored hexes, with all that is on them."""
    return _space(state, None, list(state.players), ())


def colours(state: State) -> dict[Seat, Colour]:
    """Return the colour of each player."""
    return {each.seat: Colour(each.colour) for each in state.players.values() if each.colour}


def public(state: State) -> Chart | None:
    """Return all explored hexes without the encounters that only some have met; None in fog."""
    galaxies = list(state.players)
    is_open = all(state.sees(None, galaxy) for galaxy in galaxies)
    return _space(state, Seat(0), galaxies, ()) if is_open else None


def _space(
    state: State, seat: Seat | None, galaxies: Sequence[Seat], owners: tuple[str, ...]
) -> Chart:
    """Return the hexes of *galaxies* as a player knows them; without a seat, as they are."""
    shown = [place for place in state.hexes.values() if place.galaxy in galaxies]
    numbers = {place.number for place in shown}
    return Chart(
        nodes=tuple(_node(state, place, seat) for place in shown),
        links=tuple(
            Link(f"H{place.number}", f"H{number}", kind=LinkKind.NEAR)
            for place in shown
            for _, number in ways(state, place)
            if place.number < number and number in numbers
        ),
        title="Known space",
        owners=owners,
        grid=Grid.POINTY_HEXES,
        panels=tuple(_panel(state, galaxy) for galaxy in galaxies),
        ground=tuple(Ground(_spot(place)) for place in shown),
    )


def _panel(state: State, galaxy: Seat) -> Panel:
    key = f"P{galaxy}"
    return Panel(key, f"Galaxy of {state.players[galaxy].name}", plane=key)


def _spot(place: Hex) -> Spot:
    return pointy(*place.at, f"P{place.galaxy}")


def _node(state: State, place: Hex, seat: Seat | None) -> Node:
    bases = [base for base in state.bases.values() if base.hex == place.number]
    settled = [base for base in bases if not base.orbital]
    owner = _lord(state, place) or next((base.owner for base in settled), None)
    told = content(place, met=seat is None or seat in place.met)
    return Node(
        f"H{place.number}",
        () if place.kind is Kind.EMPTY else tuple(told.split(", ")),
        "" if owner is None else state.players[owner].name,
        spot=_spot(place),
        marks=tuple(_marks(place)),
        units=(*_ships(state, place, seat), *(_base(state, place, base) for base in bases)),
        details=(f"at {place.at[0]},{place.at[1]}", told),
    )


def _lord(state: State, place: Hex) -> Seat | None:
    """Return who holds the mothership of a hex, or None if there is none."""
    if place.kind is not Kind.MOTHERSHIP:
        return None
    return state.players[place.galaxy].captor or place.galaxy


def _marks(place: Hex) -> Iterator[Mark]:
    if place.kind in MARKS:
        yield MARKS[place.kind]
    if place.occupied:
        yield Mark.PEOPLE


def _ships(state: State, place: Hex, seat: Seat | None) -> Iterator[Unit]:
    for ship in state.ships.values():
        if ship.hex == place.number:
            kind = UnitKind.MERCENARY if ship.mercenary else UnitKind.SHIP
            text = "mercenary" if ship.mercenary else "starship"
            text += "" if state.is_ready(ship) else ", rebuilt"
            owner = state.players[ship.owner].name
            yield Unit(f"S{ship.number}", owner, kind, text, _reach(state, ship, seat))


def _reach(state: State, ship: Ship, seat: Seat | None) -> int:
    """Return how far a ship of the player can move in known space (rule 11)."""
    moves = ship.owner == seat and state.is_ready(ship) and not ship.mercenary
    return 1 + state.players[ship.owner].boosters if moves else 0


def _base(state: State, place: Hex, base: Base) -> Unit:
    """Return a base; one in orbit stands at its corner of the hex."""
    at = corner(_spot(place), CORNERS.index(base.corner)) if base.orbital else None
    where = f"in orbit, corner {base.corner}" if base.orbital else "on the planet"
    owner = state.players[base.owner].name
    return Unit(f"B{base.number}", owner, UnitKind.BASE, f"{base.kind.called} {where}", spot=at)
