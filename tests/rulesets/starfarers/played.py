"""Short games of Starfarers in all modes, with orders of every form."""

from functools import cache
from typing import Any

from referee.parsing.items import Understood
from referee.parsing.reader import reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.language import GRAMMAR
from referee.rulesets.starfarers.state import State, beside
from referee.testing.contract import Position

NAMES = ("ARGO", "BEAGLE", "CALYPSO")
SEATS = tuple(Seat(number) for number in (1, 2, 3))
BATCHES = {"batch": 30, "serial": 60, "phased": 40}


@cache
def game(mode: str) -> tuple[Position, ...]:
    """Give every position of a game with the orders that were sent in it."""
    signups = [SignUp(seat, name) for seat, name in zip(SEATS, NAMES, strict=True)]
    state = RULESET.setup(signups, {"mode": mode}, Dice(b"stars"))
    positions = []
    for batch in range(BATCHES[mode]):
        awaiting = RULESET.phase(state).awaiting
        sheets = {seat: _orders(state, seat, batch) for seat in sorted(awaiting)}
        positions.append(Position(state, sheets))
        state = RULESET.resolve(state, sheets, frozenset(), Dice(b"stars")).state
    return tuple(positions)


def _orders(state: State, seat: Seat, batch: int) -> tuple[Any, ...]:
    other = seat % len(SEATS) + 1
    words = [f"X{other}:1O>1U", "E1B1C1R", f"M{seat}BS", f"P{other}{'HP'[batch % 2]}", f"P{other}L"]
    for ship in state.fleet(seat):
        here = state.hexes[ship.hex]
        free = [d for d in range(1, 7) if state.hex_at(here.galaxy, beside(here.at, d)) is None]
        near = [each.number for each in state.neighbours(ship.hex)]
        turn = batch + ship.number
        if free and turn % 2:
            words.append(f"S{ship.number}E{free[turn % len(free)]}")
        elif near:
            words.append(f"S{ship.number}H{near[turn % len(near)]}")
        words += [f"S{ship.number}JM{other}", f"S{ship.number}Y", f"S{ship.number}AM{other}"]
        words += [f"S{ship.number}T1F>1C", f"S{ship.number}I1:1F1C1G", f"S{ship.number}WB"]
        words += [f"H{ship.hex}B{'TCP'[turn % 3]}{'abc'[turn % 3]}", f"S{ship.number}AS{other}"]
    words += [f"B{base.number}R" for base in state.bases_of(seat)]
    read = reader_of(GRAMMAR).read(" ".join(words))
    return tuple(item.order for item in read if isinstance(item, Understood))
