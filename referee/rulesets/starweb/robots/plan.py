"""A plan: the orders of a robot's turn while it decides, and what they leave."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.industry import industry_price
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import MOST, Character, Fleet, World


@dataclass(frozen=True, slots=True)
class Skills:
    """The abilities of a robot; the worth of things is compared to that of a usual world."""

    step: int
    """The most gates that a key passes in a turn."""
    metal: float = 0.0
    """The worth of a metal at an industry; at 0, no metal is carried."""
    share: int = 12
    """The ships on a key that are enough to share them with empty keys."""
    reserve: int = 0
    """The I-Ships that stay where they were built."""
    storms: bool = False
    """Whether the robot fires at home fleets, and takes the fleets of others as a Pirate."""
    prey: float = 0.0
    """The worth of another player's world, compared to a neutral one."""
    invests: float = 0.0
    """The share of the industry that an Empire Builder uses to build industry."""
    powers: bool = False
    """Whether the robot does everything for the points of its character."""


SKILLS: Final[Mapping[Strength, Skills]] = {
    Strength.EASY: Skills(step=1),
    Strength.NORMAL: Skills(
        step=3, metal=0.1, share=6, reserve=4, storms=True, prey=0.7, invests=0.5
    ),
    Strength.HARD: Skills(
        step=3, metal=0.3, share=2, reserve=2, storms=True, prey=1.4, invests=0.75, powers=True
    ),
}


FARTHEST = 12
"""The most gates of a way that a robot looks for."""


