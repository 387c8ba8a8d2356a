"""Short wars of The Singularity Trap in all modes, with orders of every form."""

from functools import cache
from typing import Any

from referee.parsing.items import Understood
from referee.parsing.reader import reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.language import GRAMMAR
from referee.rulesets.singularity.state import State
from referee.testing.contract import Position

NAMES = ("ABBOT", "BISHOP", "CANTOR", "DEAN")
SEATS = tuple(Seat(number) for number in (1, 2, 3, 4))
BATCHES = {"single": 9, "two": 14, "full": 24}


@cache
def game(mode: str) -> tuple[Position, ...]:
    """Give every position of a war with the orders that were sent in it."""
    signups = [SignUp(seat, name) for seat, name in zip(SEATS, NAMES, strict=True)]
    state = RULESET.setup(signups, {"mode": mode}, Dice(b"war"))
    # They fight on the first turn, for nobody meets anybody so early by himself.
    state, _ = RULESET.correct(state, "S991 [ABBOT] C 19C\nS992 [BISHOP] C 19C")
    positions = []
    for batch in range(BATCHES[mode]):
        awaiting = RULESET.phase(state).awaiting
        sheets = {seat: _orders(state, seat, batch) for seat in sorted(awaiting)}
        positions.append(Position(state, sheets))
        state = RULESET.resolve(state, sheets, frozenset(), Dice(b"war")).state
    return tuple(positions)


def _orders(state: State, seat: Seat, batch: int) -> tuple[Any, ...]:
    """Order everything; what belongs to another section is refused, and that is part of it."""
    other = (seat % len(SEATS)) + 1
    lines = ["KT", f"KP{other}", "KB,C,F", f"L{other}Y", f"FAC{other}"]
    for planet in state.planets_of(seat):
        kind = "FSRJTCB"[(batch + planet.column) % 7]
        lines += [f"W{planet.column}B1{kind}", f"W{planet.column}T{state.players[seat].colour}"]
    for ship in state.fleet(seat):
        lines += [f"S{ship.number}RSWD", f"S{ship.number}KS{ship.number % 4 + 11}"]
        direction = (ship.number + batch) % 7
        way = "J" if ship.kind == "J" else f"W{direction}{'+=-'[batch % 3]}"
        lines.append(f"S{ship.number}{way}" if batch % 6 else f"S{ship.number}H")
    read = reader_of(GRAMMAR).read("\n".join(lines))
    return tuple(item.order for item in read if isinstance(item, Understood))
