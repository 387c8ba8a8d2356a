"""What is asked between turns: who owes orders, who has met whom, what only the GM knows."""

from collections.abc import Sequence

from referee.rules.ruleset import Phase, Seat
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.steps.blackbox import POWERS


def phase(state: State) -> Phase:
    """Say which turn it is; everybody owes orders until the game is over (s28)."""
    awaiting = frozenset[Seat]() if state.finished else frozenset(state.players)
    return Phase("orders", "Orders", state.turn, awaiting)


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Say which players this one has met: they may have messages and gifts of his (s18, s26)."""
    return frozenset(state.players[seat].met)


def remarks(state: State) -> Sequence[str]:
    """Say what only the GM may know: how even the start was, and what the Black Box does (s14)."""
    fairness = (state.fairness,) if state.fairness else ()
    return (*fairness, f"The Black Box {POWERS[state.box.power].sentence}.")
