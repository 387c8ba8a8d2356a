"""The robot: it chooses a homeworld, settles, builds and fights, from what its seat knows."""

from collections.abc import Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.fistful import homes
from referee.rulesets.fistful.orders import ChooseHome, Order
from referee.rulesets.fistful.robots import colonies, war
from referee.rulesets.fistful.robots.position import Position
from referee.rulesets.fistful.robots.styles import STYLES
from referee.rulesets.fistful.state import HomePick, Stage, State

_EQUAL: Final = 3
"""The number of homeworlds from which an easy robot draws one."""


def robot(state: State, seat: Seat, strength: Strength, dice: Dice) -> Sequence[Order]:
    """Return the orders of a seat: a homeworld, or those for colonies and fleets."""
    if state.stage is Stage.HOMES:
        return _homes(state, seat, strength, dice)
    if state.stage is Stage.OVER:
        return ()
    position = Position(state, seat)
    style = STYLES[strength]
    colonies.land(position)
    war.merge(position)
    war.command(position, style)
    colonies.produce(position, style)
    war.settle(position)
    if style.looks and state.rules.fog:
        war.look(position)
    return position.orders


def _homes(state: State, seat: Seat, strength: Strength, dice: Dice) -> Sequence[Order]:
    """Return the best homeworld of each zone; an easy robot draws one of the best."""
    if seat not in homes.choosers(state):
        return ()
    zones = [homes.ranked(state, zone) for zone in homes.zones(state, seat)]
    if state.rules.home_pick is HomePick.OPEN:
        zones = zones[:1]
    chance = dice.at("home")
    return [
        ChooseHome((chance.pick(stars[:_EQUAL]) if strength is Strength.EASY else stars[0]).number)
        for stars in zones
    ]
