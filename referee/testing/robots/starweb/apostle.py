"""A robot that plays an Apostle: it converts people wherever its ships are (s4F)."""

from typing import ClassVar, Final

from referee.testing.robots.starweb.reading import SeenFleet, SeenWorld
from referee.testing.robots.starweb.robot import StarWebRobot
from referee.testing.robots.starweb.sheet import SHIPS_PER_BOMB, Sheet

_PATIENCE: Final = 4
"""A mission lasts so many turns."""
_WRATH: Final = 12
"""From this turn on it may declare a jihad."""


class Apostle(StarWebRobot):
    """Spreads its ships over peopled worlds, waits there, and wages war on one enemy alone."""

    vote: ClassVar[int] = 8000
    sign: ClassVar[str] = "The truth is near. Listen to our ships."

    def __init__(self) -> None:
        super().__init__()
        self.enemy = ""
        self.missions: dict[int, int] = {}
        """Since which turn each key converts where it is."""

    def strike(self, sheet: Sheet) -> None:
        """Declare a jihad on who shoots at it, and wage it."""
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
        """Send converts to worlds next door that have none."""
        if world.converts < 2 or world.apostle != sheet.game.name:
            return
        for gate in world.gates:
            there = sheet.game.worlds.get(gate)
            if there is not None and there.population and not there.apostle and not there.robots:
                sheet.migrate(world.number, 1, gate, "C")

    def stays(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """Stay on a mission for some turns; one at a world without people is none."""
        unmoved = world.population > world.converts and not world.robots
        if world.owner != sheet.game.name and unmoved and sheet.ships[fleet.number] > 1:
            began = self.missions.setdefault(fleet.number, sheet.game.turn)
            if sheet.game.turn < began + _PATIENCE:
                return True
        self.missions.pop(fleet.number, None)
        return super().stays(sheet, fleet, world)

    def conquest(self, sheet: Sheet, fleet: SeenFleet) -> tuple[int, ...]:
        """Go to people of others who were not reached yet, to the enemy's above all."""
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
