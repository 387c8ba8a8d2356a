"""Robots as players: the orders of a seat that the robot of its ruleset plays."""

from typing import Any

from referee.rules.dice import Dice
from referee.rules.extras import Strength, extras_of
from referee.rules.ruleset import Ruleset, RulingKind, Seat


def robot_orders(
    rules: Ruleset[Any, Any], state: Any, seat: Seat, strength: Strength, dice: Dice
) -> tuple[Any, ...]:
    """Return the orders of the robot for *seat*, without those that ``validate`` rejects.

    *dice* are those of the turn; the robot gets a stream of its own for each seat. A ruleset
    without a robot gives no orders.
    """
    robot = extras_of(rules).robot
    if robot is None:
        return ()
    drawn = dice.at(rules.phase(state).key, seat)
    return _without_rejected(rules, state, seat, tuple(robot(state, seat, strength, drawn)))


def _without_rejected(
    rules: Ruleset[Any, Any], state: Any, seat: Seat, orders: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Return *orders* without those rejected, and those that are rejected without them."""
    while orders:
        rulings = rules.validate(state, seat, orders)
        kept = tuple(
            order
            for order, ruling in zip(orders, rulings, strict=True)
            if ruling.kind is not RulingKind.REJECTED
        )
        if kept == orders:
            break
        orders = kept
    return orders
