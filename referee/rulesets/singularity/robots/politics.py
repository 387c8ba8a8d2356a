"""The politics of the robot: it has no allies, and fires at armed ships first."""

from referee.rulesets.singularity.orders import FireArmed, SetAlliance
from referee.rulesets.singularity.politics import is_out
from referee.rulesets.singularity.robots.position import Position


def stay_alone(position: Position) -> None:
    """End the alliances that a player of the seat wanted before."""
    for other in sorted(position.player.votes):
        if not is_out(position.known, other):
            position.orders.append(SetAlliance(other, yes=False))


def aim(position: Position) -> None:
    """Fire at armed ships first, even if the rules of the game say otherwise."""
    position.orders.append(FireArmed())
