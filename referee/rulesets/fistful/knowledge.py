"""What a player knows: all of his own, and of the enemy what fog of war leaves (rule 21)."""

from dataclasses import replace

from referee.rules.ruleset import Seat
from referee.rulesets.fistful.orders import Ships
from referee.rulesets.fistful.state import Fleet, Stage, State

HIDDEN = "?"


def is_open(state: State) -> bool:
    """Return whether everybody sees everything: without fog, and when the game is over."""
    return not state.rules.fog or state.stage is Stage.OVER


def believed(state: State, seat: Seat) -> State:
    """Return the game as a player can believe it.

    In fog an enemy star has one fleet, of one scout, if there are fleets at all, and a colony of
    size 1: two states that differ only in what he may not know give the same.
    """
    known = state.copy()
    if is_open(state):
        return known
    enemy = state.other(seat)
    places = sorted({fleet.star for fleet in state.fleets_of(enemy)})
    known.fleets = [
        *state.copy().fleets_of(seat),
        *(Fleet(HIDDEN, enemy, star, Ships(scouts=1)) for star in places),
    ]
    known.stars = {
        number: replace(star, size=1, fortified=False, half_fortified=False, colonized=False)
        if star.owner == enemy
        else star
        for number, star in known.stars.items()
    }
    return known
