"""A robot that carries missiles to foreign homeworlds."""

from typing import ClassVar, Final

from referee.testing.robots.star_empires.hexes import Sector, distance
from referee.testing.robots.star_empires.reading import SeenShip, SeenWorld
from referee.testing.robots.star_empires.robot import Robot, foreign_worlds
from referee.testing.robots.star_empires.sheet import Sheet

_GALLEON: Final = "galleon transport 1 6 3 1 8"
_LANCE: Final = "lance missile 60 4"
_FLEET: Final = 2
"""The number of laden carriers that attack together."""
_LADEN: Final = 4
"""The free racks below which a carrier is laden."""


class Raider(Robot):
    """A robot that attacks with missiles and leaves; a frigate takes the world."""

    bold: ClassVar[bool] = True
    greeting: ClassVar[str] = "Pay us, and we will pass by."

    def __init__(self) -> None:
        super().__init__()
        self.prey: Sector | None = None

    def scheme(self, sheet: Sheet) -> None:
        """Choose a target, load missiles, and fire those of carriers at foreign worlds."""
        game = sheet.game
        homes = [world.at for world in foreign_worlds(game) if world.homeworld]
        if self.prey not in homes:
            self.prey = min(homes, key=lambda at: (distance(at, game.base), at), default=None)
        for carrier in self.carriers(sheet):
            self.strike(sheet, carrier)
            for ship in game.ships_at(carrier.at):
                if ship.kind == "lance":
                    sheet.load(ship, carrier)

    def carriers(self, sheet: Sheet) -> list[SeenShip]:
        """Return the carriers for missiles."""
        return [ship for ship in sheet.game.ships if ship.kind == "galleon"]

    def strike(self, sheet: Sheet, carrier: SeenShip) -> None:
        """Fire the loaded missiles at the owner of the world here."""
        game = sheet.game
        aboard = [ship for ship in game.ships if ship.carrier == carrier.name]
        world = game.world_at(carrier.at)
        owners = {foe.owner for foe in game.foes_at(carrier.at)}
        if world is not None and world.owner in owners:
            sheet.launch(aboard, world.owner)

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Design a carrier and a missile, and build two missiles per carrier."""
        game = sheet.game
        if world.name != game.home or game.turn < 4:
            return
        sheet.design(world, _GALLEON, 11)
        sheet.design(world, _LANCE, 0)
        carriers = len(self.carriers(sheet))
        missiles = sum(ship.kind == "lance" for ship in game.ships)
        if carriers < _FLEET:
            sheet.build(world, "galleon", "g", _FLEET - carriers)
        if missiles < 2 * carriers:
            sheet.build(world, "lance", "lance", 2 * carriers - missiles)

    def campaign(self, sheet: Sheet, ship: SeenShip) -> None:
        """Send laden carriers and frigates to the target, and empty carriers home."""
        game = sheet.game
        ready = [each for each in self.carriers(sheet) if each.room < _LADEN]
        if ship.kind == "galleon" and ship not in ready:
            self.go(sheet, ship, game.base)
        elif self.prey is not None and (len(ready) >= _FLEET or ship.at != game.base):
            self.go(sheet, ship, self.prey)

    def must_stay(self, sheet: Sheet, ship: SeenShip) -> bool:
        """Return whether a ship must hold its world; carriers never do."""
        return ship.kind != "galleon" and super().must_stay(sheet, ship)

    def arm(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build warships only after the carriers."""
        if len(self.carriers(sheet)) >= _FLEET or world.name != sheet.game.home:
            super().arm(sheet, world)
        elif sum(ship.kind == "probe" for ship in sheet.game.ships) < 2:
            sheet.build(world, "probe", "p")
