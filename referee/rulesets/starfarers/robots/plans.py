"""The plans of a robot: how much of everything it wants, and what it builds next."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.economy import (
    BASE_CAPS,
    CAP_KEYS,
    COST_KEYS,
    cost_of,
    objection_to_build,
)
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.orders import (
    BaseKind,
    BuildBase,
    BuildRing,
    BuildShip,
    Enhance,
    Enhancement,
    Target,
)
from referee.rulesets.starfarers.robots.board import Board
from referee.rulesets.starfarers.state import CORNERS, Kind
from referee.rulesets.starfarers.victory import has_system

Building = BuildBase | BuildRing | BuildShip | Enhance


@dataclass(frozen=True, slots=True)
class Profile:
    """How a strength plays."""

    parts: tuple[tuple[Enhancement, int], ...]
    """The enhancements to have before more bases are built, in this order."""
    later: tuple[tuple[Enhancement, int], ...]
    """The enhancements to have some time."""
    ships: int
    trades: bool
    """Whether the robot swaps cards at ports and with traders."""
    abroad: bool
    """Whether the robot builds colony systems in the galaxies of others."""
    strikes: bool
    """Whether the robot attacks bases, ships and motherships of others."""
    slack: int
    """How often in ten it moves at random."""


_B, _C, _R = Enhancement.BOOSTER, Enhancement.CANNON, Enhancement.RING
PROFILES: Final[Mapping[Strength, Profile]] = {
    Strength.EASY: Profile(
        ((_R, 1),), ((_B, 1),), ships=2, trades=False, abroad=False, strikes=False, slack=2
    ),
    Strength.NORMAL: Profile(
        ((_B, 1), (_R, 2)), ((_C, 2),), ships=3, trades=True, abroad=True, strikes=False, slack=0
    ),
    Strength.HARD: Profile(
        ((_B, 1), (_R, 3), (_C, 4)),
        ((_R, 5), (_C, 6), (_B, 2)),
        ships=3,
        trades=True,
        abroad=True,
        strikes=True,
        slack=0,
    ),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """Something to build: its cost, and its order, or None while it can only be saved for."""

    cost: Goods
    order: Building | None = None
    galaxy: Seat | None = None
    """The galaxy of a base, where a ship has to be at a planet."""

    @property
    def big(self) -> bool:
        """Whether the wish is a ship or a base, of which a turn builds one (rule 27)."""
        return isinstance(self.order, BuildBase | BuildShip)


def wishes(board: Board, profile: Profile) -> Iterator[Wish]:
    """Yield the orders to build that the robot wishes, the most urgent first."""
    yield from _parts(board, profile.parts[:2])
    yield from _ports(board)
    yield from _ships(board, min(2, profile.ships))
    yield from _parts(board, profile.parts[2:])
    yield from _ships(board, profile.ships)
    for galaxy in goals(board, profile):
        yield from _system(board, galaxy)
    yield from _parts(board, profile.later)


def _parts(board: Board, wanted: tuple[tuple[Enhancement, int], ...]) -> Iterator[Wish]:
    rules = board.state.rules
    for part, number in wanted:
        for _ in range(board.me.count(part), min(number, rules.caps[CAP_KEYS[part]])):
            yield Wish(rules.costs[COST_KEYS[part]], Enhance(((1, part),)))


def _ships(board: Board, wanted: int) -> Iterator[Wish]:
    have = len(board.ships)
    if have >= min(wanted, board.state.rules.caps["starships"]):
        return
    yards = [BuildShip(Target.MOTHERSHIP, int(board.seat))]
    yards += [
        BuildShip(Target.BASE, base.number)
        for base in board.bases
        if base.kind is BaseKind.SPACEPORT
    ]
    cost = board.state.rules.costs["starship"]
    for order in yards:
        if not objection_to_build(board.state, board.seat, order):
            yield Wish(cost, order)
            return


def _ports(board: Board) -> Iterator[Wish]:
    """Yield the first trade port, which swaps what its planet gives."""
    if not any(base.kind is BaseKind.TRADE_PORT for base in board.bases):
        for galaxy in sorted({board.galaxy(ship) for ship in board.ships}):
            yield _base(board, galaxy, BaseKind.TRADE_PORT)
            return


def goals(board: Board, profile: Profile) -> list[Seat]:
    """Return the galaxies where the robot wants a colony system, the most complete first."""
    players = list(board.state.players) if profile.abroad else [board.seat]
    wanting = [each for each in players if not has_system(board.state, board.seat, each)]
    there = {board.galaxy(ship) for ship in board.ships}
    return sorted(
        wanting,
        key=lambda each: (
            -len(board.kinds(each)),
            each != board.seat,
            each not in there,
            (each - board.seat) % 7,
        ),
    )


def _system(board: Board, galaxy: Seat) -> Iterator[Wish]:
    kinds = board.kinds(galaxy)
    if not kinds[BaseKind.TRADE_PORT]:
        yield _base(board, galaxy, BaseKind.TRADE_PORT)
    if kinds[BaseKind.COLONY] + kinds[BaseKind.SPACEPORT] < 2:
        yield _base(board, galaxy, BaseKind.COLONY)
    if not kinds[BaseKind.SPACEPORT] and not _is_full(board, BaseKind.SPACEPORT):
        colonies = [
            base.number
            for base in board.bases
            if base.kind is BaseKind.COLONY and board.hex(base.hex).galaxy == galaxy
        ]
        order = BuildRing(min(colonies)) if colonies else None
        yield Wish(board.state.rules.costs["ring"], order)


def _is_full(board: Board, kind: BaseKind) -> bool:
    have = sum(base.kind is kind for base in board.bases)
    return have >= board.state.rules.caps[BASE_CAPS[kind]]


def _base(board: Board, galaxy: Seat, kind: BaseKind) -> Wish:
    """Return the wish for a base where a ship is, else only for its cards."""
    for ship in board.ships:
        place = board.hex(ship.hex)
        if place.galaxy != galaxy or place.kind is not Kind.PLANET:
            continue
        for corner in ("", *CORNERS):
            order = BuildBase(place.number, kind, corner)
            if not objection_to_build(board.state, board.seat, order):
                return Wish(cost_of(board.state, order), order, galaxy)
    return Wish(cost_of(board.state, BuildBase(0, kind)), galaxy=galaxy)
