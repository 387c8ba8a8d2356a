"""The visible part of the table: all of it, or in fog the galaxies where a player is."""

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.state import Kind, Note, State


def seen_by(state: State, seat: Seat) -> State:
    """Return a copy of the state with what a player sees. All players know the motherships."""
    seen = state.copy()
    galaxies = {galaxy for galaxy in state.players if state.sees(seat, galaxy)}
    seen.hexes = {n: place for n, place in seen.hexes.items()
                  if place.galaxy in galaxies or place.kind is Kind.MOTHERSHIP}  # fmt: skip
    seen.ships = {n: ship for n, ship in seen.ships.items()
                  if state.hexes[ship.hex].galaxy in galaxies}  # fmt: skip
    seen.bases = {n: base for n, base in seen.bases.items()
                  if state.hexes[base.hex].galaxy in galaxies}  # fmt: skip
    return seen


def may_read(note: Note, seat: Seat | None) -> bool:
    """Return whether a seat can read a line of the public report. None is an observer."""
    return note.readers is None or seat in note.readers
