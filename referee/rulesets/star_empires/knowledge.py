"""The knowledge of an empire: the foreign ships it sees, and the state as it knows it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.rules.ruleset import Seat
from referee.rules.wording import counted
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
    """A foreign ship that an empire sees: closely, or by its transponder."""

    ship: Ship
    close: bool
    """Whether the ship is on short-range scan."""


@dataclass(frozen=True, slots=True)
class Strangers:
    """Unidentified ships: their number, and their total tonnage."""

    number: int
    tonnage: int


def sighted(state: State, seat: Seat) -> Iterator[Sighted]:
    """Return the foreign ships an empire can identify (R3.0, R6.8.2, R6.8.3).

    Loaded ships are never seen. An empire that shares its scans shows the foreign ships it sees,
    but only those of its own that are public or identified to the recipient.
    """
    chart = chart_of(state.empires[seat])
    for ship in state.ships.values():
        if ship.owner == seat or ship.loaded:
            continue
        seen = chart.get(ship.at)
        if seen is None:
            continue
        open_ = ship.public or seat in ship.identified
        if _is_seen(seen, ship, Sighting.VISIBLE, open_=open_):
            yield Sighted(ship, close=True)
        elif open_ and seen.status is not Sighting.STALE:
            yield Sighted(ship, close=False)


def _is_seen(seen: Seen, ship: Ship, how: Sighting, *, open_: bool) -> bool:
    """Return whether the empire, or one that shares with it, sees a ship there that well."""
    if seen.own is how:
        return True
    if open_ or how not in seen.shown.values():
        return how in seen.shown.values()
    return any(each is how for donor, each in seen.shown.items() if donor != ship.owner)


def strangers(state: State, seat: Seat) -> dict[Sector, Strangers]:
    """Return, by sector, the unidentified ships on an empire's long-range scan."""
    chart = chart_of(state.empires[seat])
    named = {each.ship.number for each in sighted(state, seat)}
    found: dict[Sector, Strangers] = {}
    for ship in state.ships.values():
        seen = chart.get(ship.at)
        if seen is None or ship.loaded or ship.owner == seat or ship.number in named:
            continue
        if _is_seen(seen, ship, Sighting.SCANNED, open_=False):
            before = found.get(ship.at, Strangers(0, 0))
            tonnage = before.tonnage + state.kind(ship).tonnage
            found[ship.at] = Strangers(before.number + 1, tonnage)
    return found


def others_by_sector(state: State, seat: Seat) -> Iterator[tuple[Sector, str]]:
    """Yield the ships and worlds of others by sector, in words."""
    for world in state.empires[seat].worlds.values():
        if world.owner not in (seat, None):
            yield world.at, f"the world of {state.empires[world.owner].name}"
    ships = (each.ship for each in sighted(state, seat))
    seen = Counter((ship.at, state.empires[ship.owner].name) for ship in ships)
    for (at, name), number in sorted(seen.items()):
        yield at, f"{counted(number, 'ship')} of {name}"
    for at, unknown in strangers(state, seat).items():
        yield at, counted(unknown.number, "unidentified ship")


def knows_class(state: State, seat: Seat, ship: Ship) -> bool:
    """Return whether an empire has the design of a ship's class."""
    return ship.kind in state.empires[seat].classes


def believed(state: State, seat: Seat) -> State:
    """Return the state as an empire knows it, and nothing more."""
    return scene(state, seat, sighted(state, seat))


def scene(state: State, seat: Seat, seen: Iterable[Sighted]) -> State:
    """Return the state as an empire knows it that sees those foreign ships.

    States that differ only in things hidden from the empire give equal results. The result has
    the foreign ships that are seen closely and whose class is known, and of the portals only the
    links in the empire's navigation data.
    """
    own = state.empires[seat].copy()
    chart = chart_of(own)
    fleet = state.fleet(seat)
    ships = [*fleet, *(each.ship for each in seen if _is_open(state, seat, each))]
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
        | {ship.kind: state.classes[ship.kind] for ship in fleet},
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
    """Return another empire with nothing but its name, which is public."""
    return Empire(empire.seat, empire.name, code="XX")


def _world(state: State, known: KnownWorld, chart: dict[Sector, Seen]) -> World:
    """Return a world as it is known; unknown values are 0 or None."""
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
    """Return how well a sector is seen now; STALE if it is not on the map."""
    return chart[at].status if at in chart else Sighting.STALE
