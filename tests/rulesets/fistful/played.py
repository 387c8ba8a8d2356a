"""A short game of A Fistful of Planets, in fog, with orders of every form."""

from functools import cache
from typing import Any

from referee.parsing.items import Parsed
from referee.parsing.reader import reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.fistful import RULESET
from referee.rulesets.fistful.language import GRAMMAR
from referee.rulesets.fistful.state import Stage, State
from referee.testing.contract import Position

SEATS = (Seat(1), Seat(2))
TURNS = 24


@cache
def game() -> tuple[Position, ...]:
    """Return every position of the game with its orders."""
    state = RULESET.setup([SignUp(SEATS[0], "ALMA"), SignUp(SEATS[1], "BRUNO")], {}, Dice(b"game"))
    positions = []
    for turn in range(TURNS):
        awaiting = RULESET.phase(state).awaiting
        sheets = {seat: _orders(state, seat, turn) for seat in sorted(awaiting)}
        positions.append(Position(state, sheets))
        state = RULESET.resolve(state, sheets, frozenset(), Dice(b"game")).state
    return tuple(positions)


def _orders(state: State, seat: Seat, turn: int) -> tuple[Any, ...]:
    if state.stage is Stage.HOMES:
        return tuple(RULESET.defaults(state, seat, ()))
    words = ["FAT1SFB", "FCT*FD"]
    for star in state.colonies_of(seat):
        letter = "ABCDEF"[(star.number + turn) % 6]
        built = {5: f"B1T1CF{letter}", 4: f"B2SF{letter}", 3: "F", 2: "G", 1: "G"}
        words.append(f"W{star.number}{built[star.size]}")
    for fleet in state.fleets_of(seat):
        near = [
            s.number for s in state.stars.values() if 0 < state.apart(fleet.star, s.number) <= 4
        ]
        to = near[(turn + ord(fleet.letter)) % len(near)]
        word = (f"W{to}", f"R{to}", f"X{state.players[seat].home}", f"W{to}")[turn % 4]
        words += [f"F{fleet.letter}L", f"F{fleet.letter}{word}"]
    read = reader_of(GRAMMAR).read(" ".join(words))
    return tuple(item.order for item in read if isinstance(item, Parsed))
