"""What robots of all temperaments have in common: they look around, settle, guard and fight."""

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
"""Who scans so far looks for new worlds; the others wait at home or fight."""
_LEASH: Final = 4
"""So far from any place that it knows a scout does not go: there is nothing but darkness."""
_WORTH_MENDING: Final = 3
_BEGINNING: Final = 3
"""So many turns everybody builds scouts alone."""


class Robot:
    """A player of Star Empires who knows nothing but his reports.

    The same reports give the same orders. It remembers what it read, so it is given every report
    once, in their sequence.
    """

    scouts: ClassVar[int] = 4
    """So many scouts it keeps."""
    warship: ClassVar[str] = "corvette"
    """What it builds where it knows the design; frigates else."""
    bold: ClassVar[bool] = False
    """Whether it goes for worlds of others."""
    greeting: ClassVar[str] = "We explore, and mean no harm."

    def __init__(self) -> None:
        self.greeted: set[str] = set()
        self.enemies: set[str] = set()
        """Who fired at it, ever."""

    def sheet(self, report: str) -> str:
        """Return the order sheet that answers a report, with the messages behind the orders.

        Raises ValueError when there is no report in the text.
        """
        sheet = self.play(read_report(report))
        return _typed([*sheet.lines(), *sheet.messages])

    def orders(self, report: str) -> str:
        """Return the orders of the sheet that answers a report, and no message."""
        return _typed(self.play(read_report(report)).lines())

    def play(self, game: SeenGame) -> Sheet:
        """Write orders for a turn."""
        sheet = Sheet(game)
        self.greet(sheet)
        self.scheme(sheet)
        self.fight(sheet)
        for world in game.my_worlds():
            self.invest(sheet, world)
        self.mend(sheet)
        for world in game.my_worlds():
            self.guard(sheet, world)
            self.arm(sheet, world)
        for ship in game.ships:
            self.command(sheet, ship)
        self.collect(sheet)
        return sheet

    # ---- words -----------------------------------------------------------------------------

    def greet(self, sheet: Sheet) -> None:
        """Write to everybody who was met, and do once what one does for a new acquaintance."""
        for contact in sheet.game.contacts:
            if contact.name not in self.greeted:
                self.greeted.add(contact.name)
                sheet.write(contact.name, self.greeting)
                self.welcome(sheet, contact.name)

    def welcome(self, sheet: Sheet, name: str) -> None:
        """Do something for somebody who was met for the first time."""

    def scheme(self, sheet: Sheet) -> None:
        """Do what only this temperament does."""

    # ---- war -------------------------------------------------------------------------------

    def fight(self, sheet: Sheet) -> None:
        """Fire wherever there is somebody to fire at, if that is wise."""
        for at in sorted({foe.at for foe in sheet.game.foes}):
            self.engage(sheet, at)

    def engage(self, sheet: Sheet, at: Sector) -> None:
        """Fire at those in a sector one can beat, or flee from those one cannot."""
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
        """Return whether somebody is fired at: for whom one finds at one's world, or at his."""
        ally = any(each.name == name and each.ally == "yes" for each in sheet.game.contacts)
        world = sheet.game.world_at(at)
        return not ally and world is not None and (world.mine or self.bold)

    def toughness(self, sheet: Sheet, at: Sector) -> int:
        """Return the DP of the foreigners in a sector; those of unknown classes may have many."""
        return sum(20 if foe.dp is None else foe.dp for foe in sheet.game.foes_at(at))

    def holds(self, sheet: Sheet, at: Sector) -> bool:
        """Return whether one stays and fights whoever comes: at home."""
        return at == sheet.game.base

    def flee(self, sheet: Sheet, ships: Iterable[SeenShip]) -> None:
        """Leave a sector, each as fast as it can."""
        for ship in ships:
            if ship.at != sheet.game.base:
                self.go(sheet, ship, sheet.game.base)

    # ---- worlds ----------------------------------------------------------------------------

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Spend RU of an own world on something better than ships."""

    def mend(self, sheet: Sheet) -> None:
        """Repair what is damaged, for RU of the homeworld."""
        for world in sheet.game.my_worlds()[:1]:
            for ship in sheet.game.ships:
                if ship.whole - ship.dp >= _WORTH_MENDING:
                    sheet.repair(ship, world)

    def guard(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build a fighter where only a scout holds a world, so that it can go on."""
        if not self._garrison(sheet, world.at):
            sheet.build(world, "fighter", "guard")

    def _garrison(self, sheet: Sheet, at: Sector) -> list[SeenShip]:
        """Return the ships in a sector that hold a world and will not go away."""
        here = sheet.game.ships_at(at)
        return [ship for ship in here if ship.guns and not ship.loaded and not ship.engines]

    def arm(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build scouts first, and warships with what is left."""
        game = sheet.game
        scouts = sum(ship.kind == "probe" for ship in game.ships)
        if scouts < self.scouts and world.name == game.home:
            sheet.build(world, "probe", "p", min(2 + (game.turn == 1), self.scouts - scouts))
        if game.turn > _BEGINNING and world.name == game.home:
            kind = self.weapon(sheet)
            sheet.build(world, kind, kind[0], 3)

    def weapon(self, sheet: Sheet) -> str:
        """Say which class of warship it builds."""
        return self.warship if self.warship in sheet.classes else "frigate"

    def collect(self, sheet: Sheet) -> None:
        """Bring the RU of all worlds home every other turn; the guards get what they cost."""
        game = sheet.game
        others = [world for world in game.my_worlds() if world.name != game.home]
        open_ = [world for world in others if not world.blocked and world.stock]
        if game.home and open_ and game.turn % 2:
            sheet.say(f"POOL {game.home}")

    # ---- ships -----------------------------------------------------------------------------

    def command(self, sheet: Sheet, ship: SeenShip) -> None:
        """Send a ship where it is wanted, unless it is needed where it is."""
        if not sheet.is_free(ship) or not ship.engines or self.must_stay(sheet, ship):
            return
        if ship.scan >= _SCOUT_SCAN:
            self.scout(sheet, ship)
        else:
            self.campaign(sheet, ship)

    def must_stay(self, sheet: Sheet, ship: SeenShip) -> bool:
        """Return whether an own world would be lost without a ship."""
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
        """Take a free world, or look at what is unknown."""
        free = [world.at for world in sheet.game.worlds if self.is_free(sheet, world)]
        goal = min(free, key=lambda at: (distance(ship.at, at), at), default=None)
        if goal is None:
            goal = self.frontier(sheet, ship)
        if goal is not None:
            sheet.aims.add(goal)
            self.go(sheet, ship, goal)

    def is_free(self, sheet: Sheet, world: SeenWorld) -> bool:
        """Return whether a world is there for the taking, and nobody is on the way."""
        return (
            world.owner == NOBODY
            and world.at not in sheet.aims
            and not sheet.game.foes_at(world.at)
            and not sheet.game.ships_at(world.at)
            and not sheet.game.storms.get(world.at)
        )

    def frontier(self, sheet: Sheet, ship: SeenShip) -> Sector | None:
        """Return the sector in reach from which most would be seen that is on no map yet."""
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
        """Go where a warship is wanted: to a world of one's own that is in danger, or home."""
        threatened = [
            world.at
            for world in sheet.game.my_worlds()
            if sheet.game.foes_at(world.at) or world.blocked
        ]
        self.go(sheet, ship, self.nearest(ship, threatened) or sheet.game.base)

    def nearest(self, ship: SeenShip, places: Iterable[Sector]) -> Sector | None:
        """Return the place that is nearest to a ship; None if there is none."""
        return min(places, key=lambda at: (distance(ship.at, at), at), default=None)

    def go(self, sheet: Sheet, ship: SeenShip, to: Sector) -> bool:
        """Jump as far as the engines carry a ship on its way, around storms."""
        game = sheet.game
        stop = step(ship.at, to, ship.engines, lambda at: self.is_dreaded(game, at))
        return sheet.move([ship], stop)

    def is_dreaded(self, game: SeenGame, at: Sector) -> bool:
        """Return whether a storm is known to rage in a sector."""
        return game.storms.get(at, 0) > 0

    def whim(self, game: SeenGame, *what: object) -> int:
        """Return a number that looks like chance, and is the same for the same player and turn."""
        return crc32(f"{game.name}|{game.turn}|{what}".encode())


def foreign_worlds(game: SeenGame) -> list[SeenWorld]:
    """Return the worlds of others that a player knows of."""
    return [world for world in game.worlds if world.owner not in (YOU, NOBODY)]


def _typed(lines: list[str]) -> str:
    """Return lines as they are typed; an empty one where there is nothing to say."""
    return "\n".join(lines) + "\n"
