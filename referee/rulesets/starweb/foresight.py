"""The turn as one player can foresee it: only their own orders, in the galaxy they know."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, Seat
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.knowledge import known_state
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.steps.building import build_idly
from referee.rulesets.starweb.turn import GALAXY
from referee.rulesets.starweb.turn_state import Turn

_BUSY = (
    o.MoveFleet,
    o.FireAtFleet,
    o.FireAtWorld,
    o.RobotAttack,
    o.DropBomb,
    o.GiveFleet,
)
"""Orders that keep a fleet from ambushing (s16, s29)."""


class Fortune(Dice):
    """Dice that always fall the same way: everything that can happen happens, or nothing."""

    def __init__(self, *, good: bool) -> None:
        super().__init__(b"forecast")
        self._good = good
        self.is_asked = False
        """Whether anything depended on luck so far."""

    def at(self, *path: str | int) -> Dice:
        """Return the same luck."""
        return self

    def below(self, sides: int) -> int:
        """Return the lowest number with good luck, the highest with bad."""
        self.is_asked = True
        return 0 if self._good else sides - 1

    def hits(self, tries: int, numerator: int, denominator: int) -> int:
        """Return all *tries* with good luck and none with bad, if there is a chance."""
        return tries if tries and self.chance(numerator, denominator) else 0


@dataclass(frozen=True, slots=True)
class Foresight:
    """The turn without luck, and what the orders leave unused; *known* is the state before it."""

    known: State
    sheets: dict[Seat, Sequence[o.Order]]
    resolution: Resolution[State, o.Order]
    unused: tuple[str, ...]
    needs_luck: bool
    """Whether anything depends on luck."""

    def with_luck(self) -> State:
        """Return the worlds and fleets after the turn if all luck is good."""
        if not self.needs_luck:
            return self.resolution.state
        return Turn(self.known, self.sheets, Fortune(good=True)).run(GALAXY).state


_latest: list[tuple[State, Seat, Sequence[o.Order], Foresight]] = []
"""The latest result: rulings, unused units and the forecast of one email all ask for it."""


def foresee(state: State, seat: Seat, orders: Sequence[o.Order]) -> Foresight:
    """Resolve the orders of *seat* in what it knows, while no other player acts or ambushes.

    The result has worlds, fleets and outcomes of orders, but no points or reports. The seat must
    belong to a player of the game. *state* must not change afterwards: the result is cached.
    """
    for before, who, sheet, foreseen in _latest:
        if before is state and who == seat and sheet == (*orders,):
            return foreseen
    known = known_state(state, seat, orders)
    sheets: dict[Seat, Sequence[o.Order]] = dict.fromkeys(known.players, (o.HoldAmbush(),))
    sheets[seat] = (*orders,)
    luck = Fortune(good=False)
    turn = Turn(known, sheets, luck)
    unused: tuple[str, ...] = ()
    for step in GALAXY:
        if step.take is build_idly:
            unused = (*_unused_fleets(turn, seat), *_unused_industry(turn, seat))
        step.take(turn)
    foreseen = Foresight(known, sheets, turn.resolution(), unused, luck.is_asked)
    _latest[:] = [(state, seat, sheets[seat], foreseen)]
    return foreseen


def unused(state: State, seat: Seat, orders: Sequence[o.Order]) -> Sequence[str]:
    """Return a line for each group of unused fleets and industry, with what they do."""
    return foresee(state, seat, orders).unused if seat in state.players else ()


def _unused_fleets(turn: Turn, seat: Seat) -> list[str]:
    busy = {given.order.fleet for given in turn.given(*_BUSY) if given.seat == seat}
    resting = [
        fleet
        for number, fleet in sorted(turn.state.fleets.items())
        if fleet.owner == seat and fleet.ships and number not in busy
    ]
    calm = [f.number for f in resting if {(seat, None), (seat, f.world)} & turn.calm]
    waiting = [fleet.number for fleet in resting if fleet.number not in calm]
    lines = [_resting(waiting, "ambushes", "ambush")] if waiting else []
    return lines + ([_resting(calm, "stays", "stay")] if calm else [])


def _resting(numbers: list[o.FleetNumber], one: str, many: str) -> str:
    """Return what fleets without an order to move or fire do; they may have other orders."""
    names = ", ".join(f"F{number}" for number in numbers)
    so = f"it {one}" if len(numbers) == 1 else f"they {many}"
    return f"{names}: no order to move or fire, so {so}."


def _unused_industry(turn: Turn, seat: Seat) -> list[str]:
    return [
        f"W{number}: {left} of {turn.state.worlds[number].industry} industry. "
        f"It builds {'an I-Ship' if left == 1 else 'I-Ships'}."
        for number, left in sorted(turn.capacity.items())
        if left and turn.state.worlds[number].owner == seat
    ]
