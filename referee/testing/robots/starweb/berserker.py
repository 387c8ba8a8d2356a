"""A robot that plays a Berserker and kills with robots, fire and bombs (s4E)."""

from typing import ClassVar, Final

from referee.testing.robots.starweb.reading import SeenFleet, SeenWorld
from referee.testing.robots.starweb.robot import StarWebRobot
from referee.testing.robots.starweb.sheet import SHIPS_PER_BOMB, Sheet

_PEOPLE_PER_SHIP: Final = 8
"""A ship makes two robots, and each kills four people."""
_SMALL: Final = 40
"""Own worlds with at most this many people get robots instead."""


class Berserker(StarWebRobot):
    """A player who lands robots where they can win, fires at people and builds bombs."""

    vote: ClassVar[int] = 8500
    sign: ClassVar[str] = "Prime directive: no life. Goodlife may speak."
    bold: ClassVar[bool] = True

    def strike(self, sheet: Sheet) -> None:
        """Drop bombs on worlds of others, build new bombs, then land robots."""
        for number in sorted(sheet.fleets):
            world = sheet.world_of(number)
            if sheet.game.is_foreign(world) and world.population:
                sheet.drop_bomb(number)
            if sheet.ships[number] > SHIPS_PER_BOMB + 1 and number not in sheet.busy:
                sheet.build_bomb(number)
            if number not in sheet.busy:
                self._invade(sheet, number, world)

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build robots where robots live, and send them to kill people next door."""
        if not world.robots:
            return
        for gate in world.gates:
            there = sheet.game.worlds.get(gate)
            if there is not None and there.owner != sheet.game.name and not there.black_hole:
                sheet.migrate(world.number, 1, gate, "P")
        sheet.build(world.number, sheet.supplies[world.number].usable, "R")

    def stays(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """Return whether the key waits: the first one at home does until it has a bomb."""
        first = min(each.number for each in sheet.game.own_at(world))
        if world.number == self.home and fleet.number == first and sheet.game.turn > 4:
            return not fleet.bomb
        return super().stays(sheet, fleet, world)

    def goal(self, sheet: Sheet, fleet: SeenFleet) -> tuple[int, ...]:
        """Return the way for bombs, to peopled worlds of others, or the usual one."""
        way: tuple[int, ...] = ()
        if fleet.bomb:
            way = self.way(
                sheet,
                fleet,
                lambda world: (
                    self.is_prey(sheet, world) and self.atlas.worlds[world].population > 9
                ),
            )
        return way or super().goal(sheet, fleet)

    def _invade(self, sheet: Sheet, number: int, world: SeenWorld) -> None:
        """Land enough ships to kill all people, or fire if there are too few."""
        mine = world.owner == sheet.game.name
        allied = world.owner in sheet.game.allies
        if world.robots or not world.population or world.number == self.home or allied:
            return
        if mine and world.population > _SMALL:
            return
        needed = world.population // _PEOPLE_PER_SHIP + 1
        if needed < sheet.ships[number]:
            sheet.robots(number, needed)
        elif not mine and sheet.ships[number] > 2 * world.pships + 1 and not world.iships:
            sheet.fire(number, "AP")
