"""Warnings of orders that are possible but probably do nothing, or not yet."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rules.wording import listed
from referee.rulesets.singularity import doctrine, politics
from referee.rulesets.singularity.board import COLOURS
from referee.rulesets.singularity.orders import (
    FireArmed,
    FireAtShip,
    FireWeakest,
    FirstPlayers,
    FirstTypes,
    Order,
    Terraform,
)
from referee.rulesets.singularity.turn_state import Turn

ALLY: Final = "{} is your ally, so your ships do not fire at each other"


def caution(turn: Turn, seat: Seat, expected: Turn) -> None:
    """Add a warning to each order that has none and probably does nothing.

    *expected* is the turn after the player's own economy and movement.
    """
    for given in turn.sheets[seat]:
        if not given.failed and not given.remark and type(given.order) in CAUTIONS:
            given.remark = CAUTIONS[type(given.order)](expected, given)


def _of_place(turn: Turn, given: SheetOrder[Any]) -> str:
    """Return a warning if no ship that can fire is expected in the space of a doctrine."""
    place = given.order.place
    if place is None:
        return ""
    name = f"{place.column}{place.level}"
    here = (s for s in turn.state.fleet(given.seat) if turn.space(s.at) == name and s.shots)
    return (
        "" if any(not s.dark for s in here) else f"none of your armed ships is expected at {name}"
    )


def _of_players(turn: Turn, given: SheetOrder[FirstPlayers]) -> str:
    allies = [p for p in given.order.players if turn.state.allied(given.seat, Seat(p))]
    return ALLY.format(turn.name(Seat(allies[0]))) if allies else _of_place(turn, given)


def _of_shots(turn: Turn, given: SheetOrder[FireAtShip]) -> str:
    ships = turn.state.ships
    unseen = [f"S{number}" for number in given.order.targets if number not in ships]
    if unseen:
        return f"you do not see {listed(unseen)} now"
    allies = [ships[n].owner for n in given.order.targets
              if turn.state.allied(given.seat, ships[n].owner)]  # fmt: skip
    return ALLY.format(turn.name(allies[0])) if allies else doctrine.absent(turn, given)


def _of_colour(turn: Turn, given: SheetOrder[Terraform]) -> str:
    planet = turn.state.planets[given.order.planet]
    own = turn.player(given.seat).colour
    steps = politics.next_colours(turn.state, planet.colour, own)
    if not steps:
        return f"W{planet.column} has your colour already"
    if given.order.colour not in steps:
        colours = " or ".join(COLOURS[step] for step in steps)
        return f"W{planet.column} becomes {colours} next. Your choice is kept for later"
    if not politics.has_terraformer(turn.state, planet):
        return f"no terraformer of yours is expected to stay at W{planet.column}"
    return ""


CAUTIONS: Final[Mapping[type[Order], Callable[[Turn, SheetOrder[Any]], str]]] = {
    FirstPlayers: _of_players,
    FirstTypes: _of_place,
    FireArmed: _of_place,
    FireWeakest: _of_place,
    FireAtShip: _of_shots,
    Terraform: _of_colour,
}
