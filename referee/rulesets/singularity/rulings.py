"""Rulings before the deadline: the sheet is played through on what its player knows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Ruling, Seat
from referee.rules.rulings import accepted, refused, warned
from referee.rules.turns import SheetOrder
from referee.rules.wording import counted
from referee.rulesets.singularity import doctrine, economy, factions, movement, politics
from referee.rulesets.singularity.accepted import ACCEPTED, elsewhere
from referee.rulesets.singularity.doctrine import DOCTRINES
from referee.rulesets.singularity.knowledge import believed
from referee.rulesets.singularity.orders import (
    Build,
    Declare,
    Jump,
    Move,
    Order,
    Resign,
    Segment,
    SetAlliance,
    Terraform,
)
from referee.rulesets.singularity.state import Leaving, Section, Ship, State
from referee.rulesets.singularity.turn_state import Turn

_NO_DICE: Final = Dice(b"nothing is drawn before the deadline")


def validate(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Ruling]:
    """Rule on a whole sheet, from what the player knows alone."""
    turn = plan(state, seat, orders)
    return [_ruling(given) for given in turn.sheets[seat]]


def plan(state: State, seat: Seat, orders: Sequence[Order]) -> Turn:
    """Play the player's own economy through, and try what else he orders."""
    turn = Turn(believed(state, seat), {seat: orders}, _NO_DICE)
    for given in turn.sheets[seat]:
        if not isinstance(given.order, ACCEPTED[state.section]):
            given.fail(elsewhere(state, given.order))
    if state.section in (Section.TURN, Section.PLAN, Section.ECONOMIC):
        economy.collect(turn)
        economy.scrap(turn)
        economy.maintain(turn)
        economy.repair(turn)
        economy.hide(turn)
        economy.build(turn)
        economy.account(turn)
    for given in turn.sheets[seat]:
        if not given.failed and type(given.order) in _CHECKS:
            _CHECKS[type(given.order)](turn, given)
    return turn


def _check_move(turn: Turn, given: SheetOrder[Move]) -> None:
    ship = turn.ship(given)
    if ship is None:
        return
    if reason := movement.objection(turn.state, ship, given.order.segments):
        given.fail(reason)
    elif movement.meets(turn.state, ship):
        _check_encounter(turn, given)
    elif _leads_off_the_charts(turn.state, ship, given.order.segments):
        given.remark = "where the jump leads you do not know yet"


def _check_encounter(turn: Turn, given: SheetOrder[Move]) -> None:
    """Refuse a move out of an encounter unless others may still hide before it (rules 9, 12)."""
    name = f"S{given.order.ship}"
    if turn.state.section is Section.MOVEMENT:
        given.fail(f"{name} is in an encounter")
    else:
        given.remark = f"{name} is in an encounter now, and moves only if that is over by then"


def _leads_off_the_charts(state: State, ship: Ship, segments: Sequence[Segment]) -> bool:
    """Return whether a way has a jump that its player does not know, as far as he can foresee
    it."""
    at = ship.at
    for segment in segments:
        if not isinstance(segment, Jump):
            at = movement.flown(state, at, segment) or at
        elif (chart := state.chart_from(at)) is None:
            return True
        else:
            at = chart.end
    return False


def _check_doctrine(turn: Turn, given: SheetOrder[Any]) -> None:
    if reason := doctrine.objection(turn, given):
        given.fail(reason)


def foreseen(state: State, seat: Seat, orders: Sequence[Order]) -> Turn:
    """Play the player's own economy and movement through, as if nobody else did anything."""
    turn = plan(state, seat, orders)
    if Move in ACCEPTED[state.section]:
        movement.rest(turn)
        movement.move(turn)
    return turn


def _check_planet(turn: Turn, given: SheetOrder[Terraform]) -> None:
    planet = turn.state.planets.get(given.order.planet)
    if planet is None:
        given.fail(f"there is no planet {given.order.planet}")
    elif given.order.colour not in turn.state.rules.wheel:
        given.fail(f"{given.order.colour} is none of the colours {turn.state.rules.wheel}")
    elif planet.owner != given.seat:
        given.remark = f"W{planet.column} is not yours now"


def _check_alliance(turn: Turn, given: SheetOrder[SetAlliance]) -> None:
    if reason := politics.objection_to_alliance(turn.state, given):
        given.fail(reason)


def _check_faction(turn: Turn, given: SheetOrder[Declare]) -> None:
    if reason := factions.objection_to_size(turn.state, given):
        given.fail(reason)
    else:
        given.remark = "it is declared at the beginning of the next turn, if you may by then"


def _check_resignation(turn: Turn, given: SheetOrder[Resign]) -> None:
    stays = turn.state.rules.resign is Leaving.STAY
    what = "your ships and planets stay and defend themselves" if stays else _GONE
    given.remark = f"{what}, and there is no way back"


_GONE: Final = "your ships go, your planets become nobody's"


_CHECKS: Final[Mapping[type[Order], Callable[[Turn, SheetOrder[Any]], None]]] = {
    Move: _check_move,
    **dict.fromkeys(DOCTRINES, _check_doctrine),
    Terraform: _check_planet,
    SetAlliance: _check_alliance,
    Declare: _check_faction,
    Resign: _check_resignation,
}


def _ruling(given: SheetOrder[Order]) -> Ruling:
    if given.failed:
        return refused(given.remark)
    return warned(given.remark) if given.remark else accepted()


def idle(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[str]:
    """Return how many points are left, and which ships could move and do not."""
    turn, lines = plan(state, seat, orders), []
    here = ACCEPTED[state.section]
    if Build in here:
        lines.append(f"You save {counted(turn.player(seat).points, 'point')}.")
    if Move in here:
        ordered = {given.order.ship for given in turn.given(Move)}
        idle_ships = [
            f"S{ship.number}"
            for ship in turn.state.fleet(seat)
            if ship.number not in ordered and ship.drive and not ship.dark
            and ship.number in state.ships
        ]  # fmt: skip
        if idle_ships:
            lines.append(f"{', '.join(idle_ships)}: they stay where they are.")
    return lines
