"""A game of StarWeb played by robots of all six characters, turn by turn."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rules.views import Verbatim
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb.state import Character, State
from referee.testing.robots.starweb import CHARACTERS
from referee.testing.scenarios import OrderReading

NAMES: Final = ("ALPHA", "BETA", "GAMMA", "DELTA", "EPSILON", "ZETA")
SEATS: Final = tuple(Seat(number) for number in range(1, len(NAMES) + 1))
DICE: Final = Dice(b"a game played by robots")
WORLDS: Final = 72
"""Few enough worlds that all players meet soon."""
TURNS: Final = 16

Sheets = dict[Seat, tuple[Any, ...]]


@dataclass(frozen=True)
class PlayedTurn:
    """A state of the game, and the orders given in it."""

    state: State
    sheets: Sheets


@cache
def game() -> tuple[PlayedTurn, ...]:
    """Return the turns of the game, from the first on. Their states must not be changed."""
    signups = [
        SignUp(seat, name, {"character": (character.value,)})
        for seat, name, character in zip(SEATS, NAMES, Character, strict=True)
    ]
    state = RULESET.setup(signups, {"worlds": WORLDS}, DICE)
    robots = {seat: CHARACTERS[state.players[seat].character.value]() for seat in SEATS}
    read = OrderReading()
    turns = []
    for _ in range(TURNS):
        sheets = {
            seat: read(RULESET.grammar(RULESET.phase(state)), robot.sheet(report(state, seat)))
            for seat, robot in robots.items()
        }
        turns.append(PlayedTurn(state, sheets))
        state = RULESET.resolve(state, sheets, frozenset(), DICE).state
    return tuple(turns)


def report(state: State, seat: Seat) -> str:
    """Return the printout of *seat*."""
    blocks = RULESET.view(state, seat, "some day")
    return "\n".join(block.text for block in blocks if isinstance(block, Verbatim))
