"""Ship types and their units (rules 17 to 20, and the ship table)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.ruleset import UserError

SYSTEM, DRIVE, SLIP, JUMP = "S", "D", "L", "J"
WEAPON, ARMOR, MULTIFIRE, SENSOR, TERRAFORM = "W", "A", "M", "N", "T"

UNITS: Final[Mapping[str, str]] = {
    SYSTEM: "system",
    WEAPON: "weapon",
    MULTIFIRE: "multifire",
    DRIVE: "drive",
    ARMOR: "armor",
    SLIP: "slip",
    JUMP: "jump",
    SENSOR: "sensor",
    TERRAFORM: "terraforming",
}
"""The kinds of units by their letters, in the order of repair (T11)."""

WRITTEN: Final = "SDLJWAMNT"
"""The kinds of units in the order in which they are written."""

Unit = str
"""The letter of a kind of unit."""
Units = dict[Unit, int]
"""The number of working units of each kind."""


def written(units: Units) -> str:
    """Return units as the table of ships writes them, a letter for each: ``SDDW``."""
    return "".join(unit * units.get(unit, 0) for unit in WRITTEN)


@dataclass(frozen=True, slots=True)
class ShipType:
    """A type of ship: letter, name, units and cost."""

    letter: str
    name: str
    units: str
    """A letter for each unit: ``SDDW``."""
    cost: int

    def undamaged(self) -> Units:
        """Return the units of a ship that has no damage."""
        return {letter: self.units.count(letter) for letter in UNITS if letter in self.units}


NAMES: Final[Mapping[str, str]] = {
    "F": "fighter",
    "S": "scout",
    "R": "raider",
    "J": "jumper",
    "T": "terraformer",
    "C": "cruiser",
    "B": "basestar",
}
USUAL: Final[Mapping[str, str]] = {
    "F": "SDDW 4",
    "S": "SDDLN 5",
    "R": "SDDLW 5",
    "J": "SDDJW 5",
    "T": "SDDAT 5",
    "C": "SDDDLWWAAM 10",
    "B": "SDWWWAAAAAMN 15",
}
"""The units and the cost of each type. The rules give the kinds of units, we the numbers."""


SEVERAL: Final = {DRIVE, WEAPON, ARMOR}
"""The kinds of which a ship can have more than one unit (rule 18)."""
HEAVY: Final = "CB"
"""The types that can have more than one weapon (rule 17)."""
MOST_COST: Final = 999


def ship_type(letter: str, text: str) -> ShipType:
    """Return the ship type for a text such as ``SDDW 4``. Raises UserError if it is invalid."""
    units, _, cost = text.strip().upper().partition(" ")
    option = f"ships.{letter.lower()}"
    if not cost.isdecimal() or not cost.isascii() or not set(units) <= UNITS.keys():
        raise UserError(
            f"{option}: expected units and a cost, such as {USUAL[letter]!r}, but found {text!r}. "
            f"The units are {', '.join(f'{u} {name}' for u, name in UNITS.items())}."
        )
    if reason := _objection(letter, units, int(cost)):
        raise UserError(f"{option}: {reason}.")
    return ShipType(letter, NAMES[letter], units, int(cost))


def _objection(letter: str, units: str, cost: int) -> str:
    """Return why such a ship is impossible, or an empty string (rules 17 to 19)."""
    if SYSTEM not in units:
        return "a ship needs a system, S"
    single = [unit for unit in UNITS if unit not in SEVERAL and units.count(unit) > 1]
    if single:
        return f"a ship can have only one {UNITS[single[0]]} unit"
    if WEAPON not in units and DRIVE not in units:
        return "a ship needs a weapon W or a drive D"
    if letter not in HEAVY and units.count(WEAPON) > 1:
        return "only cruisers and basestars can have more than one weapon"
    return f"the cost must be from 1 to {MOST_COST} points" if not 1 <= cost <= MOST_COST else ""
