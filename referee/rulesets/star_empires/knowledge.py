"""What an empire knows: the foreign ships it sees, and the game as far as it can believe it."""

from collections.abc import Iterator
from dataclasses import dataclass

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.state import (
    Empire,
    KnownWorld,
    Portal,
    Seen,
    Ship,
    Sighting,
    State,
    Storm,
    World,
)


@dataclass(frozen=True, slots=True)
class Sighted:
    """A foreign ship that an empire sees: with all that can be seen, or as its transponder says."""

    ship: Ship
    close: bool
    """Whether it is on short-range scan."""


@dataclass(frozen=True, slots=True)
class Strangers:
    """Ships that nobody has identified: how many, and how heavy together."""

    number: int
    tonnage: int


def sighted(state: State, seat: Seat) -> Iterator[Sighted]:
    """Return the foreign ships an empire can tell from others (R3.0, R6.8.2, R6.8.3).

    Loaded ships are never seen. Who shares his scans shows the ships of others that he sees, but
    of his own only those that do not conceal themselves from the empire.
    """
    chart = chart_of(state.empires[seat])
    for ship in state.ships.values():
        seen = chart.get(ship.at)
        if seen is None or ship.owner == seat or ship.loaded:
            continue
        open_ = ship.public or seat in ship.identified
        if Sighting.VISIBLE in _views(seen, ship, open_=open_):
            yield Sighted(ship, close=True)
        elif open_ and seen.status is not Sighting.STALE:
            yield Sighted(ship, close=False)


def _views(seen: Seen, ship: Ship, *, open_: bool) -> Iterator[Sighting]:
    """Return how well the empire itself, and all who share with it, show a ship in a sector."""
    yield seen.own
    yield from (how for donor, how in seen.shown.items() if open_ or donor != ship.owner)


def strangers(state: State, seat: Seat) -> dict[Sector, Strangers]:
    """Give, by sector, the ships on an empire's long-range scan that nothing identifies."""
    chart = chart_of(state.empires[seat])
    named = {each.ship.number for each in sighted(state, seat)}
    found: dict[Sector, Strangers] = {}
    for ship in state.ships.values():
        seen = chart.get(ship.at)
        if seen is None or ship.loaded or ship.owner == seat or ship.number in named:
            continue
        if Sighting.SCANNED in _views(seen, ship, open_=False):
            before = found.get(ship.at, Strangers(0, 0))
            tonnage = before.tonnage + state.kind(ship).tonnage
            found[ship.at] = Strangers(before.number + 1, tonnage)
    return found


def knows_class(state: State, seat: Seat, ship: Ship) -> bool:
    """Return whether an empire knows what a ship's class can do."""
    return ship.kind in state.empires[seat].classes


def believed(state: State, seat: Seat) -> State:
    """Return the game as an empire can believe it: what it knows, and nothing beside it.

    Two states that differ only in what the empire may not know give the same. Foreign ships are in
    it when they are seen closely and their class is known; of portals only the ways that the
    empire's navigation data tell.
    """
    own = state.empires[seat].copy()
    chart = chart_of(own)
    ships = [
        *state.fleet(seat),
        *(s.ship for s in sighted(state, seat) if _is_open(state, seat, s)),
    ]
    empires = {
        other.seat: _stranger(other) for other in state.empires.values() if other.seat != seat
    }
    return State(
        turn=state.turn,
        table=state.table,
        worlds={name: _world(state, own.worlds[name], chart) for name in sorted(own.worlds)},
        portals={name: _portal(state, own, name) for name in sorted(own.portals)},
        storms={
            known.name: Storm(known.name, known.at, known.intensity)
            for known in own.storms.values()
        },
        ships={ship.number: ship.copy() for ship in sorted(ships, key=lambda s: s.number)},
        classes={name: state.classes[name] for name in sorted(own.classes) if name in state.classes}
        | {ship.kind: state.classes[ship.kind] for ship in state.fleet(seat)},
        empires={**empires, seat: own},
        devices=state.devices,
        alliance_size=state.alliance_size,
        radius=state.radius,
        game=state.game,
        commissioned=max((ship.number for ship in ships), default=0),
    )


def _is_open(state: State, seat: Seat, seen: Sighted) -> bool:
    return seen.close and knows_class(state, seat, seen.ship)


def _stranger(empire: Empire) -> Empire:
    """Return another empire with nothing but its name, which everybody may know."""
    return Empire(empire.seat, empire.name, code="XX")


def _world(state: State, known: KnownWorld, chart: dict[Sector, Seen]) -> World:
    """Return a world as it is known; what is not known of it counts for nothing."""
    world = World(
        known.name,
        known.at,
        known.production,
        known.stockpile or 0,
        known.owner,
        homeworld=known.homeworld,
    )
    if chart_status(chart, known.at) is Sighting.VISIBLE and known.name in state.worlds:
        world.prohibition = state.worlds[known.name].prohibition
    return world


def _portal(state: State, own: Empire, name: str) -> Portal:
    known = own.portals[name]
    exits: set[str] = set()
    if name in own.navigation and name in state.portals:
        exits = state.portals[name].exits & own.navigation & own.portals.keys()
    return Portal(name, known.at, exits, known.collapsed)


def chart_of(empire: Empire) -> dict[Sector, Seen]:
    """Return an empire's map by its sectors."""
    return {each.at: each for each in empire.chart}


def chart_status(chart: dict[Sector, Seen], at: Sector) -> Sighting:
    """Say how well a sector is seen now; what is not on the map is not seen any better."""
    return chart[at].status if at in chart else Sighting.STALE
