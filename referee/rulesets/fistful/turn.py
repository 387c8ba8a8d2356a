"""The sequence of a turn: every step, with the reason for its place; the default orders."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, Seat
from referee.rules.turns import Step
from referee.rulesets.fistful import closing, fighting, homes, moving, news, planning
from referee.rulesets.fistful.orders import Order
from referee.rulesets.fistful.state import Stage, State
from referee.rulesets.fistful.turn_state import Turn

NEWS: Final = Step(news.tell, "rule 21: when it is known what the reports show")
HOMES: Final = (Step(homes.choose, "rule 3: before anything else"), NEWS)

TURN: Final = (
    Step(closing.reject_homes, "rule 3: homeworlds are chosen once"),
    Step(closing.concede, "a player who concedes still plays this turn"),
    Step(planning.land, "rule 4: colonization comes first, and frees fleets"),
    Step(planning.transfer, "rule 7: before new ships are built"),
    Step(planning.produce, "rule 9: new ships join the fleets as reorganized"),
    Step(moving.assign_orders, "rule 11: for fleets with their new ships"),
    Step(moving.prepare, "rule 11: only a fleet's first order counts"),
    Step(moving.move, "rule 17: all moves are simultaneous"),
    Step(moving.withdraw, "rule 17: before battles"),
    Step(fighting.fight, "rule 17: between the fleets still there"),
    Step(fighting.take_colonies, "rule 20: by the surviving fleets"),
    Step(fighting.look, "rule 16: after movement and combat"),
    Step(closing.settle, "rule 1: by the owners of the homeworlds now"),
    Step(closing.count_turn, "the next orders are the next turn's"),
    NEWS,
)


def resolve(
    state: State,
    orders: Mapping[Seat, Sequence[Order]],
    defaulted: frozenset[Seat],
    dice: Dice,
) -> Resolution[State, Order]:
    """Resolve a turn, or the choice of homeworlds."""
    return Turn(state, orders, dice, defaulted).run(HOMES if state.stage is Stage.HOMES else TURN)


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders, or a homeworld in the home phase, or nothing."""
    if standing:
        return tuple(standing)
    if state.stage is Stage.HOMES and seat in homes.choosers(state):
        return tuple(homes.usual(state, seat))
    return ()
