"""The explanation of an order, in one line of plain English."""

from collections.abc import Iterable
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.wording import listed
from referee.rulesets.singularity.board import COLOURS
from referee.rulesets.singularity.orders import (
    Build,
    Declare,
    FireArmed,
    FireAtShip,
    FireWeakest,
    FirstPlayers,
    FirstTypes,
    Hide,
    Jump,
    Move,
    Order,
    Place,
    Repair,
    Resign,
    Scrap,
    Segment,
    SetAlliance,
    Slipstream,
    Terraform,
    Vector,
    Warp,
)
from referee.rulesets.singularity.politics import left_behind
from referee.rulesets.singularity.state import State
from referee.rulesets.singularity.units import NAMES, UNITS

_DIRECTIONS: Final = ("", "north-east", "east", "south-east", "south-west", "west", "north-west")
_UP: Final = {1: "up", 0: "", -1: "down"}


def explain(state: State, seat: Seat, order: Order) -> str:  # noqa: C901 - a table of sentences
    """Return the meaning of *order* in one line. Uses only the player names of the state."""
    names = {other: player.name for other, player in state.players.items()}
    names.setdefault(seat, "you")

    def players(numbers: Iterable[int]) -> str:
        return listed(names.get(Seat(number), f"player {number}") for number in numbers)

    match order:
        case Scrap(ship):
            return f"S{ship} is scrapped."
        case Repair(ship, points, units):
            what = listed(UNITS[unit] for unit in units) if units else f"{points} points of damage"
            return f"Repair {what} of S{ship}."
        case Hide(ship):
            return f"S{ship} goes dark."
        case Build(planet, ships):
            parts = (f"{number} {NAMES[kind]}{'s' * (number > 1)}" for number, kind in ships)
            return f"W{planet} builds {listed(parts)}."
        case Move(ship, segments):
            return f"S{ship} moves: {', then '.join(map(_segment, segments))}."
        case FirstPlayers(numbers, place):
            return f"Your ships{_where(place)} fire first at {players(numbers)}."
        case FirstTypes(types, place):
            kinds = listed(f"{NAMES[each]}s" for each in types)
            return f"Your ships{_where(place)} fire first at {kinds}."
        case FireArmed(place):
            return f"Your ships{_where(place)} fire at armed ships first."
        case FireWeakest(place):
            return f"Your ships{_where(place)} fire at the weakest ships first."
        case FireAtShip(ship, (at,)):
            return f"S{ship} fires at S{at} while it is there."
        case FireAtShip(ship, targets):
            each = ", then ".join(f"S{target}" for target in targets)
            return f"S{ship} fires its shots in turn at {each}, while they are there."
        case Terraform(planet, colour):
            return f"If it has a choice, W{planet} becomes {COLOURS.get(colour, colour)}."
        case SetAlliance(player, yes):
            return f"You {'want' if yes else 'do not want'} {players([player])} as your ally."
        case Declare(members, empire):
            what = "an empire over" if empire else "a faction with"
            return f"You declare {what} {players(members)} when the next turn begins."
        case Resign():
            return f"You leave the war for good: {left_behind(state)}."
    raise TypeError(f"{order!r} is not an order of The Singularity Trap")


def _where(place: Place | None) -> str:
    return "" if place is None else f" at {place.column}{place.level}"


def _segment(segment: Segment) -> str:
    match segment:
        case Slipstream(vector, steps):
            return f"slip {steps} {_vector(vector)}"
        case Warp(vector):
            return f"warp {_vector(vector)}"
        case Jump():
            return "jump"


def _vector(vector: Vector) -> str:
    parts = (_DIRECTIONS[vector.direction], _UP[vector.up])
    return " and ".join(part for part in parts if part) or "in place"
