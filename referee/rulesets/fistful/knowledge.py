"""The knowledge of a player: their own side in full, the enemy as fog allows (rule 21)."""

from dataclasses import replace

from referee.rules.ruleset import Seat
from referee.rulesets.fistful.orders import Ships
from referee.rulesets.fistful.state import Fleet, Stage, State

HIDDEN = "?"


def is_open(state: State) -> bool:
    """Return whether both players see everything: without fog, or after the game."""
    return not state.rules.fog or state.stage is Stage.OVER


def believed(state: State, seat: Seat) -> State:
    """Return the state as a player knows it.

    In fog, a star with enemy fleets has one fleet of one scout, and an enemy colony has size 1.
    States that differ only in things hidden from the player give equal results.
    """
    known = state.copy()
    if is_open(state):
        return known
    enemy = state.other(seat)
    places = sorted({fleet.star for fleet in state.fleets_of(enemy)})
    known.fleets = [
        *known.fleets_of(seat),
        *(Fleet(HIDDEN, enemy, star, Ships(scouts=1)) for star in places),
    ]
    known.stars = {
        number: replace(star, size=1, fortified=False, half_fortified=False, colonized=False)
        if star.owner == enemy
        else star
        for number, star in known.stars.items()
    }
    return known
