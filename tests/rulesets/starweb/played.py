"""A recorded game of StarWeb with players of all six characters, turn by turn."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from referee.cli.game_files import read_record
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb.state import State
from referee.testing.scenarios import OrderReading

RECORD: Final = Path(__file__).parents[2] / "desk" / "games" / "twenty-turns.json.gz"
NAMES: Final = ("ALPHA", "BETA", "GAMMA", "DELTA", "EPSILON", "ZETA")
SEATS: Final = tuple(Seat(number) for number in range(1, len(NAMES) + 1))
DICE: Final = Dice(b"twenty turns")
TURNS: Final = 20

Sheets = dict[Seat, tuple[Any, ...]]


@dataclass(frozen=True)
class PlayedTurn:
    """A state of the game, and the orders given in it."""

    state: State
    sheets: Sheets


@cache
def game() -> tuple[PlayedTurn, ...]:
    """Return the turns of the game, from the first on. Their states must not be changed."""
    record, read, turns = read_record(RECORD), OrderReading(), list[PlayedTurn]()
    state = RULESET.setup(record.signups, record.options, DICE)
    for turn in record.turns[:TURNS]:
        grammar = RULESET.grammar(RULESET.phase(state))
        sheets = {seat: read(grammar, "\n".join(turn.sheets[str(seat)])) for seat in SEATS}
        turns.append(PlayedTurn(state, sheets))
        state = RULESET.resolve(state, sheets, frozenset(), DICE).state
    return tuple(turns)
