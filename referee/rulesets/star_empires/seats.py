"""Facts between turns: who still has to send orders, who is in contact, notes for the GM."""

from collections.abc import Sequence

from referee.rules.ruleset import Phase, Seat
from referee.rulesets.star_empires.scoring import verdict
from referee.rulesets.star_empires.sectors import written
from referee.rulesets.star_empires.state import State


def phase(state: State) -> Phase:
    """Return the turn's phase; it awaits no homeless empire, and nobody after a victory (R7)."""
    awaiting = {seat for seat, empire in state.empires.items() if not empire.homeless}
    if verdict(state) is not None:
        awaiting = set()
    return Phase("orders", "Orders", state.turn, frozenset(awaiting))


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Return the empires with which this one is in contact."""
    return frozenset(state.empires[seat].contacts)


def gm_notes(state: State) -> Sequence[str]:
    """Return the notes for the GM: the place of every empire's homeworld, and its dedication."""
    lines = []
    for empire in state.empires.values():
        homes = [world for world in state.worlds.values() if world.name == empire.homeworld]
        where = f"{homes[0].name} at {written(homes[0].at)}" if homes else "nowhere"
        lines.append(f"{empire.name}: homeworld {where}, dedication {empire.dedication:+d}.")
    return lines
