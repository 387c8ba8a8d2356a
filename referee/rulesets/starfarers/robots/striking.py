"""The attacks of a hard robot: on bases, ships and motherships that are weaker."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.orders import Attack, Order, Target, Travel, Want
from referee.rulesets.starfarers.robots.board import Board, Way, chance_to_win
from referee.rulesets.starfarers.state import Base, Ship
from referee.rulesets.starfarers.victory import has_system

_LOSS: Final = 1.5
"""What it costs to lose a ship, which its mothership rebuilds at once."""
_EXILE: Final = 8.0
"""What it costs to lose a ship that nobody rebuilds."""


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
    """Yield what can be attacked, unless its owner is an ally."""
    state = board.state
    for other, player in state.players.items():
        if player.resigned or state.friends(board.seat, other):
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
