"""Robots that play Rock Paper Scissors: in `referee demo rps`, the tests and a golden game."""

from itertools import cycle
from typing import Final

from referee.rules.ruleset import Seat, SignUp
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame
from referee.testing.robots.cast import Cast, Contest, Role

PLAYERS: Final = (SignUp(Seat(1), "ALMA"), SignUp(Seat(2), "BRUNO"))
CONTEST: Final = Contest((PLAYERS,), turns=20, options={"wins": 3})


class Stubborn:
    """A robot that always shows a rock."""

    def sheet(self, report: str) -> str:
        """Return the orders that answer *report*."""
        return "ROCK\n"


class Fickle:
    """A robot that shows one hand after the other, and so loses, draws and wins."""

    def __init__(self) -> None:
        self._hands = cycle(("SCISSORS", "ROCK", "PAPER"))

    def sheet(self, report: str) -> str:
        """Return the orders that answer *report*."""
        return f"{next(self._hands)}\n"


CAST: Final = Cast(
    creation='CREATE RPS SEATS 2 TITLE "The Demonstration"\nDEADLINE "5 minutes" OPTION early=0\n',
    roles=(Role("ALMA", Stubborn), Role("BRUNO", Fickle)),
    turns=9,
    typos="STONE\n",
    contest=CONTEST,
    golden={
        "three": GoldenGame(
            file="rock_paper_scissors:golden/three.txt",
            beginning=Beginning(PLAYERS, {"wins": 3}, b"any seed"),
            turns=20,
        )
    },
)
"""A player who always does the same against one who tries everything."""
