"""The robot that plays a seat of Starfarers, from what the seat sees."""

from collections.abc import Iterator, Sequence

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.orders import Order, Travel
from referee.rulesets.starfarers.parts import ACCEPTED
from referee.rulesets.starfarers.robots.board import Board
from referee.rulesets.starfarers.robots.piloting import Pilot
from referee.rulesets.starfarers.robots.plans import PROFILES, wishes
from referee.rulesets.starfarers.robots.spending import purchases
from referee.rulesets.starfarers.state import State
from referee.rulesets.starfarers.turn import phase


def robot(state: State, seat: Seat, strength: Strength, dice: Dice) -> Sequence[Order]:
    """Return the orders of a seat: the moves of its ships, then swaps and buildings."""
    if seat not in phase(state).awaiting:
        return ()
    allowed = ACCEPTED[state.stage]
    return [each for each in _orders(state, seat, strength, dice) if isinstance(each, allowed)]


def _orders(state: State, seat: Seat, strength: Strength, dice: Dice) -> Iterator[Order]:
    board, profile = Board(state, seat), PROFILES[strength]
    hand = board.me.hand
    if Travel in ACCEPTED[state.stage]:
        pilot = Pilot(board, profile, [*wishes(board, profile)], dice)
        yield from pilot.orders()
        hand += pilot.gain
    ports = board.ports() if profile.trades else {}
    yield from purchases(wishes(board, profile), hand, ports)