class KnownWeb:
    """The gates that reports have shown. Ways avoid known black holes."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._ways: dict[o.WorldNumber, dict[o.WorldNumber, tuple[o.WorldNumber, ...]]] = {}

    def ways(self, start: o.WorldNumber) -> Mapping[o.WorldNumber, tuple[o.WorldNumber, ...]]:
        """Return a shortest way to each world that is near enough, nearest first."""
        if start not in self._ways:
            self._ways[start] = self._searched(start)
        return self._ways[start]

    def nearest(
        self, start: o.WorldNumber, goals: Iterable[o.WorldNumber]
    ) -> tuple[o.WorldNumber, ...] | None:
        """Return a shortest way to one of *goals*, empty if *start* is one, or None."""
        ways, goals = self.ways(start), frozenset(goals)
        if start in goals:
            return ()
        return next((way for goal, way in ways.items() if goal in goals), None)

    def _searched(self, start: o.WorldNumber) -> dict[o.WorldNumber, tuple[o.WorldNumber, ...]]:
        found: dict[o.WorldNumber, tuple[o.WorldNumber, ...]] = {start: ()}
        front = deque([start])
        while front:
            here = front.popleft()
            way = found[here]
            if len(way) == FARTHEST:
                break
            for there in self._gates[here]:
                if there not in found:
                    found[there] = (*way, there)
                    front.append(there)
        del found[start]
        return found

    @cached_property
    def _gates(self) -> Mapping[o.WorldNumber, Iterable[o.WorldNumber]]:
        """The gates of each world, in both directions, but not those into black holes."""
        player = self._sight.player
        gates: defaultdict[o.WorldNumber, set[o.WorldNumber]] = defaultdict(set)
        for here in player.charted.keys() | player.worlds:
            for there in self._sight.gates(here) or ():
                gates[here].add(there)
                gates[there].add(here)
        holes = {number for number in gates if self._sight.is_black_hole(number)}
        return {here: sorted(there - holes) for here, there in gates.items()}


LONGEST_MOVE = 3
"""The most gates of a move (s11)."""


@dataclass(slots=True)
class Key:
    """A key of the player, with what the orders so far leave on it."""

    fleet: Fleet
    ships: int
    cargo: int
    busy: bool = False
    """Whether the key moves, fires, lands robots, or waits for something."""

    @property
    def number(self) -> o.FleetNumber:
        """The number of the key."""
        return self.fleet.number

    @property
    def world(self) -> o.WorldNumber:
        """The world where the key is."""
        return self.fleet.world


@dataclass(slots=True)
class Stock:
    """The industry, ships and metal that the orders so far leave on a world of the player."""

    usable: int
    metal: int
    iships: int
    pships: int

    @property
    def spare(self) -> int:
        """The metal that can be loaded; industry without orders uses the rest."""
        return max(0, self.metal - self.usable)


class Plan:
    """The orders of a seat for a turn. Each function that gives an order returns nothing.

    It knows only what the seat can know: it asks the seat's ``Sight`` for everything else.
    """

    def __init__(self, sight: Sight, strength: Strength) -> None:
        self.sight = sight
        self.player = sight.player
        self.skills = SKILLS[strength]
        self.web = KnownWeb(sight)
        self.orders: list[o.Order] = []
        self.fleets: defaultdict[o.WorldNumber, list[Fleet]] = defaultdict(list)
        """The fleets that the report shows, by their worlds."""
        self.keys: dict[o.FleetNumber, Key] = {}
        for number in sorted(sight.state.fleets):
            fleet = sight.fleet(number)
            if fleet is not None:
                self.fleets[fleet.world].append(fleet)
                if fleet.owner == sight.seat:
                    self.keys[number] = Key(fleet, fleet.ships, fleet.cargo)
        self.worlds = [w for n in sorted(self.player.worlds) if (w := sight.own_world(n))]
        self.stocks = {w.number: _stock(w) for w in self.worlds}

    @property
    def character(self) -> Character:
        """The character of the player."""
        return self.player.character

    @cached_property
    def price(self) -> int:
        """The industry, metal and people that one new industry costs."""
        return industry_price(self.player)

    def at(self, number: o.WorldNumber) -> list[Key]:
        """Return the player's keys at a world."""
        mine = (fleet for fleet in self.fleets[number] if fleet.owner == self.sight.seat)
        return [self.keys[fleet.number] for fleet in mine]

    def places(self) -> list[o.WorldNumber]:
        """Return the worlds where the player has keys."""
        return sorted({key.world for key in self.keys.values()})

    def is_foe(self, owner: Seat | None) -> bool:
        """Return whether an owner is another player who is not an ally."""
        return owner not in (None, self.sight.seat, *self.player.allies)

    def foes(self, number: o.WorldNumber) -> list[Fleet]:
        """Return the fleets at a world that could attack or capture, largest first."""
        there = [f for f in self.fleets[number] if self.is_foe(f.owner) and f.ships]
        return sorted((f for f in there if not f.at_peace), key=lambda f: (-f.ships, f.number))

    def room(self, key: Key) -> int:
        """Return the metal that a key can still load (s13)."""
        each = 2 if self.character is Character.MERCHANT else 1
        return min(MOST, key.ships * each) - key.cargo

    # ---- orders ----------------------------------------------------------------------------

    def build_on(self, world: World, count: int, key: Key) -> None:
        """Build ships onto a key."""
        if count > 0:
            self._use(world, count)
            key.ships += count
            self.orders.append(o.BuildFleetShips(world.number, count, key.number))

    def build_guards(self, world: World, count: int) -> None:
        """Build P-Ships."""
        self._use(world, count)
        self.orders.append(o.BuildHomeShips(world.number, count, o.Home.PEOPLE))

    def build_industry(self, world: World, count: int) -> None:
        """Build industry."""
        if count > 0:
            self._use(world, count * self.price)
            self.orders.append(o.BuildIndustry(world.number, count))

    def _use(self, world: World, count: int) -> None:
        stock = self.stocks[world.number]
        stock.usable -= count
        stock.metal -= count

    def lift(self, world: World, count: int, key: Key) -> None:
        """Transfer I-Ships to a key."""
        if count > 0:
            self.stocks[world.number].iships -= count
            key.ships += count
            order = o.TransferFromHome(o.Home.INDUSTRY, world.number, count, key.number)
            self.orders.append(order)

    def transfer(self, source: Key, count: int, to: Key) -> None:
        """Transfer ships from key to key."""
        source.ships -= count
        to.ships += count
        self.orders.append(o.TransferToFleet(source.number, count, to.number))

    def unload(self, key: Key, count: int | None = None) -> None:
        """Unload all metal, or *count*."""
        taken = key.cargo if count is None else count
        key.cargo -= taken
        if key.world in self.stocks:
            # The industry builds with it in the next turn, but it can be loaded again now.
            self.stocks[key.world].metal += taken
        self.orders.append(o.Unload(key.number, count))

    def sell_goods(self, key: Key) -> None:
        """Unload one metal as consumer goods."""
        key.cargo -= 1
        self.orders.append(o.UnloadGoods(key.number, 1))

    def load(self, key: Key) -> None:
        """Load as much metal as is there and fits."""
        stock = self.stocks[key.world]
        count = min(self.room(key), stock.spare)
        key.cargo += count
        stock.metal -= count
        self.orders.append(o.Load(key.number))

    def move(self, key: Key, way: tuple[o.WorldNumber, ...], longest: int = LONGEST_MOVE) -> None:
        """Move along the first gates of a way."""
        key.busy = True
        self.orders.append(o.MoveFleet(key.number, way[:longest]))

    def fire(self, key: Key, at: Fleet) -> None:
        """Fire at a fleet."""
        key.busy = True
        self.orders.append(o.FireAtFleet(key.number, o.Trigger.ALWAYS, at.number))

    def storm(self, key: Key) -> None:
        """Fire at the home fleets of a world."""
        key.busy = True
        self.orders.append(o.FireAtWorld(key.number, o.Trigger.ALWAYS, o.Aim.HOME_FLEETS))

    def land_robots(self, key: Key, count: int) -> None:
        """Land ships as robots."""
        key.busy = True
        key.ships -= count
        self.orders.append(o.RobotAttack(key.number, count))

    def plunder(self, world: World) -> None:
        """Plunder a world."""
        self.orders.append(o.Plunder(world.number))

    def set_peace(self, key: Key, *, peace: bool) -> None:
        """Make peace with a key, or end it."""
        if key.fleet.at_peace is not peace:
            self.orders.append(o.MakePeace(key.number) if peace else o.EndPeace(key.number))


def _stock(world: World) -> Stock:
    usable = min(world.usable, world.metal, world.population)
    return Stock(usable, world.metal, world.iships, world.pships)
