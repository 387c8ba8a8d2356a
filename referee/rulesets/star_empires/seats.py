"""Facts between turns: who still has to send orders, who is in contact, notes for the GM."""

from collections.abc import Iterator, Sequence

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
    """Return the notes for the GM: every homeworld, dedication, and the classes of equal names."""
    lines = []
    for empire in state.empires.values():
        homes = [world for world in state.worlds.values() if world.name == empire.homeworld]
        where = f"{homes[0].name} at {written(homes[0].at)}" if homes else "nowhere"
        lines.append(f"{empire.name}: homeworld {where}, dedication {empire.dedication:+d}.")
    return [*lines, *_namesakes(state)]


def _namesakes(state: State) -> Iterator[str]:
    """Return a note on each class with the name of another class."""
    for key in sorted(state.classes):
        name, _, code = key.partition("/")
        for empire in state.empires.values():
            if code and code.startswith(empire.code):
                yield f"{empire.name} designed a second class {name}. In CORRECT, write {key}."
