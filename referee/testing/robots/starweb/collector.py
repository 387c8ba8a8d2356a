"""A robot that plays an Artifact Collector and brings artifacts home (s4D)."""

from typing import ClassVar, Final

from referee.testing.robots.starweb.reading import SeenFleet, SeenWorld
from referee.testing.robots.starweb.robot import StarWebRobot
from referee.testing.robots.starweb.sheet import Sheet

_ARMFUL: Final = 4
"""The most artifacts that one key takes."""


class Collector(StarWebRobot):
    """A player who looks for artifacts and drops them at home."""

    vote: ClassVar[int] = 9500
    sign: ClassVar[str] = "Bring us your artifacts, plastic ones too."

    def provide(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> None:
        """Drop artifacts at home and take them elsewhere."""
        super().provide(sheet, fleet, world)
        if world.number == self.home:
            for artifact in fleet.artifacts:
                sheet.drop(artifact)
        elif fleet.number not in sheet.busy:
            for artifact in world.artifacts[: _ARMFUL - len(fleet.artifacts)]:
                sheet.hook(artifact, fleet.number)

    def dislikes(self, artifact: int) -> bool:
        """Return False: a Collector wants all artifacts."""
        return False

    def stays(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """Return whether the key waits; one with artifacts does not."""
        return not fleet.artifacts and super().stays(sheet, fleet, world)

    def goal(self, sheet: Sheet, fleet: SeenFleet) -> tuple[int, ...]:
        """Return the way home with artifacts, or to where artifacts were seen."""
        laden = fleet.artifacts or fleet.number in sheet.laden
        if laden and fleet.world != self.home:
            way = self.way(sheet, fleet, lambda world: world == self.home)
        else:
            way = self.way(sheet, fleet, lambda world: self._attracts(sheet, world))
        return way or super().goal(sheet, fleet)

    def _attracts(self, sheet: Sheet, world: int) -> bool:
        seen = self.atlas.worlds.get(world)
        if seen is None or world in sheet.goals or world == self.home or not seen.artifacts:
            return False
        return seen.owner == sheet.game.name or self.is_free(sheet, world)
