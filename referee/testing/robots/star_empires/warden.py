"""A robot that trusts nobody: it hides, closes portals, and leaves nothing to its enemies."""

from collections.abc import Iterable
from typing import ClassVar, Final

from referee.testing.robots.star_empires.hexes import Sector, written
from referee.testing.robots.star_empires.reading import SeenShip, SeenWorld
from referee.testing.robots.star_empires.robot import Robot
from referee.testing.robots.star_empires.sheet import Sheet

_GARRISON: Final = 3
"""So many fighters wait in the racks of the starbase."""
_HOPELESS: Final = 150
"""So many guns destroy whatever it has."""
_SECRETIVE: Final = 8
"""In the first turns it has nothing to hide."""


class Warden(Robot):
    """Its fighters wait aboard the starbase until somebody comes."""

    scouts: ClassVar[int] = 3
    greeting: ClassVar[str] = "Keep away from our worlds."

    def __init__(self) -> None:
        super().__init__()
        self.trusted = ""

    def welcome(self, sheet: Sheet, name: str) -> None:
        """Show the first stranger the starbase, and think better of it later."""
        bases = [ship.name for ship in sheet.game.ships if ship.kind == "starbase"]
        if not self.trusted and bases:
            self.trusted = name
            sheet.say(f"IDENTIFY {bases[0]} TO {name}")
            sheet.say(f"AUTHORIZE {bases[0]} TO {name}")
            sheet.say(f"ALLY {name}")

    def scheme(self, sheet: Sheet) -> None:
        """Take back what was shown, and use the racks of the starbase."""
        game = sheet.game
        shown = sorted(game.transponders.get(self.trusted, frozenset()))
        if self.trusted and shown and game.turn % 7 == 0:
            sheet.say(f"CONCEAL {' '.join(shown)} FROM {self.trusted}")
            sheet.say(f"DENY ALL TO {self.trusted}")
            sheet.say(f"UNALLY {self.trusted}")
        for base in (ship for ship in game.ships if ship.kind == "starbase"):
            fighters = [ship for ship in game.ships_at(base.at) if ship.kind == "fighter"]
            if game.foes_at(base.at):
                sheet.unload([ship for ship in fighters if ship.carrier == base.name])
            else:
                for ship in fighters:
                    sheet.load(ship, base)

    def engage(self, sheet: Sheet, at: Sector) -> None:
        """A scout under the guns of a starbase blows itself up, so that nobody learns from it."""
        game = sheet.game
        world = game.world_at(at)
        guns = sum(foe.guns or 0 for foe in game.foes_at(at))
        if guns < _HOPELESS or (world is not None and world.mine):
            super().engage(sheet, at)
        elif game.turn > _SECRETIVE:
            sheet.busy |= {ship.name for ship in game.ships_at(at)}
            sheet.say(f"DESTRUCT {written(at)}")

    def flee(self, sheet: Sheet, ships: Iterable[SeenShip]) -> None:
        """Leave nothing to the enemy: what is lost blows itself up."""
        lost = [ship for ship in ships if sheet.is_free(ship) and not ship.engines]
        if lost:
            sheet.busy |= {ship.name for ship in lost}
            sheet.say(f"DESTRUCT {' '.join(ship.name for ship in lost)}")
        super().flee(sheet, ships)

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build fighters for the racks, and a hammer with the carrier that takes it to a portal."""
        game = sheet.game
        if world.name != game.home or game.turn < 5:
            return
        fighters = sum(ship.kind == "fighter" for ship in game.ships_at(world.at))
        if fighters < _GARRISON:
            sheet.build(world, "fighter", "w", _GARRISON - fighters)
        for kind in ("carrier", "hammer"):
            if game.portals and not any(ship.kind == kind for ship in game.ships):
                sheet.build(world, kind, kind)

    def campaign(self, sheet: Sheet, ship: SeenShip) -> None:
        """Take the hammer to the nearest portal; the warships stay at home."""
        game = sheet.game
        hammers = [each for each in game.ships if each.kind == "hammer"]
        aboard = [each for each in hammers if each.carrier == ship.name]
        portal = self.nearest(ship, (each.at for each in game.portals))
        if ship.kind != "carrier":
            super().campaign(sheet, ship)
        elif aboard and ship.at == portal:
            sheet.say(f"DEPLOY {aboard[0].name}")
        elif aboard and portal is not None:
            self.go(sheet, ship, portal)
        elif not any(sheet.load(each, ship) for each in hammers):
            self.go(sheet, ship, game.base)

    def holds(self, sheet: Sheet, at: Sector) -> bool:
        """It gives up no world."""
        world = sheet.game.world_at(at)
        return super().holds(sheet, at) or (world is not None and world.mine and world.makes > 4)
