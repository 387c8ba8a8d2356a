"""The commissioning of ships, and their cargo."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.orders import ShipSet
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.state import Ship, State

_SERIALS = 0xFFFFF
"""The largest serial number: five hex digits; 0 is not used (RULES 4.4)."""


class Shipyard:
    """The shipyard of an empire, which gives every ship its own serial number."""

    def __init__(self, roster: Roster, seat: Seat) -> None:
        self._roster, self._state, self._seat = roster, roster.state, seat
        self._serials = {ship.serial for ship in roster.fleet(seat)}

    def commission(self, kind: str, at: Sector, dice: Dice, name: str = "") -> Ship:
        """Return a new ship of a class, undamaged, with a private transponder (RULES 6.6.1)."""
        state = self._state
        state.commissioned += 1
        ship = Ship(
            number=state.commissioned,
            owner=self._seat,
            serial=self._serial(dice),
            name=name,
            kind=kind,
            at=at,
            dp=state.classes[kind].ratings.dp,
        )
        self._roster.add(ship)
        return ship

    def _serial(self, dice: Dice) -> str:
        while True:
            serial = f"{self._state.empires[self._seat].code}{1 + dice.below(_SERIALS):05x}"
            if serial not in self._serials:
                self._serials.add(serial)
                return serial


def commission(state: State, seat: Seat, kind: str, at: Sector, dice: Dice, name: str = "") -> Ship:
    """Return one new ship for an empire; use a Shipyard for several."""
    return Shipyard(Roster(state), seat).commission(kind, at, dice, name)


def cargo_by_carrier(state: State) -> Mapping[int, list[Ship]]:
    """Return the ships that each carrier carries, by its number."""
    cargo: defaultdict[int, list[Ship]] = defaultdict(list)
    for ship in state.ships.values():
        if ship.carrier is not None:
            cargo[ship.carrier].append(ship)
    return cargo


def with_cargo(state: State, ships: list[Ship]) -> list[Ship]:
    """Return the ships and everything they carry."""
    numbers = {ship.number for ship in ships}
    return [
        ship for ship in state.ships.values() if ship.number in numbers or ship.carrier in numbers
    ]


def named(ships: Iterable[Ship]) -> ShipSet:
    """Return the set of these ships, for an order."""
    return ShipSet(None, tuple(ship.callsign for ship in ships))
