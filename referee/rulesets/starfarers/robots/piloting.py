"""The moves of a robot's ships: the best of mining, exploring, meeting people and jumping."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.landing import known_people
from referee.rulesets.starfarers.orders import (
    Attack,
    EncounterAnswer,
    Explore,
    Order,
    Target,
    Travel,
    Want,
)
from referee.rulesets.starfarers.robots.board import Board, Way, beyond, chance_to_win, lacking
from referee.rulesets.starfarers.robots.plans import Profile, Wish, goals
from referee.rulesets.starfarers.robots.spending import barter, needs, sites, total
from referee.rulesets.starfarers.state import Base, Card, Hex, Kind, Ship
from referee.rulesets.starfarers.victory import has_system

_LOSS: Final = 1.5
"""The cost of a lost ship that its mothership rebuilds at once."""
_EXILE: Final = 8.0
"""The cost of a lost ship that nobody rebuilds."""


@dataclass(frozen=True, slots=True)
class Raid:
    """An attack, with its worth in cards and the hex where the ship will be."""

    worth: float
    orders: tuple[Order, ...]
    hex: int
    target: tuple[Target, int]


@dataclass(frozen=True, slots=True)
class _Mark:
    """Something to attack: its hexes, the firepower that defends it, and its worth."""

    target: Target
    number: int
    hexes: frozenset[int]
    defence: int
    worth: float


def raids(board: Board, ship: Ship, ways: dict[int, Way], struck: set[object]) -> Iterator[Raid]:
    """Yield the attacks that a ship can make this turn, after a move or a jump."""
    reach = 1 + board.me.boosters
    starts = {number: way for number, way in ways.items() if len(way) <= reach}
    loss = _LOSS if board.me.captor is None else _EXILE
    jumps = _jumps(board, ship)
    for mark in _marks(board):
        if (mark.target, mark.number) in struck:
            continue
        around = mark.hexes | {n.number for each in mark.hexes for n in board.near(each)}
        attack = Attack(ship.number, mark.target, mark.number)
        want = Want(ship.number, base=mark.target is not Target.SHIP)
        lead = _own(board, ship, mark) - mark.defence
        chance = chance_to_win(lead)
        worth = chance * mark.worth - (1 - chance) * loss
        goal = min(mark.hexes)
        near = sorted((len(way), number) for number, way in starts.items() if number in around)
        if near:
            way = starts[near[0][1]]
            moves = (Travel(ship.number, way),) if way else ()
            yield Raid(worth, (*moves, attack, want), goal, (mark.target, mark.number))
        for node, jump in jumps.items():
            if node in around:
                yield Raid(worth, (jump, attack, want), goal, (mark.target, mark.number))


def _own(board: Board, ship: Ship, mark: _Mark) -> int:
    """Return the robot's firepower there, with the attacking ship."""
    others = board.firepower(board.seat, set(mark.hexes), frozenset({ship.number}))
    return others + 1


def _jumps(board: Board, ship: Ship) -> dict[int, Order]:
    """Return the motherships and spaceports that a ship can jump to, with the orders."""
    if not board.me.boosters or ship.hex not in (nodes := board.nodes()):
        return {}
    jumps = {node: board.jump(ship, node) for node in nodes if node != ship.hex}
    return {node: jump for node, jump in jumps.items() if jump is not None}


def _marks(board: Board) -> Iterator[_Mark]:
    """Yield the possible targets of attacks, except those of allies."""
    state = board.state
    for other, player in state.players.items():
        if player.out or state.friends(board.seat, other):
            continue
        for base in sorted(state.bases_of(other), key=lambda base: base.number):
            hexes = board.covered(base) & set(state.hexes)
            yield _Mark(
                Target.BASE,
                base.number,
                frozenset(hexes),
                board.firepower(other, hexes),
                _worth_of_base(board, base, other),
            )
        for ship in sorted(state.fleet(other), key=lambda ship: ship.number):
            if state.is_ready(ship) and not ship.mercenary:
                worth = 6.0 if player.captor is not None else 1.0
                power = board.firepower(other, {ship.hex})
                yield _Mark(Target.SHIP, ship.number, frozenset({ship.hex}), power, worth)
        if player.captor is None and any(state.fleet(other)):
            power, home = board.stronghold(other), frozenset({int(other)})
            worth = 6.0 + 6.0 / (len(state.players) - 1)
            yield _Mark(Target.MOTHERSHIP, int(other), home, power, worth)


def _worth_of_base(board: Board, base: Base, owner: Seat) -> float:
    galaxy = board.hex(base.hex).galaxy
    worth = 4.0
    if not board.kinds(galaxy)[base.kind]:
        worth += 3.0
    if has_system(board.state, owner, galaxy):
        worth += 3.0
    return worth


