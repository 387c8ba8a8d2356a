"""The visible part of the table: all of it, or in fog the galaxies where a player is."""

from dataclasses import replace

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.state import Kind, State


def table_of(state: State, seat: Seat) -> State:
    """Return the state that a player sees now, with the same hexes, ships and bases, not copies.

    What is unseen is left out, so that it is treated like what does not exist. All players know the
    motherships.
    """
    if not state.rules.fog:
        return state
    galaxies = {galaxy for galaxy in state.players if state.sees(seat, galaxy)}
    return replace(
        state,
        hexes={n: place for n, place in state.hexes.items()
               if place.galaxy in galaxies or place.kind is Kind.MOTHERSHIP},
        ships={n: ship for n, ship in state.ships.items()
               if state.hexes[ship.hex].galaxy in galaxies},
        bases={n: base for n, base in state.bases.items()
               if state.hexes[base.hex].galaxy in galaxies},
    )  # fmt: skip
