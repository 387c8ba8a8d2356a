"""A robot that plays an Apostle and converts people where its ships are (s4F)."""

from typing import ClassVar, Final

from referee.testing.robots.starweb.reading import SeenFleet, SeenWorld
from referee.testing.robots.starweb.robot import StarWebRobot
from referee.testing.robots.starweb.sheet import SHIPS_PER_BOMB, Sheet

_PATIENCE: Final = 4
"""The turns that a mission lasts."""
_WRATH: Final = 12
"""The first turn in which it can declare a jihad."""


class Apostle(StarWebRobot):
    """A player who spreads ships over peopled worlds and fights only one enemy."""

    vote: ClassVar[int] = 8000
    sign: ClassVar[str] = "The truth is near. Listen to our ships."

    def __init__(self) -> None:
        super().__init__()
        self.enemy = ""
        self.missions: dict[int, int] = {}
        """The turn in which each key began to convert where it is."""

    def strike(self, sheet: Sheet) -> None:
        """Declare a jihad on a player who shoots, and fight it."""
        game = sheet.game
        if game.turn >= _WRATH and (not self.enemy or game.turn % _WRATH == 0):
            self._declare(sheet)
        if not self.enemy:
            return
        for number in sorted(sheet.fleets):
            world = sheet.world_of(number)
            if world.owner == self.enemy and not world.converts:
                sheet.drop_bomb(number)
                sheet.fire(number, "AP")
            elif sheet.ships[number] > SHIPS_PER_BOMB + 3:
                sheet.build_bomb(number)

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Send converts to worlds next door without any."""
        if world.converts < 2 or world.apostle != sheet.game.name:
            return
        for gate in world.gates:
            there = sheet.game.worlds.get(gate)
            if there is not None and there.population and not there.apostle and not there.robots:
                sheet.migrate(world.number, 1, gate, "C")

    def stays(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """Return whether the key is on a mission, which lasts some turns and needs people."""
        unmoved = world.population > world.converts and not world.robots
        if world.owner != sheet.game.name and unmoved and sheet.ships[fleet.number] > 1:
            began = self.missions.setdefault(fleet.number, sheet.game.turn)
            if sheet.game.turn < began + _PATIENCE:
                return True
        self.missions.pop(fleet.number, None)
        return super().stays(sheet, fleet, world)

    def conquest(self, sheet: Sheet, fleet: SeenFleet) -> tuple[int, ...]:
        """Return the way to people who have not been reached yet."""
        return self.way(
            sheet, fleet, lambda world: world not in sheet.goals and self._calls(sheet, world)
        ) or super().conquest(sheet, fleet)

    def _declare(self, sheet: Sheet) -> None:
        game = sheet.game
        hostile = [
            fleet.owner
            for world in game.worlds.values()
            for fleet in world.fleets
            if fleet.fired and fleet.owner in game.met and fleet.owner not in game.allies
        ]
        strangers = [name for name in game.met if name not in game.allies]
        for name in [*hostile, *strangers][:1]:
            self.enemy = name
            sheet.say(f"J={name}")

    def _calls(self, sheet: Sheet, world: int) -> bool:
        seen = self.atlas.worlds.get(world)
        if seen is None or seen.robots or seen.owner == sheet.game.name:
            return False
        return seen.population > seen.converts and seen.apostle in {"", sheet.game.name}
