"""The cast of Rock Paper Scissors: its demonstration, its tournaments and a golden game."""

from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.casts.cast import Cast, Contest, Role
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame

PLAYERS: Final = (SignUp(Seat(1), "ALMA"), SignUp(Seat(2), "BRUNO"))
CONTEST: Final = Contest((PLAYERS,), turns=20, options={"wins": 3})

CAST: Final = Cast(
    creation='CREATE RPS SEATS 2 TITLE "The Demonstration"\nDEADLINE "5 minutes" OPTION early=0\n',
    roles=(Role("ALMA", strength=Strength.HARD), Role("BRUNO")),
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
"""A hard robot against a normal one."""
