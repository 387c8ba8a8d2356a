"""The meaning of an order, in one plain English line."""

from referee.rules.ruleset import Seat
from referee.rulesets.fistful import homes
from referee.rulesets.fistful.orders import (
    Build,
    ChooseHome,
    Concede,
    Defend,
    Fortify,
    Grow,
    Land,
    Move,
    Order,
    Recon,
    StarNumber,
    Transfer,
    Withdraw,
    in_words,
)
from referee.rulesets.fistful.state import State


def explain(state: State, seat: Seat, order: Order) -> str:  # noqa: C901 - a table of sentences
    """Return the meaning of *order* in one line, from its words and the player's colonies."""
    match order:
        case ChooseHome(star):
            return homes.meaning(state, star)
        case Land(fleet):
            return f"A transport of fleet {fleet} lands and founds a colony."
        case Transfer(fleet, ships, to):
            what = "everything" if ships is None else in_words(ships)
            return f"Fleet {fleet} gives {what} to fleet {to}."
        case Build(star, ships, fleet):
            return f"W{star} builds {in_words(ships)} into fleet {fleet}."
        case Fortify(star):
            works = "completes" if _is_half_done(state, seat, star) else "begins"
            return f"W{star} {works} its fortification."
        case Grow(star):
            return f"The colony at W{star} grows by one."
        case Move(fleet, to):
            return f"Fleet {fleet} moves to W{to}."
        case Defend(fleet):
            return f"Fleet {fleet} defends."
        case Withdraw(fleet, to):
            return f"Fleet {fleet} withdraws to W{to} if an enemy comes."
        case Recon(fleet, stars):
            return f"Scouts of fleet {fleet} look at {', '.join(f'W{star}' for star in stars)}."
        case Concede():
            return "You give up."
    raise TypeError(f"{order!r} is not an order of A Fistful of Planets")


def _is_half_done(state: State, seat: Seat, number: StarNumber) -> bool:
    star = state.stars.get(number)
    return star is not None and star.owner == seat and star.half_fortified
