"""What an order means, in one plain English line."""

from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.goods import in_words
from referee.rulesets.starfarers.orders import (
    Answer,
    Attack,
    Avoid,
    Barter,
    BuildBase,
    BuildRing,
    BuildShip,
    Enhance,
    Explore,
    Hire,
    Offer,
    Order,
    PortTrade,
    Resign,
    SetAlliance,
    SetStance,
    StandBack,
    Target,
    Teleport,
    Travel,
    Want,
)
from referee.rulesets.starfarers.state import State

_DIRECTIONS: Final = ("", "north-east", "east", "south-east", "south-west", "west", "north-west")


def explain(state: State, seat: Seat, order: Order) -> str:  # noqa: C901 - a table of sentences
    """Say in one line what *order* means; of the state only the names of the players matter."""
    names = {int(other): player.name for other, player in state.players.items()}
    names.setdefault(int(seat), "you")

    def player(number: int) -> str:
        return names.get(number, f"player {number}")

    match order:
        case Explore(ship, direction):
            return f"S{ship} explores to the {_DIRECTIONS[direction]}."
        case Travel(ship, hexes):
            return f"S{ship} moves to {', then '.join(f'H{number}' for number in hexes)}."
        case Teleport(ship, to, number):
            where = f"the mothership of {player(number)}" if to is Target.MOTHERSHIP else (
                f"H{number}"
            )  # fmt: skip
            return f"S{ship} teleports to {where}."
        case Attack(ship, target, number):
            return f"S{ship} attacks {_target(target, number, player(number))}."
        case Want(ship, base):
            what = "a base is taken" if base else "a ship is destroyed"
            return f"If S{ship} wins, {what}."
        case StandBack(ship):
            return f"S{ship} supports nobody this round."
        case Avoid(ship):
            return f"S{ship} stops before it enters anybody's range."
        case Answer(ship, yes, payment):
            how = f"pays {in_words(payment)}" if payment else "accepts" if yes else "refuses"
            return f"S{ship} {how} where it meets somebody."
        case Hire(ship, number, payment):
            return f"S{ship} hires {number} mercenaries for {in_words(payment)}."
        case Barter(ship, give, take):
            return f"S{ship} swaps {in_words(give)} for {in_words(take)} with a trader."
        case PortTrade(base, give, take):
            return f"B{base} swaps {in_words(give)} for {in_words(take)}."
        case Offer(number, give, take):
            return f"You offer {player(number)} {in_words(give)} for {in_words(take)}."
        case BuildBase(number, kind, corner):
            where = f"in orbit at corner {corner} of H{number}" if corner else f"on H{number}"
            return f"A {kind.name.lower().replace('_', ' ')} is built {where}."
        case BuildRing(base):
            return f"B{base} builds its ring and becomes a spaceport."
        case BuildShip(at, number):
            where = "your mothership" if at is Target.MOTHERSHIP else f"B{number}"
            return f"A starship is built at {where}."
        case Enhance(parts):
            what = ", ".join(f"{number} {part.name.lower()}" for number, part in parts)
            return f"You build {what}."
        case SetStance(number, hostile):
            how = "hostile" if hostile else "peaceful"
            return f"You are {how} to {player(number)} from the next round."
        case SetAlliance(number, yes):
            if yes:
                return f"You offer {player(number)} an alliance, or accept his."
            return f"You end the alliance with {player(number)}."
        case Resign():
            return "You leave the game."
    raise TypeError(f"{order!r} is no order of Starfarers")


def _target(target: Target, number: int, name: str) -> str:
    match target:
        case Target.BASE:
            return f"base B{number}"
        case Target.SHIP:
            return f"ship S{number}"
        case Target.MOTHERSHIP:
            return f"the mothership of {name}"
    return f"whoever is at H{number}"
