"""A suspicious robot that hides, closes portals and leaves nothing to its enemies."""

from collections.abc import Iterable
from typing import ClassVar, Final

from referee.testing.robots.star_empires.hexes import Sector, written
from referee.testing.robots.star_empires.reading import SeenShip, SeenWorld
from referee.testing.robots.star_empires.robot import Robot
from referee.testing.robots.star_empires.sheet import Sheet

_GARRISON: Final = 3
"""The number of fighters in the racks of the starbase."""
_HOPELESS: Final = 150
"""The number of guns that would destroy any ship it has."""
_SECRETIVE: Final = 8
"""The turn from which it hides its ships and scans."""


class Warden(Robot):
    """A robot whose fighters wait in the starbase until an enemy comes."""

    scouts: ClassVar[int] = 3
    greeting: ClassVar[str] = "Keep away from our worlds."

    def __init__(self) -> None:
        super().__init__()
        self.trusted = ""

    def welcome(self, sheet: Sheet, name: str) -> None:
        """Show the starbase to the first contact, for a time."""
        bases = [ship.name for ship in sheet.game.ships if ship.kind == "starbase"]
        if not self.trusted and bases:
            self.trusted = name
            sheet.say(f"IDENTIFY {bases[0]} TO {name}")
            sheet.say(f"AUTHORIZE {bases[0]} TO {name}")
            sheet.say(f"ALLY {name}")

    def scheme(self, sheet: Sheet) -> None:
        """Stop sharing, and use the racks of the starbase."""
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
        """Blow up scouts under the guns of a starbase, so that they cannot be salvaged."""
        game = sheet.game
        world = game.world_at(at)
        guns = sum(foe.guns or 0 for foe in game.foes_at(at))
        if guns < _HOPELESS or (world is not None and world.mine):
            super().engage(sheet, at)
        elif game.turn > _SECRETIVE:
            sheet.busy |= {ship.name for ship in game.ships_at(at)}
            sheet.say(f"DESTRUCT {written(at)}")

    def flee(self, sheet: Sheet, ships: Iterable[SeenShip]) -> None:
        """Blow up ships that would be lost, and move the others away."""
        lost = [ship for ship in ships if sheet.is_free(ship) and not ship.engines]
        if lost:
            sheet.busy |= {ship.name for ship in lost}
            sheet.say(f"DESTRUCT {' '.join(ship.name for ship in lost)}")
        super().flee(sheet, ships)

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build fighters for the racks, and a hammer with its carrier."""
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
        """Take the hammer to the nearest portal; warships stay at home."""
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
        """Return whether its ships never flee from a sector: at its valuable worlds."""
        world = sheet.game.world_at(at)
        return super().holds(sheet, at) or (world is not None and world.mine and world.makes > 4)
