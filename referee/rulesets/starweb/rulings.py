"""Rulings on a sheet before the deadline: what stands, what stands but, what does not, and why."""

from collections.abc import Sequence

from referee.rules.ruleset import Outcome, Ruling, Seat, Standing
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.cautions import caution, softened
from referee.rulesets.starweb.forecast import BAD_LUCK
from referee.rulesets.starweb.knowledge import known_state
from referee.rulesets.starweb.objections import objection
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.steps.building import build_idly
from referee.rulesets.starweb.turn import TURN, resolve
from referee.rulesets.starweb.working import Turn

_BUSY = (
    o.MoveFleet,
    o.FireAtFleet,
    o.FireAtWorld,
    o.RobotAttack,
    o.DropBomb,
    o.GiveFleet,
)
"""What keeps a fleet from lying in ambush (s16, s29)."""


def validate(state: State, seat: Seat, orders: Sequence[o.Order]) -> Sequence[Ruling]:
    """Rule on a whole sheet, one ruling per order, from what the seat may know (s28, s29).

    The turn is resolved in the galaxy as the seat knows it, with nobody else acting: so transfers,
    builds and loads of the sheet count in the sequence of the turn, and what fails there fails
    here with the same reason. What depends on others is a warning.
    """
    if seat not in state.players:
        return [Ruling(Standing.REFUSED, "you have no seat in this game.") for _ in orders]
    sight, known = Sight(state, seat), known_state(state, seat, orders)
    resolved = resolve(known, _sheets(known, seat, orders), frozenset(), BAD_LUCK).outcomes[seat]
    return [_ruling(sight, order, outcome, orders) for order, outcome in resolved]


def idle(state: State, seat: Seat, orders: Sequence[o.Order]) -> Sequence[str]:
    """Say which fleets and industry a sheet leaves without orders, and what they will do."""
    if seat not in state.players:
        return ()
    known = known_state(state, seat, orders)
    turn = Turn(known, _sheets(known, seat, orders), BAD_LUCK)
    for step in TURN:
        if step.take is build_idly:
            break
        step.take(turn)
    return (*_idle_fleets(turn, seat), *_idle_industry(turn, seat))


def _sheets(known: State, seat: Seat, orders: Sequence[o.Order]) -> dict[Seat, Sequence[o.Order]]:
    """Give sheets on which nobody but *seat* does anything, not even by lying in wait."""
    sheets: dict[Seat, Sequence[o.Order]] = dict.fromkeys(known.players, (o.HoldAmbush(),))
    return sheets | {seat: orders}


def _ruling(sight: Sight, order: o.Order, outcome: Outcome, sheet: Sequence[o.Order]) -> Ruling:
    if (wrong := objection(sight, order)) is not None:
        return Ruling(Standing.REFUSED, wrong)
    if not outcome.done:
        depends = None if _is_excluded(outcome) else softened(sight, order)
        if depends is not None:
            return Ruling(Standing.WARNED, depends)
        return Ruling(Standing.REFUSED, _sentence(outcome.reason))
    warned = " ".join(filter(None, (_sentence(outcome.reason), caution(sight, order, sheet))))
    return Ruling(Standing.WARNED, warned) if warned else Ruling(Standing.ACCEPTED)


def _is_excluded(outcome: Outcome) -> bool:
    return outcome.reason.endswith("was typed first")


def _sentence(reason: str) -> str:
    if reason.endswith("was typed first"):
        return f"{reason}, and the two exclude each other."
    return reason and reason.rstrip(".") + "."


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
