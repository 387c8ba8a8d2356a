"""A robot that gathers a fleet and takes the worlds of others."""

from typing import ClassVar, Final

from referee.testing.robots.star_empires.hexes import Sector, distance
from referee.testing.robots.star_empires.reading import SeenGame, SeenShip, SeenWorld
from referee.testing.robots.star_empires.robot import Robot, foreign_worlds
from referee.testing.robots.star_empires.sheet import Sheet

_FLEET: Final = 4
"""So many warships go to war together."""
_BEARABLE: Final = 5
"""A storm that does so many DP of damage stops nobody."""
_SIEGE: Final = 320
"""With so many guns it fears no starbase."""


class Warlord(Robot):
    """It spares nobody, but goes around the starbases until it is strong."""

    bold: ClassVar[bool] = True
    warship: ClassVar[str] = "hussar"
    greeting: ClassVar[str] = "Your worlds will be ours. Leave them while you can."

    def __init__(self) -> None:
        super().__init__()
        self.prey: Sector | None = None
        """Where the fleet goes."""

    def scheme(self, sheet: Sheet) -> None:
        """Choose where to go when the fleet is large enough, and give up what is taken."""
        game = sheet.game
        fleet = [ship for ship in game.ships if ship.guns > 1 and ship.engines]
        strong = sum(ship.guns for ship in fleet) >= _SIEGE
        worlds = foreign_worlds(game)
        targets = {world.at for world in worlds if strong or not world.homeworld}
        if self.prey not in targets:
            best = min(targets, key=lambda at: (distance(at, game.base), at), default=None)
            self.prey = best if len(fleet) >= _FLEET else None

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Design a faster warship when the homeworld can spare the fee."""
        if world.name == sheet.game.home:
            sheet.design(world, "hussar gunship 18 12 3 0 0", 9)

    def campaign(self, sheet: Sheet, ship: SeenShip) -> None:
        """Go for the prey, together; wait at home until there are enough."""
        if self.prey is None:
            super().campaign(sheet, ship)
        elif self.is_ready(sheet.game, ship):
            self.go(sheet, ship, self.prey)

    def is_ready(self, game: SeenGame, ship: SeenShip) -> bool:
        """Return whether a ship need not wait for others where it is."""
        here = [each for each in game.ships_at(ship.at) if each.guns > 1 and each.engines]
        return len(here) >= _FLEET - 1 or ship.at != game.base

    def is_dreaded(self, game: SeenGame, at: Sector) -> bool:
        """It fears no storm that its ships survive."""
        return game.storms.get(at, 0) > _BEARABLE
