"""A short game of Star Empires, played with orders that use most of the language."""

from functools import cache
from typing import Any

from referee.parsing.items import Parsed
from referee.parsing.reader import reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.state import State
from referee.testing.contract import Position

SEATS = tuple(Seat(number) for number in (1, 2, 3))
TURNS = 14


@cache
def game() -> tuple[Position, ...]:
    """Return every position of the game with its orders."""
    signups = [
        SignUp(seat, name) for seat, name in zip(SEATS, ("RED", "BLUE", "GREEN"), strict=True)
    ]
    state = RULESET.setup(signups, {"radius": 3, "devices": True, "wormnets": 2}, Dice(b"a game"))
    positions = []
    for turn in range(TURNS):
        sheets = {seat: _orders(state, seat, turn) for seat in SEATS}
        positions.append(Position(state, sheets))
        state = RULESET.resolve(state, sheets, frozenset(), Dice(b"a game")).state
    return tuple(positions)


def _orders(state: State, seat: Seat, turn: int) -> tuple[Any, ...]:
    """Return orders that send out probes, build, design, and deal with contacts."""
    empire = state.empires[seat]
    lines = [f"TOGGLE public {ship.callsign}" for ship in state.fleet(seat)[:2]]
    for world in state.worlds_of(seat):
        kind = ("probe", "frigate", "carrier", "hammer")[turn % 4]
        lines += [f"DESIGN {world.name} kind_{seat}_{turn} scout 2 1 3 2 0"]
        lines += [f"BUILD {world.name} max {kind} s{turn}*", f"POOL {world.name}"]
    for number, ship in enumerate(state.fleet(seat)):
        at = empire.frame.local(ship.at)
        step = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, -1))[(number + turn) % 6]
        lines.append(f"MOVE {ship.callsign} TO ({at[0] + step[0]},{at[1] + step[1]})")
    for other in sorted(empire.contacts):
        name = state.empires[other].name
        lines += [f"FIRE (0,0) AT {name}", f"GIVE probe TO {name}", f"AUTHORIZE ALL TO {name}"]
        lines += [f"IDENTIFY @probe TO {name}", f"ALLY {name}"]
    lines += [f"TRAVERSE s0{turn} THROUGH {name}" for name in empire.portals]
    read = reader_of(GRAMMAR).read("\n".join(lines))
    return tuple(item.order for item in read if isinstance(item, Parsed))
