"""The roster: the ships of a state by owner, name and sector, kept up to date as they change."""

from collections.abc import Iterable

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.state import Ship, State, World

_Ships = dict[int, Ship]
"""Ships by their numbers, in the order of the numbers."""


class Roster:
    """The ships of a state by owner, name and sector.

    While it is in use, ships are added, removed and moved only through it. Each index is made when
    it is first needed, and made again after a change that it does not follow.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self._fleets: dict[Seat, _Ships] = {seat: {} for seat in state.empires}
        for ship in state.ships.values():
            self._fleets.setdefault(ship.owner, {})[ship.number] = ship
        self._called: dict[Seat, dict[str, Ship]] = {}
        self._places: dict[Sector, _Ships] | None = None
        self._worlds: dict[Sector, list[World]] = {}
        for world in state.worlds.values():
            self._worlds.setdefault(world.at, []).append(world)

    def fleet(self, seat: Seat) -> list[Ship]:
        """Return the ships of an empire, ordered by their numbers."""
        return list(self._fleets.get(seat, {}).values())

    def called(self, seat: Seat, callsign: str) -> Ship | None:
        """Return an empire's own ship of that name or serial number, ignoring case, or None."""
        if seat not in self._called:
            self._called[seat] = {}
            for ship in self.fleet(seat):
                self._name(ship)
        return self._called[seat].get(callsign.casefold())

    def at(self, sector: Sector) -> list[Ship]:
        """Return the ships in a sector, including loaded ones, ordered by their numbers."""
        return list(self._by_place().get(sector, {}).values())

    def present(self, sector: Sector) -> set[Seat]:
        """Return the empires that have a ship or own a world there."""
        here = {ship.owner for ship in self._by_place().get(sector, {}).values()}
        worlds = self._worlds.get(sector, ())
        return here | {world.owner for world in worlds if world.owner is not None}

    def add(self, ship: Ship) -> None:
        """Add a new ship, whose number is the highest."""
        self.state.ships[ship.number] = ship
        self._fleets.setdefault(ship.owner, {})[ship.number] = ship
        if ship.owner in self._called:
            self._name(ship)
        if self._places is not None:
            self._places.setdefault(ship.at, {})[ship.number] = ship

    def remove(self, ship: Ship) -> None:
        """Remove a ship."""
        del self.state.ships[ship.number]
        del self._fleets[ship.owner][ship.number]
        # Another ship can have the same name, so the names are looked up again.
        self._called.pop(ship.owner, None)
        if self._places is not None:
            del self._places[ship.at][ship.number]

    def move(self, ships: Iterable[Ship], to: Sector) -> None:
        """Move ships to a sector."""
        for ship in ships:
            ship.at = to
        self._places = None

    def _name(self, ship: Ship) -> None:
        """Enter a ship under its name and its serial number; the lowest number has precedence."""
        for name in (ship.name, ship.serial):
            self._called[ship.owner].setdefault(name.casefold(), ship)

    def _by_place(self) -> dict[Sector, _Ships]:
        if self._places is None:
            self._places = {}
            for ship in self.state.ships.values():
                self._places.setdefault(ship.at, {})[ship.number] = ship
        return self._places
