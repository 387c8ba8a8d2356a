"""The way of a ship to a space: a slipstream if that helps, then warps."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from referee.rulesets.singularity.board import Board, Space
from referee.rulesets.singularity.orders import Segment, Slipstream, Vector, Warp
from referee.rulesets.singularity.robots.position import Position
from referee.rulesets.singularity.state import Ship
from referee.rulesets.singularity.units import SLIP

_VECTORS: Final = [Vector(*each) for each in product(range(7), (0, 1, -1)) if each != (0, 0)]


@dataclass(frozen=True, slots=True)
class Flight:
    """The segments of a way, and the space where it ends."""

    segments: tuple[Segment, ...]
    end: Space


def flight(position: Position, ship: Ship, goal: Space) -> Flight:
    """Return the way of a turn that ends nearest to a goal; it avoids the ships of enemies."""
    drive, at = ship.drive, ship.at
    segments: tuple[Segment, ...] = ()
    if ship.units.get(SLIP) and position.apart(at, goal) > drive:
        slip, end = _slip(position, at, goal, drive)
        if slip is not None:
            segments, at = (slip,), end
            drive -= 1 if position.rules.slip_consumes_drive else 0
    for _ in range(drive):
        best = min(
            (
                (position.apart(to, goal), vector, to)
                for vector, to in _steps(position.board, at)
                if to == goal or to not in position.foes
            ),
            key=lambda step: step[0],
            default=None,
        )
        if best is None or best[0] >= position.apart(at, goal):
            break
        segments, at = (*segments, Warp(best[1])), best[2]
    return Flight(segments, at)


def _slip(
    position: Position, at: Space, goal: Space, drive: int
) -> tuple[Slipstream | None, Space]:
    best: Slipstream | None = None
    end, left = at, position.apart(at, goal)
    for vector, steps, to in _slips(position.board, at, drive):
        far = position.apart(to, goal)
        if far < left and (to == goal or to not in position.foes):
            best, end, left = Slipstream(vector, steps), to, far
    return best, end


@lru_cache(maxsize=2048)
def _steps(board: Board, at: Space) -> tuple[tuple[Vector, Space], ...]:
    """Return the steps from a space that stay on the board."""
    found = ((v, board.moved(at, v.direction, v.up, 1)) for v in _VECTORS)
    return tuple((vector, to) for vector, to in found if to is not None)


@lru_cache(maxsize=2048)
def _slips(board: Board, at: Space, drive: int) -> tuple[tuple[Vector, int, Space], ...]:
    """Return the slipstreams from a space that stay on the board, the shortest first."""
    found = (
        (vector, steps, board.moved(at, vector.direction, vector.up, steps))
        for steps in range(1, drive + 1)
        for vector in _VECTORS
    )
    return tuple((vector, steps, to) for vector, steps, to in found if to is not None)
