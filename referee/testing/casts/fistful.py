"""The cast of A Fistful of Planets: its demonstration, golden games and tournaments."""

from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.casts.cast import Cast, Contest, Role
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame

SIGNUPS: Final = (SignUp(Seat(1), "ALMA"), SignUp(Seat(2), "BRUNO"))


def _golden(name: str, seed: bytes, **options: int | str | bool) -> GoldenGame:
    """Return the golden game of that name, to the end."""
    return GoldenGame(
        file=f"tests/rulesets/fistful/golden/{name}.txt",
        beginning=Beginning(SIGNUPS, options, seed),
        turns=40,
        followed=frozenset({"ALMA"}),
    )


CAST: Final = Cast(
    creation="""\
CREATE FISTFUL SEATS 2 TITLE "The Demonstration"
DEADLINE "5 minutes" OPTION early=0
OPTION turn_limit=25
""",
    roles=(Role("ALMA", strength=Strength.HARD), Role("BRUNO", strength=Strength.NORMAL)),
    turns=40,
    typos="FAW W99G\n",
    opening=2,
    golden={
        "fog": _golden("fog", b"golden 10", game="FP-1"),
        "clear": _golden("clear", b"golden 3", game="FP-2", fog=False, home_pick="sealed"),
    },
    contest=Contest((SIGNUPS,), turns=42),
)
"""A hard robot against a normal one, in fog, to the end."""
