"""Rulings before the deadline: the sheet is played through on what its player knows."""

from collections.abc import Sequence

from referee.rules.dice import Dice
from referee.rules.ruleset import Ruling, Seat
from referee.rules.rulings import accepted, refused, warned
from referee.rules.turns import SheetOrder
from referee.rules.wording import counted
from referee.rulesets.fistful import closing, homes, moving, planning
from referee.rulesets.fistful.knowledge import believed
from referee.rulesets.fistful.orders import (
    ChooseHome,
    Concede,
    FleetOrder,
    Fortify,
    Move,
    Order,
    Withdraw,
)
from referee.rulesets.fistful.state import Stage, Star, State
from referee.rulesets.fistful.turn_state import Turn

_NO_DICE = Dice(b"nothing is drawn before the deadline")


def validate(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Ruling]:
    """Rule on a whole sheet, from what the player knows alone.

    What fails for reasons he knows of is refused; what the enemy may still change is not.
    """
    turn = plan(state, seat, orders)
    return [_ruling(turn, given) for given in turn.sheets[seat]]


def plan(state: State, seat: Seat, orders: Sequence[Order]) -> Turn:
    """Play through what is the player's own: his choice of a homeworld, or up to fleet orders."""
    turn = Turn(believed(state, seat), {seat: orders}, _NO_DICE)
    if state.stage is Stage.HOMES:
        homes.choose(turn)
    elif state.stage is Stage.ORDERS:
        closing.refuse_homes(turn)
        planning.land(turn)
        planning.transfer(turn)
        planning.produce(turn)
        moving.give_orders(turn)
    return turn


def _ruling(turn: Turn, given: SheetOrder[Order]) -> Ruling:
    order = given.order
    if given.failed:
        return refused(given.remark)
    if isinstance(order, ChooseHome):
        return _ruling_on_home(turn, order)
    if isinstance(order, Concede):
        return warned("this ends the game; the enemy wins")
    if isinstance(order, Fortify) and not turn.state.stars[order.star].fortified:
        return warned(f"W{order.star} is fortified only if you order it next turn again")
    if isinstance(order, Move) and _enemies_at(turn, given.seat, order.to):
        return warned(f"enemy fleets are at W{order.to} now")
    if isinstance(order, Withdraw) and _enemies_at(turn, given.seat, order.to):
        return warned(f"enemy fleets are at W{order.to} now; there it would fight")
    return accepted()


def _ruling_on_home(turn: Turn, order: ChooseHome) -> Ruling:
    """Warn of a small homeworld: it has its greatest size at once, and never a greater one."""
    chosen = turn.state.stars[order.star]
    best = homes.best_in_zone_of(turn.state, chosen).capacity
    if chosen.capacity == best:
        return accepted()
    does = "; it could build nothing" if chosen.capacity == 1 else ""
    return warned(
        f"the colony at W{order.star} has size {chosen.capacity} and never more{does}; "
        f"the best stars in these rows hold {best}"
    )


def _enemies_at(turn: Turn, seat: Seat, star: int) -> bool:
    return bool(turn.state.fleets_at(star, turn.state.other(seat)))


def idle(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[str]:
    """Say which production points nobody spends, which fleets have no order, who must choose."""
    if state.stage is Stage.HOMES:
        return homes.unnamed(state, seat, orders)
    turn = plan(state, seat, orders)
    lines = [
        f"W{star.number}: {counted(left, 'production point')}."
        for star in turn.state.colonies_of(seat)
        if (left := _unspent(turn, star))
    ]
    lines += [
        f"W{star.number}: the first half of its fortification is lost."
        for star in turn.before.colonies_of(seat)
        if star.half_fortified and star.number not in turn.fortifying
    ]
    ordered = {given.order.fleet for given in turn.given(FleetOrder)}
    resting = [f.letter for f in turn.state.fleets_of(seat) if f.letter not in ordered]
    if resting:
        do = "it defends" if len(resting) == 1 else "they defend"
        lines.append(f"{', '.join(f'F{letter}' for letter in resting)}: {do}.")
    return lines


def _unspent(turn: Turn, star: Star) -> int:
    """Return the points that a colony has left, 0 when there is nothing to spend them on."""
    paid = turn.paid.get(star.number, 0)
    whole = planning.points(turn.before, turn.before.stars[star.number])
    builds = whole > 1 and whole - paid >= turn.state.rules.cheapest
    grows = not paid and not planning.objection_to_growth(turn.state, star)
    return whole - paid if builds or grows else 0
