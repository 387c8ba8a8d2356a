"""The robot: it repairs, builds, takes planets and fights, from what its seat knows."""

from collections.abc import Sequence

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.singularity.accepted import ACCEPTED
from referee.rulesets.singularity.orders import Order
from referee.rulesets.singularity.robots import economy, fleet, politics
from referee.rulesets.singularity.robots.position import Position
from referee.rulesets.singularity.robots.styles import STYLES
from referee.rulesets.singularity.state import State


def robot(state: State, seat: Seat, strength: Strength, dice: Dice) -> Sequence[Order]:
    """Return the orders of a seat in any section of the turn."""
    del dice
    position = Position(state, seat)
    style = STYLES[strength]
    if position.builds:
        economy.repair(position, style)
    if position.moves:
        fleet.command(position, style)
    if position.builds:
        economy.build(position, style)
    politics.aim(position)
    politics.stay_alone(position)
    return [order for order in position.orders if isinstance(order, ACCEPTED[state.section])]
