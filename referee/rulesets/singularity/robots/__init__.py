"""The robot: it repairs, builds, takes planets and fights, from what its seat knows."""

from collections.abc import Sequence

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.singularity.orders import FireArmed, Order, SetAlliance
from referee.rulesets.singularity.politics import is_out
from referee.rulesets.singularity.robots import economy, fleet
from referee.rulesets.singularity.robots.position import Position
from referee.rulesets.singularity.robots.styles import STYLES
from referee.rulesets.singularity.sections import ACCEPTED
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
    _aim(position)
    _stay_alone(position)
    return [order for order in position.orders if isinstance(order, ACCEPTED[state.section])]


def _stay_alone(position: Position) -> None:
    """End the alliances that a player of the seat wanted before."""
    for other in sorted(position.player.votes):
        if not is_out(position.known, other):
            position.orders.append(SetAlliance(other, yes=False))


def _aim(position: Position) -> None:
    """Fire at armed ships first, even if the rules of the game say otherwise."""
    position.orders.append(FireArmed())
