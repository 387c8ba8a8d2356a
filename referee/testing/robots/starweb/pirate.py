"""A robot that plays a Pirate: plunder and other people's keys are its points (s4C)."""

from typing import ClassVar, Final

from referee.testing.robots.starweb.reading import SeenFleet, SeenWorld
from referee.testing.robots.starweb.robot import StarWebRobot
from referee.testing.robots.starweb.sheet import Sheet

_OVERWHELMING: Final = 3
"""A fleet with more than so many times all other ships takes their keys."""


class Pirate(StarWebRobot):
    """Plunders what it owns, keeps its ships together, and boards whoever is weak."""

    vote: ClassVar[int] = 8000
    sign: ClassVar[str] = "Your keys or your lives."
    bold: ClassVar[bool] = True

    def strike(self, sheet: Sheet) -> None:
        """Plunder every world but those where ships are built, and gather the ships."""
        for world in sheet.game.own_worlds():
            if world.industry < 5 and world.population:
                sheet.plunder(world.number)
            self._gather(sheet, world)

    def fight(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """Wait where a crowd of weaker keys can be boarded, without a shot."""
        others = sum(each.ships for each in world.fleets if each.owner != sheet.game.name)
        own = sum(
            sheet.ships[each.number]
            for each in sheet.game.own_at(world)
            if not each.at_peace and each.number not in sheet.busy
        )
        if sheet.game.others_at(world) and own > _OVERWHELMING * others:
            sheet.busy.add(fleet.number)
            return True
        return super().fight(sheet, fleet, world)

    def _gather(self, sheet: Sheet, world: SeenWorld) -> None:
        """Put the ships of three keys or more at a world onto the first, but one each."""
        keys = [each.number for each in sheet.game.own_at(world) if sheet.ships[each.number] > 1]
        for key in keys[1:] if len(keys) > 2 else ():
            sheet.transfer(key, sheet.ships[key] - 1, keys[0])
