"""Ships that come into being and go out of it."""

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.state import Ship, State

_SERIALS = 0xFFFFF
"""A serial number has five hex digits, and none is 0 (RULES 4.4)."""


def commission(state: State, seat: Seat, kind: str, at: Sector, dice: Dice, name: str = "") -> Ship:
    """Give an empire a new ship of a class, whole and with a private transponder (RULES 6.6.1)."""
    state.commissioned += 1
    ship = Ship(
        number=state.commissioned,
        owner=seat,
        serial=_serial(state, seat, dice),
        name=name,
        kind=kind,
        at=at,
        dp=state.classes[kind].ratings.dp,
    )
    state.ships[ship.number] = ship
    return ship


def _serial(state: State, seat: Seat, dice: Dice) -> str:
    taken = {ship.serial for ship in state.fleet(seat)}
    while True:
        serial = f"{state.empires[seat].code}{1 + dice.below(_SERIALS):05x}"
        if serial not in taken:
            return serial


def with_cargo(state: State, ships: list[Ship]) -> list[Ship]:
    """Give the ships and all that they carry."""
    numbers = {ship.number for ship in ships}
    return [
        ship for ship in state.ships.values() if ship.number in numbers or ship.carrier in numbers
    ]