_NOTHING: Final = Goods()
_LATER: Final = 0.6
"""The worth of a card next turn, in cards of this turn."""
_SPARE: Final = 0.4
"""The worth of a card that no wish needs."""
_SWAPPED: Final = 0.9
"""The worth of such a card if a port swaps it."""
_SITE: Final = 6.0
"""The worth of a base that a ship builds at once; each is a part of a colony system."""
_PLENTY: Final = 6
"""The number of cards of a resource from which more are worth nothing."""
_FREE_TILES: Final = 0.36
"""The share of tiles with a free planet."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move of a ship, with its worth in cards of this turn."""

    worth: float
    orders: tuple[Order, ...]
    hex: int | None = None
    """Where the ship will be, or None if nobody knows."""
    gain: Goods = _NOTHING
    raid: Raid | None = None


class Pilot:
    """The planner of moves, ship by ship."""

    def __init__(self, board: Board, profile: Profile, wishes: Sequence[Wish], dice: Dice) -> None:
        self.board, self.profile, self._dice = board, profile, dice
        self.wanted = needs(wishes, board.me.hand)
        """The cards that ships still have to mine."""
        cost = total(wish.cost for wish in wishes)
        self._spare, self._lacks = beyond(board.me.hand, cost), lacking(cost, board.me.hand)
        """The cards of the hand that no wish needs, and those that all wishes need besides."""
        self._ports = board.ports()
        self._sites = sites(wishes, board.me.hand, self._ports if profile.trades else {})
        """The galaxies where a ship at a planet can build a base this turn."""
        self._mined: set[int] = set()
        self._struck: set[object] = set()
        self._goals = goals(board, profile)
        self.gain = Goods()
        """The cards that the ships are expected to mine."""

    def orders(self) -> Iterator[Order]:
        """Yield the orders of all ships that can move, and note where they will be."""
        lost = []
        for ship in list(self.board.ships):
            if not self.board.state.is_ready(ship):
                continue
            choice = self._choose(ship)
            yield from choice.orders
            self.gain += choice.gain
            self.wanted = beyond(self.wanted, choice.gain)
            if choice.gain.total and choice.hex is not None:
                self._mined.add(choice.hex)
            if choice.raid is not None:
                self._struck.add(choice.raid.target)
            if choice.hex is not None and self._worth_of_site(self.board.hex(choice.hex)):
                self._sites = set()
            if choice.hex is None:
                lost.append(ship.number)
            else:
                self.board.move(ship, choice.hex)
        self.board.forget(lost)

    def _choose(self, ship: Ship) -> Choice:
        choices = [*self._choices(ship)]
        if self._dice.at("slack", ship.number).chance(self.profile.slack, 10):
            return self._dice.at("any", ship.number).pick(choices)
        return max(choices, key=lambda choice: choice.worth)

    def _choices(self, ship: Ship) -> Iterator[Choice]:
        yield Choice(self._worth_of_site(self.board.hex(ship.hex)), (), ship.hex)
        ways = self.board.ways(ship.hex)
        yield from self._explorations(ship)
        yield from self._landings(ship, ways)
        yield from self._jumps(ship, ways)
        yield from self._frontier(ship, ways)
        if self.profile.strikes:
            for raid in raids(self.board, ship, ways, self._struck):
                yield Choice(raid.worth, raid.orders, raid.hex, raid=raid)

    @property
    def _reach(self) -> int:
        return 1 + self.board.me.boosters

    def _explorations(self, ship: Ship) -> Iterator[Choice]:
        directions = self.board.unexplored(ship.hex)
        if directions and ship.hex not in self.board.dangers:
            direction = self._dice.at("explore", ship.number).pick(directions)
            worth = self._worth_of_news(self.board.galaxy(ship))
            yield Choice(worth, (Explore(ship.number, direction),))

    def _worth_of_news(self, galaxy: Seat) -> float:
        known = self.board.planets(galaxy)
        kinds = {place.resource for place in known}
        at_once = _FREE_TILES * (1 + self.board.me.rings) * 0.7
        new = not self._ports and any(letter not in kinds for letter, _ in self.wanted.each())
        return at_once + (1.0 if new or len(known) < 2 else 0.0)

    def _frontier(self, ship: Ship, ways: dict[int, Way]) -> Iterator[Choice]:
        """Yield a move towards the nearest hex from where to explore."""
        edge = [n for n in ways if n != ship.hex and self.board.unexplored(n)]
        if edge:
            goal = min(edge, key=lambda number: (len(ways[number]), number))
            worth = self._worth_of_news(self.board.galaxy(ship))
            yield self._towards(ship, ways[goal], worth * _LATER)

    def _towards(self, ship: Ship, way: Way, worth: float, *extra: Order) -> Choice:
        """Return a move along a way; its worth falls with every turn that it takes."""
        first = way[: self._reach]
        turns = -(-len(way) // self._reach) - 1
        moves = (Travel(ship.number, first),) if first else ()
        return Choice(worth * _LATER**turns, (*moves, *extra), first[-1] if first else ship.hex)

    def _landings(self, ship: Ship, ways: dict[int, Way]) -> Iterator[Choice]:
        for number, way in ways.items():
            place = self.board.hex(number)
            if self.board.can_mine(place):
                yield from self._mining(ship, place, self._arrival(ship, way))
            elif place.occupied:
                yield self._visit(ship, place, way)
            elif place.kind is Kind.TRADER and self.profile.trades:
                yield self._market(ship, way)

    def _arrival(self, ship: Ship, way: Way) -> Way | None:
        """Return a way that ends with an arrival: out and back if the ship is there already."""
        if way or self.board.state.rules.mine_on_stay:
            return way
        if self._reach < 2:
            return None
        open_ = [n for n, there in self.board.ways(ship.hex, 1).items() if there]
        return (min(open_), ship.hex) if open_ else None

    def _mining(self, ship: Ship, place: Hex, way: Way | None) -> Iterator[Choice]:
        if way is None or place.number in self._mined:
            return
        cards = self.board.mined(place)
        worth = self._worth(cards) + (0.3 if place.galaxy in self._goals[:1] else 0.0)
        worth += self._worth_of_site(place)
        choice = self._towards(ship, way, worth)
        if len(way) > self._reach:
            yield choice
        else:
            yield Choice(choice.worth, choice.orders, place.number, cards)

    def _worth_of_site(self, place: Hex) -> float:
        """Return the worth of being at a planet where the hand pays for a base (rule 27)."""
        return _SITE if place.galaxy in self._sites and self.board.can_mine(place) else 0.0

    def _worth(self, cards: Goods) -> float:
        """Return the worth of cards that are mined: those that are wanted count most."""
        useless = beyond(cards, self.wanted)
        return cards.total - useless.total + sum(n * self._worth_of(a) for a, n in useless.each())

    def _worth_of(self, letter: str) -> float:
        """Return the worth of a card that no wish needs now."""
        if letter in self._ports:
            return _SWAPPED
        return _SPARE if self.board.me.hand.of(letter) < _PLENTY else 0.0

    def _visit(self, ship: Ship, place: Hex, way: Way) -> Choice:
        """Return a move to an occupied planet, with what the ship does there."""
        people, mined = known_people(place, self.board.seat), 1 + self.board.me.rings
        agree = EncounterAnswer(ship.number, yes=True)
        if people is None:
            return self._towards(ship, way, 0.5 * mined if way else 0.1, agree)
        if people is Card.TOLL:
            return self._towards(ship, way, mined - 0.5, agree)
        if people.strength:
            lead = 1 + self.board.me.cannons - people.strength
            attack = Attack(ship.number, Target.HEX, place.number)
            worth = chance_to_win(lead) * (2 + mined) - 1.5
            return self._towards(ship, way, worth, *([attack] if len(way) <= self._reach else []))
        return self._towards(ship, way, 0.0)

    def _market(self, ship: Ship, way: Way) -> Choice:
        swap = barter(ship.number, self._lacks, self._spare)
        worth = 0.6 * min(self._lacks.total, self._spare.total)
        extra = [swap] if swap is not None and len(way) <= self._reach else []
        return self._towards(ship, way, worth, *extra)

    def _jumps(self, ship: Ship, ways: dict[int, Way]) -> Iterator[Choice]:
        """Yield a jump to a galaxy without a colony system, or a move to the nearest node."""
        goal = self._post(ship)
        if goal is None or not self.board.me.boosters:
            return
        worth = 2.0 + self.board.me.rings
        if ship.hex not in (nodes := self.board.nodes()):
            reached = [n for n in nodes if n in ways]
            if reached:
                nearest = min(reached, key=lambda number: (len(ways[number]), number))
                yield self._towards(ship, ways[nearest], worth)
            return
        for node in self.board.nodes(goal):
            order = self.board.jump(ship, node)
            if order is not None and node not in self.board.dangers:
                yield Choice(worth, (order,), node)

    def _post(self, ship: Ship) -> Seat | None:
        """Return the galaxy where a ship is needed most, or None if it stays where it is."""
        here = self.board.galaxy(ship)
        manned = [self.board.galaxy(each) for each in self.board.ships if each is not ship]
        if here in self._goals and (here not in manned or here == self._goals[0]):
            return None
        free = (each for each in self._goals if each not in manned and each != here)
        return next(free, None)
