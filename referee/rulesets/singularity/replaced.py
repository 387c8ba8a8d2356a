"""Orders that a later order on the same sheet replaces."""

from typing import Any

from referee.rules.turns import SheetOrder
from referee.rulesets.singularity.language import render
from referee.rulesets.singularity.orders import (
    FireArmed,
    FireAtShip,
    FireWeakest,
    FirstPlayers,
    FirstTypes,
    Order,
    SetAlliance,
    Terraform,
)
from referee.rulesets.singularity.turn_state import Turn


def replace_earlier(turn: Turn, *kinds: type[Order]) -> None:
    """Fail each order of these kinds if a later one that is possible sets the same thing."""
    last: dict[tuple[object, ...], SheetOrder[Any]] = {}
    for given in turn.given(*kinds):
        key = given.seat, _subject(given.order)
        earlier = last.get(key)
        if earlier is not None and earlier.order == given.order:
            given.fail("it counts once")
            continue
        if earlier is not None:
            earlier.fail(f"{render(given.order)} further down replaces it")
        last[key] = given


def _subject(order: Order) -> tuple[object, ...]:
    """Return the subject of an order. A later order on the same subject replaces it."""
    match order:
        case FireArmed(place) | FireWeakest(place):
            return "strength", place
        case FirstPlayers(_, place):
            return "players", place
        case FirstTypes(_, place):
            return "types", place
        case FireAtShip(ship, _):
            return "ship", ship
        case Terraform(planet, _):
            return "planet", planet
        case SetAlliance(player, _):
            return "alliance", player
    raise TypeError(f"{order!r} sets nothing")
