"""The cast of Star Empires: its demonstration, golden games and tournaments."""

from itertools import cycle
from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.casts.cast import Cast, Contest, Role
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame

NAMES: Final = ("RED", "BLUE", "GREEN", "GOLD", "TEAL", "PLUM")
"""The players of the golden game."""

GOLDEN: Final = GoldenGame(
    file="tests/rulesets/star_empires/golden/six.txt",
    beginning=Beginning(
        tuple(SignUp(Seat(number), name) for number, name in enumerate(NAMES, 1)),
        {"game": "SE-25", "devices": True, "wormnets": 2, "alliance_size": 2},
        b"bo",
    ),
    turns=25,
    followed=frozenset({"GREEN", "GOLD"}),
)
"""Six empires for twenty-five turns."""

CONTEST: Final = Contest(
    (tuple(GOLDEN.beginning.seats[:3]),),
    turns=25,
    score=lambda state, seat: sum(world.production for world in state.worlds_of(seat)),
)
"""Three empires; after 25 turns, the one with the most production wins."""

CAST: Final = Cast(
    creation="""\
CREATE STAR EMPIRES SEATS 6 TITLE "The Demonstration"
DEADLINE "5 minutes" OPTION early=0
OPTION devices=yes OPTION wormnets=2 OPTION alliance_size=2
""",
    roles=tuple(
        Role(name, strength=strength)
        for name, strength in zip(
            ("AVALON", "BYZANTIUM", "CORDOBA", "DELPHI", "EDESSA", "FEZ"),
            cycle(Strength),
            strict=False,
        )
    ),
    turns=9,
    ends=False,
    typos="MOVE starbase TO (1,1)\nFLY home\n",
    opening=3,
    golden={"six": GOLDEN},
    contest=CONTEST,
)
"""Six empires with robots of every strength, for nine turns."""
