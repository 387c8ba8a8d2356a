"""Victory at the beginning of a turn (rules 1, 2)."""

from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.singularity.factions import called, planets
from referee.rulesets.singularity.sections import unit
from referee.rulesets.singularity.state import Section, State
from referee.rulesets.singularity.turn_state import Turn

SINGLE_TURNS: Final = 3
"""The number of turns in a row that must begin with enough planets."""
FACTION_TURNS: Final = 2
"""The number of turns after its declaration at which a faction wins."""


def settle(turn: Turn) -> None:
    """Check at the beginning of a turn whether somebody has won (rules 1, 2, T20)."""
    state = turn.state
    for seat, player in state.players.items():
        enough = planets(state, (seat,)) >= state.rules.to_win and not player.resigned
        player.successive = player.successive + 1 if enough else 0
    single = [s for s, p in state.players.items() if p.successive >= SINGLE_TURNS]
    factions = [f for f in state.factions if state.turn - f.since >= FACTION_TURNS]
    active = state.active()
    if single:
        long = f"{SINGLE_TURNS} {unit(state)}s"
        why = f"{turn.name(single[0])} held {state.rules.to_win} planets for {long}."
        _end(state, tuple(single), why)
    elif factions:
        _end(state, factions[0].members, f"The {called(turn, factions[0])} has won.")
    elif len(active) <= 1:
        outlast(turn)
    elif state.turn > state.rules.turn_limit:
        most = max(planets(state, (seat,)) for seat in active)
        winners = tuple(seat for seat in active if planets(state, (seat,)) == most)
        _end(state, winners, f"The last {unit(state)} is over. The most planets win.")


def outlast(turn: Turn) -> None:
    """End the war if at most one player is left, in any section (rule 25)."""
    active = turn.state.active()
    if len(active) <= 1 and turn.state.section is not Section.OVER:
        left = f"{turn.name(active[0])} is the last player." if active else "No player is left."
        _end(turn.state, tuple(active), left)


def _end(state: State, winners: tuple[Seat, ...], ending: str) -> None:
    state.section, state.winners, state.ending = Section.OVER, winners, ending
