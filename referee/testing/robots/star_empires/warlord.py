"""A robot that gathers a fleet and captures foreign worlds."""

from typing import ClassVar, Final

from referee.testing.robots.star_empires.hexes import Sector, distance
from referee.testing.robots.star_empires.reading import SeenGame, SeenShip, SeenWorld
from referee.testing.robots.star_empires.robot import Robot, foreign_worlds
from referee.testing.robots.star_empires.sheet import Sheet

_FLEET: Final = 4
"""The number of warships that attack together."""
_BEARABLE: Final = 5
"""The damage of a storm that its ships accept."""
_SIEGE: Final = 320
"""The number of guns with which it attacks starbases."""


class Warlord(Robot):
    """A robot that attacks all empires, but avoids starbases until it is strong."""

    bold: ClassVar[bool] = True
    warship: ClassVar[str] = "hussar"
    greeting: ClassVar[str] = "Your worlds will be ours. Leave them while you can."

    def __init__(self) -> None:
        super().__init__()
        self.prey: Sector | None = None
        """The target of the fleet."""

    def scheme(self, sheet: Sheet) -> None:
        """Choose a target when the fleet is large enough, and a new one when it is taken."""
        game = sheet.game
        fleet = [ship for ship in game.ships if ship.guns > 1 and ship.engines]
        strong = sum(ship.guns for ship in fleet) >= _SIEGE
        worlds = foreign_worlds(game)
        targets = {world.at for world in worlds if strong or not world.homeworld}
        if self.prey not in targets:
            best = min(targets, key=lambda at: (distance(at, game.base), at), default=None)
            self.prey = best if len(fleet) >= _FLEET else None

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Design a faster warship when the homeworld can pay the fee."""
        if world.name == sheet.game.home:
            sheet.design(world, "hussar gunship 18 12 3 0 0", 9)

    def campaign(self, sheet: Sheet, ship: SeenShip) -> None:
        """Attack the target together; wait at home until there are enough warships."""
        if self.prey is None:
            super().campaign(sheet, ship)
        elif self.is_ready(sheet.game, ship):
            self.go(sheet, ship, self.prey)

    def is_ready(self, game: SeenGame, ship: SeenShip) -> bool:
        """Return whether a ship need not wait for others."""
        here = [each for each in game.ships_at(ship.at) if each.guns > 1 and each.engines]
        return len(here) >= _FLEET - 1 or ship.at != game.base

    def is_dreaded(self, game: SeenGame, at: Sector) -> bool:
        """Return whether a sector is avoided because of a storm its ships might not survive."""
        return game.storms.get(at, 0) > _BEARABLE
