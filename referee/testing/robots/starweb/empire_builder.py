"""A robot that plays an Empire Builder and gains industry, people and mines (s4A)."""

from typing import ClassVar

from referee.testing.robots.starweb.reading import SeenWorld
from referee.testing.robots.starweb.robot import StarWebRobot
from referee.testing.robots.starweb.sheet import Sheet


class EmpireBuilder(StarWebRobot):
    """A player who builds industry where metal and people allow it, and settles people."""

    vote: ClassVar[int] = 10000
    sign: ClassVar[str] = "The empire grows, and keeps its borders."

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Scrap I-Ships, build industry, raise the limit of full worlds, send settlers."""
        supply = sheet.supplies[world.number]
        spare = supply.iships - 2
        sheet.scrap(world.number, spare // sheet.scrap_price)
        if sheet.game.turn > 4 and world.population > world.industry:
            sheet.expand(world.number, supply.usable // 3 // sheet.price, "I")
        if world.population >= world.limit and supply.usable >= 2 * sheet.price:
            sheet.expand(world.number, 1, "L")
        if world.population >= world.limit:
            self._settle(sheet, world)

    def _settle(self, sheet: Sheet, world: SeenWorld) -> None:
        for gate in world.gates:
            there = sheet.game.worlds.get(gate)
            if there is not None and there.owner == sheet.game.name:
                room = there.limit - there.population
                if room > there.population // 5:
                    sheet.migrate(world.number, min(2, room), gate, "P")
                    return
