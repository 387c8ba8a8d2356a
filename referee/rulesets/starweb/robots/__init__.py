"""The robot of StarWeb: it plays any seat in three strengths, from what the seat can know."""

from collections.abc import Sequence

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import Order
from referee.rulesets.starweb.robots.characters import use_powers
from referee.rulesets.starweb.robots.economy import build, deliver, man_keys
from referee.rulesets.starweb.robots.fighting import fight
from referee.rulesets.starweb.robots.moving import move
from referee.rulesets.starweb.robots.plan import Plan
from referee.rulesets.starweb.robots.trade import trade
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import State


def robot(state: State, seat: Seat, strength: Strength, dice: Dice) -> Sequence[Order]:
    """Return the orders of a seat, none if it is not in the game or the game is over."""
    if seat not in state.players or state.finished:
        return ()
    del dice  # Everything it does has a reason, so nothing is drawn.
    plan = Plan(Sight(state, seat), strength)
    for step in (trade, fight, deliver, build, man_keys, use_powers, move):
        step(plan)
    return plan.orders
