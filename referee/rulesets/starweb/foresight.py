"""The turn as one player can foresee it: his orders alone, in the galaxy as he knows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

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
"""What keeps a fleet from lying in ambush (s16, s29)."""


class Fortune(Dice):
    """Dice that always fall the same way: everything that can happen does, or nothing."""

    def __init__(self, *, good: bool) -> None:
        super().__init__(b"forecast")
        self._good = good

    def at(self, *path: str | int) -> Dice:
        """Return the same luck."""
        return self

    def below(self, sides: int) -> int:
        """Return the lowest number with good luck, the highest with bad."""
        return 0 if self._good else sides - 1


BAD_LUCK: Final = Fortune(good=False)
GOOD_LUCK: Final = Fortune(good=True)


@dataclass(frozen=True, slots=True)
class Foresight:
    """The turn without luck, and what the orders leave idle. The state before it is *known*."""

    known: State
    sheets: dict[Seat, Sequence[o.Order]]
    resolution: Resolution[State, o.Order]
    idle: tuple[str, ...]

    def with_luck(self) -> State:
        """Return the worlds and fleets after the turn if everything happens that can."""
        return Turn(self.known, self.sheets, GOOD_LUCK).run(GALAXY).state


_latest: list[tuple[State, Seat, Sequence[o.Order], Foresight]] = []
"""What was foreseen last: rulings, the idle and the forecast of one letter all ask for it."""


def foresee(state: State, seat: Seat, orders: Sequence[o.Order]) -> Foresight:
    """Play the orders of *seat* in what it knows, with nobody else acting or lying in wait.

    What becomes of worlds, fleets and orders is foreseen; points and reports are not. The seat is
    a player's of the game, and nobody changes *state* afterwards.
    """
    for before, who, sheet, foreseen in _latest:
        if before is state and who == seat and sheet == (*orders,):
            return foreseen
    known = known_state(state, seat, orders)
    sheets: dict[Seat, Sequence[o.Order]] = dict.fromkeys(known.players, (o.HoldAmbush(),))
    sheets[seat] = (*orders,)
    turn = Turn(known, sheets, BAD_LUCK)
    idle: tuple[str, ...] = ()
    for step in GALAXY:
        if step.take is build_idly:
            idle = (*_idle_fleets(turn, seat), *_idle_industry(turn, seat))
        step.take(turn)
    foreseen = Foresight(known, sheets, turn.resolution(), idle)
    _latest[:] = [(state, seat, sheets[seat], foreseen)]
    return foreseen


def idle(state: State, seat: Seat, orders: Sequence[o.Order]) -> Sequence[str]:
    """Say which fleets and industry a sheet leaves without orders, and what they will do."""
    return foresee(state, seat, orders).idle if seat in state.players else ()


def _idle_fleets(turn: Turn, seat: Seat) -> list[str]:
    busy = {given.order.fleet for given in turn.given(*_BUSY) if given.seat == seat}
    resting = [
        fleet
        for number, fleet in sorted(turn.state.fleets.items())
        if fleet.owner == seat and fleet.ships and number not in busy
    ]
    calm = [f.number for f in resting if {(seat, None), (seat, f.world)} & turn.calm]
    waiting = [fleet.number for fleet in resting if fleet.number not in calm]
    lines = [_resting(waiting, "stays and ambushes", "stay and ambush")] if waiting else []
    return lines + ([_resting(calm, "stays", "stay")] if calm else [])


def _resting(numbers: list[o.FleetNumber], one: str, many: str) -> str:
    names = ", ".join(f"F{number}" for number in numbers)
    return f"{names}: it {one}." if len(numbers) == 1 else f"{names}: they {many}."


def _idle_industry(turn: Turn, seat: Seat) -> list[str]:
    return [
        f"W{number}: {left} of {turn.state.worlds[number].industry} industry; "
        f"{'it builds an I-Ship' if left == 1 else 'they build I-Ships'}."
        for number, left in sorted(turn.capacity.items())
        if left and turn.state.worlds[number].owner == seat
    ]
