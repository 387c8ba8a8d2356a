"""A robot that plays a Merchant and carries metal and consumer goods to others (s4B)."""

from typing import ClassVar

from referee.testing.robots.starweb.reading import SeenFleet, SeenGame, SeenWorld
from referee.testing.robots.starweb.robot import StarWebRobot, chance
from referee.testing.robots.starweb.sheet import Sheet


class Merchant(StarWebRobot):
    """A player whose keys trade, at peace, or build up the player's own worlds, half each."""

    vote: ClassVar[int] = 8800
    sign: ClassVar[str] = "We bring metal to your industry. Make us your loader."

    def __init__(self) -> None:
        super().__init__()
        self.served: set[int] = set()
        """The worlds that already got consumer goods."""

    def strike(self, sheet: Sheet) -> None:
        """Put traders at peace, so that they do not capture from customers."""
        for number in sorted(sheet.fleets):
            fleet = sheet.fleets[number]
            if sheet.game.turn > 3 and self._trades(fleet) and not fleet.at_peace:
                sheet.say(f"F{number}Q")

    def befriends(self, game: SeenGame, name: str) -> bool:
        """Return whether to make *name* an ally: allies are good customers."""
        return len(game.allies) < 4 and chance(game, f"ally {name}", 3)

    def command(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> None:
        """Trade where the key is, then give it the usual orders."""
        number = fleet.number
        if sheet.held[number] and world.owner != sheet.game.name and world.population:
            if world.number not in self.served:
                sheet.unload(number, "N", 1)
                self.served.add(world.number)
            if world.industry and world.owner:
                sheet.unload(number, "U", min(sheet.held[number], 2 * world.industry))
        if self._buys(sheet, world) and sheet.room(number):
            sheet.say(f"F{number}L")
        super().command(sheet, fleet, world)

    def provide(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> None:
        """Unload consumer goods on own worlds too; traders keep their other metal."""
        if sheet.cargo[fleet.number] and world.number not in self.served:
            sheet.unload(fleet.number, "N", 1)
            self.served.add(world.number)
        if not self._trades(fleet) or self._starves(sheet, world.number):
            super().provide(sheet, fleet, world)
        elif fleet.number not in sheet.busy:
            sheet.load(fleet.number)

    def fight(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """Fight as usual, but with traders only at home."""
        away = world.owner != sheet.game.name
        return not (away and self._trades(fleet)) and super().fight(sheet, fleet, world)

    def goal(self, sheet: Sheet, fleet: SeenFleet) -> tuple[int, ...]:
        """Return the way of traders: with metal to industry of others, without it to metal."""
        way: tuple[int, ...] = ()
        if self._trades(fleet) and sheet.cargo[fleet.number]:
            near = fleet.number % 4 == 0
            way = self.way(
                sheet,
                fleet,
                lambda world: self._pays(sheet, world) or (near and self._starves(sheet, world)),
            )
        elif self._trades(fleet):
            way = self.way(sheet, fleet, lambda world: self.has_pile(sheet, world))
        return way or super().goal(sheet, fleet)

    def _trades(self, fleet: SeenFleet) -> bool:
        return fleet.number % 2 == 0

    def _starves(self, sheet: Sheet, world: int) -> bool:
        """Return whether an own world has industry that lacks metal."""
        seen = sheet.game.worlds.get(world)
        if seen is None or seen.owner != sheet.game.name:
            return False
        return sheet.supplies[world].metal < seen.industry

    def _pays(self, sheet: Sheet, world: int) -> bool:
        seen = self.atlas.worlds.get(world)
        if seen is None or seen.owner in {"", sheet.game.name}:
            return False
        return seen.industry > 0

    def _buys(self, sheet: Sheet, world: SeenWorld) -> bool:
        """Return whether to try to load at an ally's mine; the ally may have read the sign."""
        ally = world.owner in sheet.game.allies and not world.industry and world.metal > 2
        return ally and chance(sheet.game, f"load {world.number}", 3)
