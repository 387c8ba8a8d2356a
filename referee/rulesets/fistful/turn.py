"""The sequence of a turn: every step, and the reason for its place."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, Seat
from referee.rules.turns import Step
from referee.rulesets.fistful import closing, fighting, homes, moving, planning
from referee.rulesets.fistful.orders import Order
from referee.rulesets.fistful.state import Stage, State
from referee.rulesets.fistful.turn_state import Turn

HOMES: Final = (Step(homes.choose, "rule 3: before anything else"),)

TURN: Final = (
    Step(closing.refuse_homes, "rule 3: homeworlds are chosen once"),
    Step(closing.concede, "who gives up still plays this turn"),
    Step(planning.land, "rule 4: colonization comes first, and frees fleets"),
    Step(planning.transfer, "rule 7: before new ships are there"),
    Step(planning.produce, "rule 9: new ships go into fleets as they are by now"),
    Step(moving.give_orders, "rule 11: for fleets with their new ships"),
    Step(moving.stand_by, "rule 11: of several orders to a fleet the first counts"),
    Step(moving.move, "rule 17: all moves at once"),
    Step(moving.withdraw, "rule 17: before anybody fights"),
    Step(fighting.fight, "rule 17: whoever is still there"),
    Step(fighting.take_colonies, "rule 20: by who is left"),
    Step(fighting.look, "rule 16: after movement and combat"),
    Step(closing.settle, "rule 1: by who holds the homeworlds now"),
    Step(closing.count_turn, "the next orders are the next turn's"),
)


def resolve(
    state: State,
    orders: Mapping[Seat, Sequence[Order]],
    missed: frozenset[Seat],
    dice: Dice,
) -> Resolution[State, Order]:
    """Resolve a turn, or the choice of homeworlds."""
    return Turn(state, orders, dice, missed).run(HOMES if state.stage is Stage.HOMES else TURN)
