"""The table as a robot sees it: what is where, ways through space, and the odds of battles."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.goods import Goods, of
from referee.rulesets.starfarers.landing import can_mine
from referee.rulesets.starfarers.orders import BaseKind, Target, Teleport
from referee.rulesets.starfarers.sight import table_of
from referee.rulesets.starfarers.state import (
    Base,
    Hex,
    Kind,
    Place,
    Ship,
    State,
    next_to,
)
from referee.rulesets.starfarers.travel import fare_of, is_node

Way = tuple[int, ...]
"""The hexes that a ship passes, without the one where it starts."""

_EVEN: Final = 0.39
_WIN: Final[Mapping[int, float]] = {-2: 0.08, -1: 0.21, 0: _EVEN, 1: 0.61, 2: 0.79, 3: 0.92}
"""The chance to win a battle with the usual thrust, by the lead in firepower."""


def chance_to_win(lead: int) -> float:
    """Return the chance to win a battle with so much more firepower than the other side."""
    if lead in _WIN:
        return _WIN[lead]
    return 0.98 if lead > 0 else 0.02


class Board:
    """The hexes, ships and bases that a player sees, with the hexes by their places."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state = table_of(state, seat)
        self.seat = seat
        self.me = state.players[seat]
        self._places = {(h.galaxy, h.at): h for h in self.state.hexes.values()}
        self._near: dict[int, list[Hex]] = {}
        self.ships = [ship for ship in self.state.fleet(seat) if not ship.mercenary]
        self.bases = self.state.bases_of(seat)
        self.dangers = self._dangers()

    def move(self, ship: Ship, number: int) -> None:
        """Expect a ship at another hex from now on."""
        self.ships = [replace(s, hex=number) if s.number == ship.number else s for s in self.ships]

    def forget(self, numbers: Collection[int]) -> None:
        """Leave out the ships of which nobody knows where they will be."""
        self.ships = [ship for ship in self.ships if ship.number not in numbers]

    def hex(self, number: int) -> Hex:
        """Return the hex of a number."""
        return self.state.hexes[number]

    def galaxy(self, ship: Ship) -> Seat:
        """Return the owner of the galaxy where a ship is."""
        return self.hex(ship.hex).galaxy

    def near(self, number: int) -> list[Hex]:
        """Return the explored neighbours of a hex."""
        if number not in self._near:
            here = self.hex(number)
            around = ((here.galaxy, next_to(here.at, d)) for d in range(1, 7))
            self._near[number] = [self._places[at] for at in around if at in self._places]
        return self._near[number]

    def unexplored(self, number: int) -> list[int]:
        """Return the directions in which a ship at a hex can explore."""
        here = self.hex(number)
        if not self.state.bags[here.galaxy]:
            return []
        around = {d: (here.galaxy, next_to(here.at, d)) for d in range(1, 7)}
        return [d for d, at in around.items() if at not in self._places]

    def _dangers(self) -> set[int]:
        """Return the hexes where a ship that comes must fight (rule 12)."""
        state, found = self.state, set[int]()
        foes = [h.number for h in state.hexes.values() if h.kind is Kind.PIRATES]
        foes += [s.hex for s in state.ships.values() if state.at_war(self.seat, s.owner)]
        for number in foes:
            found |= {number, *(each.number for each in self.near(number))}
        for base in state.bases.values():
            if base.owner != self.seat and state.at_war(self.seat, base.owner):
                found |= self.numbers(state.zone_of(base))
        return found

    def numbers(self, places: frozenset[tuple[Seat, Place]]) -> set[int]:
        """Return the numbers of the explored hexes at these places."""
        return {self._places[place].number for place in places if place in self._places}

    def ways(self, start: int, reach: int = 99) -> dict[int, Way]:
        """Return the shortest safe way to each hex up to *reach* steps away, the start first."""
        found: dict[int, Way] = {start: ()}
        edge = [start]
        for _ in range(reach):
            edge = [n for at in edge for n in self._onward(at, found)]
            if not edge:
                break
        return found

    def _onward(self, at: int, found: dict[int, Way]) -> Iterator[int]:
        for place in self.near(at):
            closed = place.kind is Kind.WORMHOLE and not self.me.boosters
            if place.number not in found and place.number not in self.dangers and not closed:
                found[place.number] = (*found[at], place.number)
                yield place.number

    def can_mine(self, place: Hex) -> bool:
        """Return whether a ship that comes to a hex mines it."""
        return can_mine(self.state, place)

    def planets(self, galaxy: Seat) -> list[Hex]:
        """Return the planets of a galaxy that can be mined."""
        return [h for h in self.state.hexes.values() if h.galaxy == galaxy and self.can_mine(h)]

    def nodes(self, galaxy: Seat | None = None) -> list[int]:
        """Return the hexes of a galaxy, or of all, that ships jump from and to."""
        return [
            number
            for number, place in sorted(self.state.hexes.items())
            if galaxy in (None, place.galaxy) and is_node(self.state, self.seat, number)
        ]

    def jump(self, ship: Ship, node: int) -> Teleport | None:
        """Return the order to jump to a node, or None if the hand cannot pay the teleporter."""
        place = self.hex(node)
        if not self.me.hand.covers(fare_of(self.state, ship, node)):
            return None
        if place.kind is Kind.MOTHERSHIP:
            return Teleport(ship.number, Target.MOTHERSHIP, int(place.galaxy))
        return Teleport(ship.number, Target.HEX, node)

    def kinds(self, galaxy: Seat, owner: Seat | None = None) -> Counter[BaseKind]:
        """Return how many bases of each kind a player has in a galaxy; without one, the robot."""
        bases = self.bases if owner is None else self.state.bases_of(owner)
        return Counter(base.kind for base in bases if self.hex(base.hex).galaxy == galaxy)

    def ports(self) -> dict[str, int]:
        """Return the resources that own trade ports on planets swap, with the ports' numbers."""
        return {
            self.hex(base.hex).resource: base.number
            for base in self.bases
            if base.kind is BaseKind.TRADE_PORT and not base.orbital
        }

    def mined(self, place: Hex) -> Goods:
        """Return the cards that a ship mines there."""
        return of(place.resource, 1 + self.me.rings)

    def firepower(self, owner: Seat, hexes: set[int], away: frozenset[int] = frozenset()) -> int:
        """Return the fighters of a player in range of some hexes, and the cannons (rule 33).

        Ships in *away* do not count, because they leave.
        """
        state = self.state
        near = hexes | {each.number for number in hexes for each in self.near(number)}
        ships = [
            ship
            for ship in state.fleet(owner)
            if ship.hex in near and state.is_ready(ship) and ship.number not in away
        ]
        bases = [base for base in state.bases_of(owner) if self.covered(base) & hexes]
        return len(ships) + len(bases) + state.players[owner].cannons

    def covered(self, base: Base) -> set[int]:
        """Return the explored hexes of a base."""
        return self.numbers(self.state.places_of(base))

    def stronghold(self, owner: Seat) -> int:
        """Return the firepower of a mothership: the whole fleet, and what is near (rule 31)."""
        state, home = self.state, {int(owner)}
        fleet = sum(state.is_ready(s) and not s.mercenary for s in state.fleet(owner))
        bases = sum(bool(self.covered(base) & home) for base in state.bases_of(owner))
        return fleet + bases + state.players[owner].cannons


def lacking(cost: Goods, hand: Goods) -> Goods:
    """Return the cards of a cost that a hand does not have."""
    return Goods(*(max(0, a - b) for a, b in zip(cost.counts(), hand.counts(), strict=True)))


def beyond(hand: Goods, cost: Goods) -> Goods:
    """Return the cards of a hand that a cost does not need."""
    return lacking(hand, cost)
