"""Ships that come into being and go out of it."""

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.state import Ship, State

_SERIALS = 0xFFFFF
"""A serial number has five hex digits, and none is 0 (RULES 4.4)."""


class Shipyard:
    """Commissions ships of an empire, none with the serial number of another."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._state, self._seat = state, seat
        self._serials = {ship.serial for ship in state.fleet(seat)}

    def commission(self, kind: str, at: Sector, dice: Dice, name: str = "") -> Ship:
        """Return a new ship of a class, whole and with a private transponder (RULES 6.6.1)."""
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
        state.ships[ship.number] = ship
        return ship

    def _serial(self, dice: Dice) -> str:
        while True:
            serial = f"{self._state.empires[self._seat].code}{1 + dice.below(_SERIALS):05x}"
            if serial not in self._serials:
                self._serials.add(serial)
                return serial


def commission(state: State, seat: Seat, kind: str, at: Sector, dice: Dice, name: str = "") -> Ship:
    """Return an empire one new ship; for many at once there is a shipyard."""
    return Shipyard(state, seat).commission(kind, at, dice, name)


def with_cargo(state: State, ships: list[Ship]) -> list[Ship]:
    """Return the ships and all that they carry."""
    numbers = {ship.number for ship in ships}
    return [
        ship for ship in state.ships.values() if ship.number in numbers or ship.carrier in numbers
    ]
