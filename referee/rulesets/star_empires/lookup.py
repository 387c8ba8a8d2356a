"""The ships, sectors and classes that the words of an order refer to."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.hulls import ShipClass
from referee.rulesets.star_empires.orders import ClassName, Named, Place, ShipSet
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.state import Empire, Ship, State


@dataclass(frozen=True, slots=True)
class Found:
    """The ships an order names, and remarks about names that were not found."""

    ships: tuple[Ship, ...]
    remarks: tuple[str, ...] = ()


def ship_called(state: State, seat: Seat, callsign: str) -> Ship | None:
    """Return an empire's own ship of that name or serial number; use a Roster for several."""
    return Roster(state).called(seat, callsign)


def ships_called(roster: Roster, seat: Seat, callsigns: Iterable[str]) -> Found:
    """Return an empire's own ships of those names, each once, and a remark on other names."""
    ships: dict[int, Ship] = {}
    remarks = []
    for callsign in callsigns:
        ship = roster.called(seat, callsign)
        if ship is None:
            remarks.append(f"you have no ship {callsign}")
        else:
            ships[ship.number] = ship
    return Found(tuple(ships.values()), tuple(remarks))


def ships_of(roster: Roster, empire: Empire, ships: ShipSet) -> Found:
    """Return the ships of a set: those named, or all own unloaded ones at a place."""
    excepted = ships_called(roster, empire.seat, ships.excepted)
    if ships.place is None:
        found = ships_called(roster, empire.seat, ships.ships)
    else:
        found = _ships_in(roster, empire, ships.place)
    without = {ship.number for ship in excepted.ships}
    left = tuple(ship for ship in found.ships if ship.number not in without)
    return Found(left, (*found.remarks, *excepted.remarks))


def _ships_in(roster: Roster, empire: Empire, place: Place) -> Found:
    sector = sector_of(empire, place)
    if sector is None:
        assert isinstance(place, Named)
        return Found((), (f"you do not know a place called {place.name}",))
    here = tuple(s for s in roster.at(sector) if s.owner == empire.seat and not s.loaded)
    return Found(here, () if here else ("you have no unloaded ship there",))


def sector_of(empire: Empire, place: Place | str) -> Sector | None:
    """Return the galactic sector of a place in the empire's own words, or None if unknown.

    A name is looked up among the known worlds, then portals, then storms, ignoring case.
    """
    if isinstance(place, tuple):
        return empire.frame.galactic(place)
    wanted = (place.name if isinstance(place, Named) else place).casefold()
    for known in (empire.worlds, empire.portals, empire.storms):
        for each in known.values():
            if each.name.casefold() == wanted:
                return each.at
    return None


def class_called(state: State, empire: Empire, name: str) -> ShipClass | None:
    """Return a class that the empire knows by that name and has the design of, or None.

    Capital and small letters are the same.
    """
    wanted = name.casefold()
    keys = [key for key in empire.classes if class_name(empire, key).casefold() == wanted]
    return state.classes[min(keys)] if keys else None


def ships_or_classes(roster: Roster, empire: Empire, items: Iterable[str | ClassName]) -> Found:
    """Return the empire's own ships that are named, or that are of a named class."""
    ships: list[Ship] = []
    remarks = []
    for item in items:
        name = item.name if isinstance(item, ClassName) else item
        ship = None if isinstance(item, ClassName) else roster.called(empire.seat, name)
        kind = class_called(roster.state, empire, name) if ship is None else None
        if ship is not None:
            ships.append(ship)
        elif kind is not None:
            ships += [each for each in roster.fleet(empire.seat) if each.kind == kind.name]
        else:
            remarks.append(f"you have no ship or class {name}")
    return Found(tuple(ships), tuple(remarks))


def other_case(name: str, known: Iterable[str]) -> str:
    """Return a sentence on the known name that differs from *name* only in case, or ""."""
    meant = next((each for each in known if each.casefold() == name.casefold()), "")
    return f". Write {meant}: capital and small letters count here" if meant else ""


def one_sector(ships: Iterable[Ship]) -> Sector | None:
    """Return the sector all *ships* are in; None if there are none, or several sectors."""
    sectors = {ship.at for ship in ships}
    return sectors.pop() if len(sectors) == 1 else None
