"""A robot that plays a Merchant: it carries metal to others, and consumer goods to all (s4B)."""

from typing import ClassVar

from referee.testing.robots.starweb.reading import SeenFleet, SeenGame, SeenWorld
from referee.testing.robots.starweb.robot import StarWebRobot, chance
from referee.testing.robots.starweb.sheet import Sheet


class Merchant(StarWebRobot):
    """Half of its keys trade, at peace; the others build up what is its own."""

    vote: ClassVar[int] = 8800
    sign: ClassVar[str] = "We bring metal to your industry. Make us your loader."

    def __init__(self) -> None:
        super().__init__()
        self.served: set[int] = set()
        """Worlds that got consumer goods of it."""

    def strike(self, sheet: Sheet) -> None:
        """Put traders at peace, so that they take nothing from customers."""
        for number in sorted(sheet.fleets):
            fleet = sheet.fleets[number]
            if sheet.game.turn > 3 and self._trades(fleet) and not fleet.at_peace:
                sheet.say(f"F{number}Q")

    def befriends(self, game: SeenGame, name: str) -> bool:
        """Nobody is a better customer than a friend."""
        return len(game.allies) < 4 and chance(game, f"ally {name}", 3)

    def command(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> None:
        """Trade where the key is, then go on like everybody."""
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
        """A trader keeps its metal; consumer goods are for one's own worlds too."""
        if sheet.cargo[fleet.number] and world.number not in self.served:
            sheet.unload(fleet.number, "N", 1)
            self.served.add(world.number)
        if not self._trades(fleet) or self._starves(sheet, world.number):
            super().provide(sheet, fleet, world)
        elif fleet.number not in sheet.busy:
            sheet.load(fleet.number)

    def fight(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """A trader fires at nobody but at home."""
        away = world.owner != sheet.game.name
        return not (away and self._trades(fleet)) and super().fight(sheet, fleet, world)

    def goal(self, sheet: Sheet, fleet: SeenFleet) -> tuple[int, ...]:
        """Traders with metal go to others' industry, those without to metal."""
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
        """Now and then try to load at an ally's mine: perhaps he read the sign."""
        ally = world.owner in sheet.game.allies and not world.industry and world.metal > 2
        return ally and chance(sheet.game, f"load {world.number}", 3)
