"""The base of all robots: exploring, guarding, carrying metal, building and fighting."""

import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from typing import ClassVar, Final
from zlib import crc32

from referee.testing.robots.starweb.atlas import Atlas
from referee.testing.robots.starweb.reading import SeenFleet, SeenGame, SeenWorld, read_report
from referee.testing.robots.starweb.sheet import Sheet
from referee.testing.robots.starweb.tricks import TRICKS

_WIDTH: Final = 72
_TRICKS_A_TURN: Final = 3
_CROWD: Final = 6
"""The ships on a key that are enough to leave the world where they are built."""
_PILE: Final = 4
"""The metal that is worth fetching."""
_EVILS: Final = (7, 9)
_BLACK_BOX: Final = 100


class StarWebRobot:
    """A player of StarWeb who knows only the reports. The same reports give the same orders.

    It remembers what it read, so it must get every report once, in sequence.
    """

    vote: ClassVar[int] = 9000
    sign: ClassVar[str] = "We explore, and mean no harm."
    bold: ClassVar[bool] = False
    """Whether it takes worlds from others, and fights without being attacked."""

    def __init__(self) -> None:
        self.atlas = Atlas()
        self.home = 0
        self.traders: set[str] = set()
        """The players whose signs say that they carry metal."""
        self.used: Counter[str] = Counter()
        """The number of times each trick was tried."""

    def sheet(self, report: str) -> str:
        """Return the order sheet for a report. Raises ValueError if it has no printout."""
        return order_text(self.orders(report))

    def orders(self, report: str) -> list[str]:
        """Return orders for the turn of a report. Raises ValueError if it has no printout."""
        game = read_report(report)
        self.atlas.learn(game)
        self.home = self.home or min(game.worlds)
        self.traders.update(name for name, sign in game.signs.items() if "metal" in sign)
        sheet = Sheet(game, self.atlas)
        self.greet(sheet)
        self.strike(sheet)
        self.play_tricks(sheet)
        for world in game.own_worlds():
            self.invest(sheet, world)
            self.arm(sheet, world)
        for number in sorted(sheet.fleets):
            if sheet.ships[number]:
                self.command(sheet, sheet.fleets[number], sheet.world_of(number))
        return sheet.orders

    def greet(self, sheet: Sheet) -> None:
        """Vote, post the sign, and declare allies and loaders."""
        game = sheet.game
        if game.turn == 1:
            sheet.say(f"ENDING {self.vote}")
            sheet.say(f"SIGN\n{game.name}: {self.sign}\nEND")
        for name in game.met:
            if name in self.traders and name not in game.loaders:
                sheet.say(f"L={name}")
            if name not in game.allies and self.befriends(game, name):
                sheet.say(f"A={name}")

    def befriends(self, game: SeenGame, name: str) -> bool:
        """Return whether to make a player an ally."""
        return not self.bold and len(game.allies) < 2 and chance(game, f"ally {name}", 5)

    def strike(self, sheet: Sheet) -> None:
        """Write the orders special to this character, before all others."""

    def play_tricks(self, sheet: Sheet) -> None:
        """Try the kinds of orders that were used least so far."""
        if sheet.game.turn == 1:
            return
        turning = crc32(sheet.game.name.encode()) + sheet.game.turn * 7
        names = sorted(
            TRICKS, key=lambda name: (self.used[name], crc32(f"{name}{turning}".encode()))
        )
        left = _TRICKS_A_TURN
        for name in names:
            if left and TRICKS[name](sheet):
                self.used[name] += 1
                left -= 1

    def invest(self, sheet: Sheet, world: SeenWorld) -> None:
        """Use the industry of an own world for something better than ships."""

    def arm(self, sheet: Sheet, world: SeenWorld) -> None:
        """Build ships with the remaining industry: a guard first, then on the keys there."""
        supply = sheet.supplies[world.number]
        if supply.usable and not supply.pships and sheet.game.turn > 1:
            sheet.build(world.number, 1, "P")
        keys = [
            fleet.number for fleet in sheet.game.own_at(world) if fleet.number not in sheet.busy
        ]
        for place, key in enumerate(keys):
            share = -(-supply.usable // (len(keys) - place))
            sheet.build(world.number, share, f"F{key}")

    def command(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> None:
        """Write the orders of a key."""
        if world.owner != sheet.game.name:
            for artifact in filter(self.dislikes, fleet.artifacts):
                sheet.drop(artifact)
        if fleet.number in sheet.busy or self.fight(sheet, fleet, world):
            return
        if world.owner == sheet.game.name:
            self.provide(sheet, fleet, world)
        if self.stays(sheet, fleet, world):
            return
        sheet.move(fleet.number, self.goal(sheet, fleet))

    def provide(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> None:
        """Unload, leave a guard, share ships with empty keys, and load at an own world."""
        number, supply = fleet.number, sheet.supplies[world.number]
        if world.industry:
            sheet.unload(number, "U")
        if not supply.pships and sheet.land(number, 1, "P"):
            supply.pships += 1
        for other in sheet.game.own_at(world):
            if not sheet.ships[other.number] and sheet.ships[number] > 1:
                sheet.transfer(number, sheet.ships[number] // 2, other.number)
        if number in sheet.busy or self.stays(sheet, fleet, world):
            return
        if not world.industry:
            sheet.load(number)
        for artifact in filter(self.dislikes, world.artifacts):
            sheet.hook(artifact, number)

    def stays(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """Return whether a key waits: where ships are built, until it has enough."""
        at_work = world.industry and world.owner == sheet.game.name and sheet.game.turn > 1
        return bool(at_work and sheet.ships[fleet.number] < _CROWD)

    def goal(self, sheet: Sheet, fleet: SeenFleet) -> tuple[int, ...]:
        """Return the way to where a key is needed most."""
        way: tuple[int, ...] = ()
        if fleet.number in sheet.laden or any(map(self.dislikes, fleet.artifacts)):
            way = self.way(sheet, fleet, lambda world: self.is_dump(sheet, world))
        elif sheet.cargo[fleet.number]:
            way = self.way(sheet, fleet, lambda world: self.works(sheet, world))
        return way or self.exploration(sheet, fleet) or self.conquest(sheet, fleet)

    def exploration(self, sheet: Sheet, fleet: SeenFleet) -> tuple[int, ...]:
        """Return the way to an unknown or free world that is not a goal yet."""
        return self.way(
            sheet,
            fleet,
            lambda world: (
                world not in sheet.goals
                and (not self.atlas.is_charted(world) or self.is_free(sheet, world))
            ),
        )

    def conquest(self, sheet: Sheet, fleet: SeenFleet) -> tuple[int, ...]:
        """Return the way to own metal, or for bold robots to worlds of others."""
        return self.way(
            sheet,
            fleet,
            lambda world: (
                world not in sheet.goals
                and (self.is_prey(sheet, world) if self.bold else self.has_pile(sheet, world))
            ),
        )

    def way(self, sheet: Sheet, fleet: SeenFleet, wanted: Callable[[int], bool]) -> tuple[int, ...]:
        """Return a way for a key. Keys at the same world prefer different gates."""
        return self.atlas.way(fleet.world, wanted, fleet.number + sheet.game.turn)

    def works(self, sheet: Sheet, world: int) -> bool:
        """Return whether a world is the player's own and has industry."""
        seen = self.atlas.worlds.get(world)
        return seen is not None and seen.owner == sheet.game.name and seen.industry > 0

    def is_free(self, sheet: Sheet, world: int) -> bool:
        """Return whether a world was neutral and unguarded when last seen."""
        seen = self.atlas.worlds[world]
        guarded = seen.iships or seen.pships or sheet.game.others_at(seen)
        return not seen.owner and seen.population > 0 and not seen.robots and not guarded

    def is_prey(self, sheet: Sheet, world: int) -> bool:
        """Return whether a world belonged to a player who is not an ally."""
        seen = self.atlas.worlds.get(world)
        return seen is not None and sheet.game.is_foreign(seen)

    def has_pile(self, sheet: Sheet, world: int) -> bool:
        """Return whether an own world without industry has much metal."""
        seen = sheet.game.worlds.get(world)
        if seen is None or seen.owner != sheet.game.name:
            return False
        return not seen.industry and seen.metal >= _PILE

    def dislikes(self, artifact: int) -> bool:
        """Return whether an artifact costs its owner points."""
        return artifact in _EVILS or (artifact != _BLACK_BOX and artifact % 10 == 0)

    def is_dump(self, sheet: Sheet, world: int) -> bool:
        """Return whether to leave bad artifacts on a world, which are lost there."""
        seen = self.atlas.worlds.get(world)
        return seen is not None and (not seen.population or sheet.game.is_foreign(seen))

    def fight(self, sheet: Sheet, fleet: SeenFleet, world: SeenWorld) -> bool:
        """Fire at other fleets or at home fleets that guard a world; return whether it did."""
        game = sheet.game
        others = game.others_at(world)
        strength = sum(sheet.ships[own.number] for own in game.own_at(world))
        if others:
            angry = self.bold or any(other.fired for other in others)
            if angry and strength >= others[0].ships:
                return sheet.fire(fleet.number, f"AF{others[0].number}")
            if world.owner == game.name:
                return sheet.fire(fleet.number, f"CF{others[0].number}")
        guards = world.iships + world.pships
        mine = world.owner in {game.name, *game.allies}
        if guards and not mine and (self.bold or not world.owner) and strength >= guards:
            return sheet.fire(fleet.number, "AH")
        return False


def chance(game: SeenGame, what: str, of: int) -> bool:
    """Return True once in *of* times, computed from the player, the turn and *what*."""
    return crc32(f"{game.name}|{game.turn}|{what}".encode()) % of == 0


def order_text(orders: Sequence[str]) -> str:
    """Return orders as the text of an email: in lines, with long orders last."""
    short = " ".join(order for order in orders if " " not in order and "\n" not in order)
    lines = textwrap.wrap(short, _WIDTH, break_on_hyphens=False)
    long = [order for order in orders if " " in order or "\n" in order]
    return "\n".join([*lines, *long]) + "\n"
