"""Rulings before the deadline: the sheet is resolved on the state as its player knows it."""

from collections.abc import Sequence

from referee.rules.dice import Dice
from referee.rules.ruleset import Ruling, Seat
from referee.rules.turns import SheetOrder
from referee.rules.wording import accepted, counted, rejected, warned
from referee.rulesets.fistful import closing, homes, moving, planning
from referee.rulesets.fistful.knowledge import believed
from referee.rulesets.fistful.orders import (
    ChooseHome,
    Concede,
    FleetOrder,
    Fortify,
    Move,
    Order,
    Recon,
    Withdraw,
)
from referee.rulesets.fistful.state import Stage, Star, State
from referee.rulesets.fistful.turn_state import Turn

_NO_DICE = Dice(b"nothing is drawn before the deadline")


def validate(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Ruling]:
    """Return the rulings on a whole sheet, from what the player knows.

    An order is rejected if it fails for reasons known to the player. If the enemy can still
    change its outcome, it is accepted or warned.
    """
    turn = plan(state, seat, orders)
    return [_ruling(turn, given) for given in turn.sheets[seat]]


def plan(state: State, seat: Seat, orders: Sequence[Order]) -> Turn:
    """Resolve the player's own part of a turn: the choice of a homeworld, or phase I."""
    turn = Turn(believed(state, seat), {seat: orders}, _NO_DICE)
    if state.stage is Stage.HOMES:
        homes.choose(turn)
    elif state.stage is Stage.ORDERS:
        closing.reject_homes(turn)
        planning.land(turn)
        planning.transfer(turn)
        planning.produce(turn)
        moving.assign_orders(turn)
    return turn


def _ruling(turn: Turn, given: SheetOrder[Order]) -> Ruling:
    order = given.order
    if given.failed:
        return rejected(given.remark)
    if isinstance(order, ChooseHome):
        return _ruling_on_home(turn, order)
    if isinstance(order, Concede):
        return warned("this ends the game, and the enemy wins")
    if isinstance(order, Fortify) and not turn.state.stars[order.star].fortified:
        return warned(f"W{order.star} is fortified only if you order this again next turn")
    if isinstance(order, Move) and _enemies_at(turn, given.seat, order.to):
        return warned(f"enemy fleets are at W{order.to} now")
    if isinstance(order, Recon) and given.remark:
        return warned(given.remark)
    if isinstance(order, Withdraw) and _enemies_at(turn, given.seat, order.to):
        return warned(f"enemy fleets are at W{order.to} now, and it would fight there")
    return accepted()


def _ruling_on_home(turn: Turn, order: ChooseHome) -> Ruling:
    """Return a warning about a small homeworld, which never grows, or accept it."""
    chosen = turn.state.stars[order.star]
    best = homes.best_in_zone_of(turn.state, chosen).capacity
    if chosen.capacity == best:
        return accepted()
    does = " It could not build anything." if chosen.capacity == 1 else ""
    return warned(
        f"the colony at W{order.star} would have size {chosen.capacity} for ever.{does} "
        f"The best stars in these rows have capacity {best}"
    )


def _enemies_at(turn: Turn, seat: Seat, star: int) -> bool:
    return bool(turn.state.fleets_at(star, turn.state.other(seat)))


def unused(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[str]:
    """Return the unspent production points, the fleets without orders, and missing choices."""
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
    waiting = [f.letter for f in turn.state.fleets_of(seat) if f.letter not in ordered]
    if waiting:
        do = "It defends" if len(waiting) == 1 else "They defend"
        lines.append(f"{', '.join(f'F{letter}' for letter in waiting)}: no order. {do}.")
    return lines


def _unspent(turn: Turn, star: Star) -> int:
    """Return the points that a colony has left, or 0 if it cannot spend them."""
    paid = turn.paid.get(star.number, 0)
    whole = planning.points(turn.before, turn.before.stars[star.number])
    builds = whole > 1 and whole - paid >= turn.state.rules.cheapest
    grows = not paid and not planning.objection_to_growth(turn.state, star)
    return whole - paid if builds or grows else 0
