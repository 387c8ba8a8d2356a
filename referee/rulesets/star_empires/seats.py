"""What is asked between turns: who owes orders, who is in contact with whom, what the GM knows."""

from collections.abc import Sequence

from referee.rules.ruleset import Phase, Seat
from referee.rulesets.star_empires.scoring import verdict
from referee.rulesets.star_empires.sectors import written
from referee.rulesets.star_empires.state import State


def phase(state: State) -> Phase:
    """Say which turn it is; nobody waits for a homeless empire, and nobody once it is won (R7)."""
    awaiting = {seat for seat, empire in state.empires.items() if not empire.homeless}
    if verdict(state) is not None:
        awaiting = set()
    return Phase("orders", "Orders", state.turn, frozenset(awaiting))


def contacts(state: State, seat: Seat) -> frozenset[Seat]:
    """Say with which empires this one is in message contact."""
    return frozenset(state.empires[seat].contacts)


def remarks(state: State) -> Sequence[str]:
    """Say what only the GM may know: where every empire's homeworld is in the galaxy."""
    lines = []
    for empire in state.empires.values():
        homes = [world for world in state.worlds.values() if world.name == empire.homeworld]
        where = f"{homes[0].name} at {written(homes[0].at)}" if homes else "nowhere"
        lines.append(f"{empire.name}: homeworld {where}, dedication {empire.dedication:+d}.")
    return lines
