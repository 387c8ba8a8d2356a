"""The common behaviour of all robots: they explore, settle, guard and fight."""

from collections.abc import Iterable
from typing import ClassVar, Final
from zlib import crc32

from referee.testing.robots.star_empires.hexes import Sector, disk, distance, step
from referee.testing.robots.star_empires.reading import (
    NOBODY,
    YOU,
    SeenGame,
    SeenShip,
    SeenWorld,
    read_report,
)
from referee.testing.robots.star_empires.sheet import Sheet

_SCOUT_SCAN: Final = 3
"""The scan from which a ship explores; other ships wait at home or fight."""
_LEASH: Final = 4
"""The distance from known places beyond which a scout does not go."""
_WORTH_MENDING: Final = 3
_BEGINNING: Final = 3
"""The turns in which a robot builds only scouts."""


class Robot:
    """A player of Star Empires that knows only its reports.

    The same reports give the same orders. It remembers them, so it must get each report once and
    in sequence.
    """

    scouts: ClassVar[int] = 4
    """The number of scouts it keeps."""
    warship: ClassVar[str] = "corvette"
    """The class of warship it builds if it has the design; otherwise frigates."""
    bold: ClassVar[bool] = False
    """Whether it attacks foreign worlds."""
    greeting: ClassVar[str] = "We explore, and mean no harm."

    def __init__(self) -> None:
        self.greeted: set[str] = set()
        self.enemies: set[str] = set()
        """The empires that have ever fired at it."""

    def sheet(self, report: str) -> str:
        """Return the order sheet for a report: the orders, then the messages.

        Raises ValueError if the text has no report.
        """
        sheet = self.play(read_report(report))
        return _typed([*sheet.lines(), *sheet.messages])

    def orders(self, report: str) -> str:
        """Return the orders for a report, without messages."""
        return _typed(self.play(read_report(report)).lines())

    def play(self, game: SeenGame) -> Sheet:
        """Write orders for a turn."""
        sheet = Sheet(game)
        self.greet(sheet)
        self.scheme(sheet)
        self.fight(sheet)
        for world in game.my_worlds():
            self.invest(sheet, world)
        self.repair_damage(sheet)
        for world in game.my_worlds():
            self.guard(sheet, world)
            self.arm(sheet, world)
        for ship in game.ships:
            self.command(sheet, ship)
        self.collect(sheet)
        return sheet

    # ---- messages --------------------------------------------------------------------------

    def greet(self, sheet: Sheet) -> None:
        """Send a greeting to each new contact, and welcome it."""
        for contact in sheet.game.contacts:
            if contact.name not in self.greeted:
                self.greeted.add(contact.name)
                sheet.write(contact.name, self.greeting)
                self.welcome(sheet, contact.name)

    def welcome(self, sheet: Sheet, name: str) -> None:
        """Add orders for a new contact."""

    def scheme(self, sheet: Sheet) -> None:
        """Add the orders of this temperament."""

    # ---- war -------------------------------------------------------------------------------

    def fight(self, sheet: Sheet) -> None:
        """Fight or flee in every sector with hostile ships."""
        for at in sorted({foe.at for foe in sheet.game.foes}):
            self.engage(sheet, at)

    def engage(self, sheet: Sheet, at: Sector) -> None:
        """Fire at the enemies in a sector if they can be beaten, or flee from them."""
        game = sheet.game
        ships = [ship for ship in game.ships_at(at) if not ship.loaded]
        owners = sorted({foe.owner for foe in game.foes_at(at)})
        targets = [name for name in owners if self.is_hostile(sheet, name, at)]
        mine, theirs = sum(ship.guns for ship in ships), self.toughness(sheet, at)
        if targets and ships and (mine >= theirs or self.holds(sheet, at)):
            sheet.fire(ships, " ".join(targets), smallest_first=mine < theirs)
        elif targets:
            self.flee(sheet, ships)

    def is_hostile(self, sheet: Sheet, name: str, at: Sector) -> bool:
        """Return whether an empire is an enemy in a sector: at an own or at its world."""
        ally = any(each.name == name and each.ally == "yes" for each in sheet.game.contacts)
        world = sheet.game.world_at(at)
        return not ally and world is not None and (world.mine or self.bold)

    def toughness(self, sheet: Sheet, at: Sector) -> int:
        """Return the DP of foreign ships in a sector, with a high guess for unknown classes."""
        return sum(20 if foe.dp is None else foe.dp for foe in sheet.game.foes_at(at))

    def holds(self, sheet: Sheet, at: Sector) -> bool:
        """Return whether its ships never flee from a sector: at home."""
        return at == sheet.game.base

    def flee(self, sheet: Sheet, ships: Iterable[SeenShip]) -> None:
        """Move ships out of a sector, each by its whole engine range."""
        for ship in ships:
            if ship.at != sheet.game.base:
                self.go(sheet, ship, sheet.game.base)

    # ---- worlds ----------------------------------------------------------------------------

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Spend RU of an own world on designs or special ships."""

    def repair_damage(self, sheet: Sheet) -> None:
        """Repair damaged ships, paid by the homeworld."""
        for world in sheet.game.my_worlds()[:1]:
            for ship in sheet.game.ships:
                if ship.whole - ship.dp >= _WORTH_MENDING:
                    sheet.repair(ship, world)

    def guard(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build a fighter at a world that only a scout holds, so that the scout can leave."""
        if not self._garrison(sheet, world.at):
            sheet.build(world, "fighter", "guard")

    def _garrison(self, sheet: Sheet, at: Sector) -> list[SeenShip]:
        """Return the ships in a sector that can hold a world and will stay."""
        here = sheet.game.ships_at(at)
        return [ship for ship in here if ship.guns and not ship.loaded and not ship.engines]

    def arm(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build scouts first, then warships with the remaining RU."""
        game = sheet.game
        scouts = sum(ship.kind == "probe" for ship in game.ships)
        if scouts < self.scouts and world.name == game.home:
            sheet.build(world, "probe", "p", min(2 + (game.turn == 1), self.scouts - scouts))
        if game.turn > _BEGINNING and world.name == game.home:
            kind = self.weapon(sheet)
            sheet.build(world, kind, kind[0], 3)

    def weapon(self, sheet: Sheet) -> str:
        """Return the class of warship it builds."""
        return self.warship if self.warship in sheet.classes else "frigate"

    def collect(self, sheet: Sheet) -> None:
        """Pool the RU of all worlds at home every other turn."""
        game = sheet.game
        others = [world for world in game.my_worlds() if world.name != game.home]
        open_ = [world for world in others if not world.blocked and world.stock]
        if game.home and open_ and game.turn % 2:
            sheet.say(f"POOL {game.home}")

    # ---- ships -----------------------------------------------------------------------------

    def command(self, sheet: Sheet, ship: SeenShip) -> None:
        """Send a ship to its task, unless it must stay."""
        if not sheet.is_free(ship) or not ship.engines or self.must_stay(sheet, ship):
            return
        if ship.scan >= _SCOUT_SCAN:
            self.scout(sheet, ship)
        else:
            self.campaign(sheet, ship)

    def must_stay(self, sheet: Sheet, ship: SeenShip) -> bool:
        """Return whether an own world would be lost without this ship."""
        world = sheet.game.world_at(ship.at)
        if world is None or not world.mine or not ship.guns:
            return False
        others = [
            each
            for each in sheet.game.ships_at(ship.at)
            if each.guns and each is not ship and sheet.is_free(each)
        ]
        return not others and not self._garrison(sheet, ship.at)

    def scout(self, sheet: Sheet, ship: SeenShip) -> None:
        """Take a free world, or explore."""
        free = [world.at for world in sheet.game.worlds if self.is_free(sheet, world)]
        goal = min(free, key=lambda at: (distance(ship.at, at), at), default=None)
        if goal is None:
            goal = self.frontier(sheet, ship)
        if goal is not None:
            sheet.aims.add(goal)
            self.go(sheet, ship, goal)

    def is_free(self, sheet: Sheet, world: SeenWorld) -> bool:
        """Return whether a world is free and no other ship is on the way to it."""
        return (
            world.owner == NOBODY
            and world.at not in sheet.aims
            and not sheet.game.foes_at(world.at)
            and not sheet.game.ships_at(world.at)
            and not sheet.game.storms.get(world.at)
        )

    def frontier(self, sheet: Sheet, ship: SeenShip) -> Sector | None:
        """Return the sector in range from which most unknown sectors would be seen, or None."""
        game = sheet.game
        places = [*(world.at for world in game.worlds), *(each.at for each in game.portals)]

        def worth(at: Sector) -> tuple[int, int]:
            dark = sum(each not in game.known for each in disk(at, ship.scan))
            crowd = sum(distance(at, aim) <= ship.scan for aim in sheet.aims)
            remote = min((distance(at, place) for place in places), default=0)
            return dark - 9 * crowd - 9 * max(0, remote - _LEASH), self.whim(game, ship.name, at)

        stops = [at for at in disk(ship.at, ship.engines) if not self.is_dreaded(game, at)]
        return max(stops, key=worth, default=None)

    def campaign(self, sheet: Sheet, ship: SeenShip) -> None:
        """Send a warship to an own world in danger, or home."""
        threatened = [
            world.at
            for world in sheet.game.my_worlds()
            if sheet.game.foes_at(world.at) or world.blocked
        ]
        self.go(sheet, ship, self.nearest(ship, threatened) or sheet.game.base)

    def nearest(self, ship: SeenShip, places: Iterable[Sector]) -> Sector | None:
        """Return the place nearest to a ship, or None."""
        return min(places, key=lambda at: (distance(ship.at, at), at), default=None)

    def go(self, sheet: Sheet, ship: SeenShip, to: Sector) -> bool:
        """Move a ship towards a sector, around storms; return whether it moves."""
        game = sheet.game
        stop = step(ship.at, to, ship.engines, lambda at: self.is_dreaded(game, at))
        return sheet.move([ship], stop)

    def is_dreaded(self, game: SeenGame, at: Sector) -> bool:
        """Return whether a sector is avoided because of a known storm."""
        return game.storms.get(at, 0) > 0

    def whim(self, game: SeenGame, *what: object) -> int:
        """Return a pseudo-random number that is the same for the same player and turn."""
        return crc32(f"{game.name}|{game.turn}|{what}".encode())


def foreign_worlds(game: SeenGame) -> list[SeenWorld]:
    """Return the known worlds of other empires."""
    return [world for world in game.worlds if world.owner not in (YOU, NOBODY)]


def _typed(lines: list[str]) -> str:
    """Return the text of lines, or "" if there are none."""
    return "\n".join(lines) + "\n"
