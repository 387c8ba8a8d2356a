"""A robot that plays a Pirate and gains plunder and the keys of others (s4C)."""

from typing import ClassVar, Final

from referee.testing.robots.starweb.reading import SeenFleet, SeenWorld
from referee.testing.robots.starweb.robot import StarWebRobot
from referee.testing.robots.starweb.sheet import Sheet

_OVERWHELMING: Final = 3
"""A Pirate with more than this many times all other ships takes their keys."""


class Pirate(StarWebRobot):
    """A player who plunders own worlds and captures weak fleets with many ships."""

    vote: ClassVar[int] = 8000
    sign: ClassVar[str] = "Your keys or your lives."
    bold: ClassVar[bool] = True

    def strike(self, sheet: Sheet) -> None:
        """Plunder worlds that build no ships, and gather the ships."""
        for world in sheet.game.own_worlds():
            if world.industry < 5 and world.population:
                sheet.plunder(world.number)
            self._gather(sheet, world)

    def fight(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """Wait where weaker keys can be captured without a shot; else fight as usual."""
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
        """Gather the ships of three or more keys on the first; one stays on each other."""
        keys = [each.number for each in sheet.game.own_at(world) if sheet.ships[each.number] > 1]
        for key in keys[1:] if len(keys) > 2 else ():
            sheet.transfer(key, sheet.ships[key] - 1, keys[0])
