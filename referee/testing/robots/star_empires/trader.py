"""A peaceful robot that designs classes, gives away designs and RU, and makes allies."""

from typing import ClassVar, Final

from referee.testing.robots.star_empires.hexes import Sector
from referee.testing.robots.star_empires.reading import SeenWorld
from referee.testing.robots.star_empires.robot import Robot, foreign_worlds
from referee.testing.robots.star_empires.sheet import Sheet

_DESIGNS: Final = (
    ("corvette gunship 12 10 3 1 0", 9),
    ("picket scout 2 2 2 2 0", 2),
    ("bastion orbital 20 40 0 1 1", 12),
)
"""The designs it makes, each with its fee and a margin in RU."""
_GIFT: Final = 3


class Trader(Robot):
    """A robot that gives to its partners and fires only at other empires."""

    greeting: ClassVar[str] = "We trade in designs. What have you got?"

    def __init__(self) -> None:
        super().__init__()
        self.given: set[tuple[str, str]] = set()
        """The designs it gave away, with the recipients."""
        self.partners: list[str] = []

    def welcome(self, sheet: Sheet, name: str) -> None:
        """Make the first two contacts partners, and identify all ships to them."""
        if len(self.partners) < 2:
            self.partners.append(name)
            sheet.say(f"ALLY {name}")
            sheet.say(f"IDENTIFY ALL TO {name}")

    def scheme(self, sheet: Sheet) -> None:
        """Send designs to the partners; later hide the warships from them."""
        game = sheet.game
        mine = [design.split()[0] for design, _ in _DESIGNS]
        for partner in self.partners:
            new = [name for name in mine if name in game.designs]
            new = [name for name in new if (name, partner) not in self.given]
            if new:
                self.given |= {(name, partner) for name in new}
                sheet.say(f"GIVE {' '.join(new)} TO {partner}")
            seen = game.transponders.get(partner, frozenset())
            hidden = seen & {ship.name for ship in game.ships if ship.kind == self.warship}
            if game.turn % 6 == 0 and hidden:
                sheet.say(f"CONCEAL @{self.warship} FROM {partner}")

    def is_hostile(self, sheet: Sheet, name: str, at: Sector) -> bool:
        """Return whether an empire is an enemy; partners never are."""
        return name not in self.partners and super().is_hostile(sheet, name, at)

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Design one class after the other, and send RU to a partner."""
        game = sheet.game
        if world.name != game.home or game.turn < 3:
            return
        line, fee = _DESIGNS[game.turn % len(_DESIGNS)]
        sheet.design(world, line, fee)
        for partner in self.partners:
            homes = [each for each in foreign_worlds(game) if each.owner == partner]
            if homes and game.turn % 5 == 0:
                sheet.transfer(world, _GIFT, homes[0].name, partner)

    def arm(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build an orbital at home first."""
        lacking = not any(ship.kind == "bastion" for ship in sheet.game.ships)
        if world.name == sheet.game.home and "bastion" in sheet.classes and lacking:
            sheet.build(world, "bastion", "bastion")
        super().arm(sheet, world)
