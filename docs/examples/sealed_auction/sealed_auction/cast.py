"""The cast of Sealed Auction: its demonstration and its tournaments."""

from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.casts.cast import Cast, Contest, Role

PLAYERS: Final = (SignUp(Seat(1), "ALMA"), SignUp(Seat(2), "BRUNO"))

CAST: Final = Cast(
    creation='CREATE AUCTION SEATS 2\nDEADLINE "5 minutes" OPTION early=0\n',
    roles=(Role("ALMA", "AS red", Strength.HARD), Role("BRUNO")),
    turns=20,
    typos="RAISE 3\n",
    contest=Contest((PLAYERS,), turns=20),
)
"""A hard robot against a normal one, with the default options."""
