"""Questions between turns: awaited orders, players met, and notes for the GM."""

from collections.abc import Sequence

from referee.rules.ruleset import Phase, Seat
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.steps.blackbox import POWERS


def phase(state: State) -> Phase:
    """Return the current turn. It awaits orders of all seats until the game is over (s28)."""
    awaiting = frozenset[Seat]() if state.finished else frozenset(state.players)
    return Phase("orders", "Orders", state.turn, awaiting)


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Return the players met, who can get messages and gifts (s18, s26)."""
    return frozenset(state.players[seat].met)


def gm_notes(state: State) -> Sequence[str]:
    """Return notes for the GM: how even the start was, and the Black Box's power (s14)."""
    fairness = (state.fairness,) if state.fairness else ()
    return (*fairness, f"The Black Box {POWERS[state.box.power].sentence}.")
