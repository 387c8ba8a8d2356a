"""The position as the robot sees it, its orders, and its own side as they change it."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from referee.rules.hexes import Hex, distance
from referee.rules.ruleset import Seat
from referee.rulesets.fistful.knowledge import HIDDEN, believed
from referee.rulesets.fistful.orders import FleetOrder, Letter, Order, Ships, StarNumber, Transfer
from referee.rulesets.fistful.state import LETTERS, REACH, Fleet, Star, State

_VALUES: Final = {"S": 20, "C": 30, "D": 44}
_SCOUT: Final = _VALUES["S"]


def strength(ships: Ships) -> int:
    """Return the fighting strength of ships, in tenths of production points."""
    return sum(_VALUES.get(letter, 0) * number for letter, number in ships.each())


class Position:
    """The position a player knows, and the orders so far. The fleets are as these leave them."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.known = believed(state, seat)
        self.seat = seat
        self.enemy = self.known.other(seat)
        self.rules = self.known.rules
        self.stars = self.known.stars
        self.home = self.known.players[seat].home
        self.prize = self.known.players[self.enemy].home
        """The homeworld of the enemy."""
        self.orders: list[Order] = []
        self.fleets = {fleet.letter: fleet for fleet in self.known.fleets_of(seat)}
        self.busy: set[Letter] = set()
        """The fleets that have their order of this turn."""
        self.ways = ways(tuple((s.number, s.at) for s in self.stars.values()))
        self.apart = self.ways.apart
        own = [star.number for star in self.known.colonies_of(seat)]
        self.supplied = frozenset(
            to for to in self.stars if any(self.apart[to][star] <= REACH for star in own)
        )
        self.foes = self._foes()
        """The expected strength of the enemy at each star with enemy fleets."""

    def _foes(self) -> dict[StarNumber, int]:
        fleets = self.known.fleets_of(self.enemy)
        if not any(fleet.letter == HIDDEN for fleet in fleets):
            sums: dict[StarNumber, int] = {}
            for fleet in fleets:
                sums[fleet.star] = sums.get(fleet.star, 0) + strength(fleet.ships)
            return sums
        seen = self.known.players[self.seat].seen
        places = [fleet.star for fleet in fleets]
        return {
            star: strength(seen[star]) if star in seen else self._guess(star, len(places))
            for star in places
        }

    def _guess(self, star: StarNumber, places: int) -> int:
        """Return the expected strength at a star: the enemy has as much as we have."""
        if self.stars[star].owner is None:
            return _SCOUT
        own = sum(strength(fleet.ships) for fleet in self.fleets.values())
        return max(_SCOUT, own // places)

    def colonies(self, seat: Seat) -> list[Star]:
        """Return the colonies of a player, ordered by their numbers."""
        return self.known.colonies_of(seat)

    def fleets_at(self, star: StarNumber) -> list[Fleet]:
        """Return the own fleets at a star."""
        return [fleet for fleet in self.fleets.values() if fleet.star == star]

    def free_letter(self) -> Letter:
        """Return a vacant letter, or an empty string."""
        return next((letter for letter in LETTERS if letter not in self.fleets), "")

    def add(self, letter: Letter, star: StarNumber, ships: Ships) -> Fleet:
        """Add ships to a fleet, and create it if its letter is vacant."""
        fleet = self.fleets.setdefault(letter, Fleet(letter, self.seat, star, Ships()))
        fleet.ships += ships
        return fleet

    def split(self, fleet: Fleet, ships: Ships) -> Fleet | None:
        """Order ships of a fleet into a new one and return it, or None without a vacant letter."""
        letter = self.free_letter()
        if not letter:
            return None
        fleet.ships -= ships
        self.orders.append(Transfer(fleet.letter, ships, letter))
        return self.add(letter, fleet.star, ships)

    def order(self, order: FleetOrder) -> None:
        """Add the order of a fleet for this turn."""
        self.busy.add(order.fleet)
        self.orders.append(order)

    def idle(self) -> Iterator[Fleet]:
        """Yield the fleets without an order that have warships and no transports."""
        for fleet in list(self.fleets.values()):
            is_free = fleet.letter not in self.busy
            if is_free and fleet.ships.warships and not fleet.ships.transports:
                yield fleet

    def can_reach(self, fleet: Fleet, star: StarNumber) -> bool:
        """Return whether a fleet can move to a star in this turn."""
        near = 0 < self.apart[fleet.star][star] <= self.rules.range_of(fleet.ships)
        return near and (star in self.supplied or _only_scouts(fleet.ships))

    def hops(self, fleet: Fleet, goal: StarNumber) -> Mapping[StarNumber, int]:
        """Return the number of turns to a goal from each star, for the range of a fleet."""
        return self.ways.hops(goal, self.rules.range_of(fleet.ships))

    def step(self, fleet: Fleet, goal: StarNumber) -> StarNumber | None:
        """Return the next star of a fleet on its way to a goal, or None if there is no way.

        It avoids stars where stronger enemies are.
        """
        if self.can_reach(fleet, goal):
            return goal
        hops, own = self.hops(fleet, goal), strength(fleet.ships)
        near = [
            to
            for to in hops
            if to != fleet.star and self.can_reach(fleet, to) and self.foes.get(to, 0) <= own
        ]
        best = min(near, key=lambda to: (hops[to], self.apart[to][goal], to), default=None)
        here = hops.get(fleet.star)
        if best is None or (here is not None and hops[best] >= here):
            return None
        return best


def _only_scouts(ships: Ships) -> bool:
    return ships.counts() == (0, ships.scouts, 0, 0)


class Ways:
    """The ways between the stars of one map, each worked out when it is first needed."""

    def __init__(self, places: tuple[tuple[StarNumber, Hex], ...]) -> None:
        hexes = dict(places)
        self.apart: dict[StarNumber, dict[StarNumber, int]] = {at: {at: 0} for at in hexes}
        """The distance of each star to each other star."""
        for one in hexes:
            for other in hexes:
                if one < other:
                    far = distance(hexes[one], hexes[other])
                    self.apart[one][other] = self.apart[other][one] = far
        self._hops: dict[tuple[StarNumber, int], Mapping[StarNumber, int]] = {}

    def hops(self, goal: StarNumber, reach: int) -> Mapping[StarNumber, int]:
        """Return the number of moves to a goal from each star from which it can be reached."""
        if (goal, reach) not in self._hops:
            self._hops[goal, reach] = self._flood(goal, reach)
        return self._hops[goal, reach]

    def _flood(self, goal: StarNumber, reach: int) -> Mapping[StarNumber, int]:
        found, edge, left = {goal: 0}, [goal], {*self.apart} - {goal}
        while edge:
            moves = 1 + found[edge[0]]
            edge = [to for to in left if any(self.apart[to][at] <= reach for at in edge)]
            left.difference_update(edge)
            found.update(dict.fromkeys(edge, moves))
        return found


@lru_cache(maxsize=8)
def ways(places: tuple[tuple[StarNumber, Hex], ...]) -> Ways:
    """Return the ways of a map, by its stars."""
    return Ways(places)
