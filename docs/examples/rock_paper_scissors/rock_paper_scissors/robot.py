"""The robot of Rock Paper Scissors, which plays seats of real games."""

from typing import Final

import rock_paper_scissors as rps
from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.ruleset import Seat

FAVOURITES: Final = {Strength.EASY: "ROCK", Strength.NORMAL: "PAPER", Strength.HARD: "SCISSORS"}


def robot(state: "rps.State", seat: Seat, strength: Strength, dice: Dice) -> list["rps.Throw"]:
    """Return the favourite hand of this strength, or in one of three rounds any hand."""
    hand = FAVOURITES[strength] if dice.below(3) else dice.pick(sorted(rps.BEATS))
    return [rps.Throw(hand)]
