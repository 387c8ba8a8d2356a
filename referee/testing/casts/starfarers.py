"""The cast of Starfarers: its demonstration, golden games and tournaments."""

import re
from typing import Final

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.casts.cast import Cast, Contest, Role
from referee.testing.golden import Beginning
from referee.testing.golden_games import GoldenGame

ROLES: Final = (
    Role("ARGO", "AS yellow", Strength.HARD),
    Role("BEAGLE", "AS yellow OR blue", Strength.NORMAL),
    Role("CALYPSO", "AS red", Strength.HARD),
)


def _golden(
    name: str, seed: bytes, turns: int, seats: int, **options: int | str | bool
) -> GoldenGame:
    """Return a golden game, played for a number of parts of rounds."""
    signups = tuple(
        SignUp(Seat(number), role.name, {"colour": tuple(re.findall("[a-z]+", role.wishes))})
        for number, role in enumerate(ROLES[:seats], 1)
    )
    file = f"tests/rulesets/starfarers/golden/{name}.txt"
    return GoldenGame(file, Beginning(signups, options, seed), turns, frozenset({"ARGO"}))


NAMES: Final = ("ARGO", "BEAGLE", "CALYPSO", "DISCOVERY")
FOUR: Final = tuple(SignUp(Seat(number), name) for number, name in enumerate(NAMES, 1))
CONTEST: Final = Contest((FOUR[:2], FOUR), turns=60)
"""Two or four players, for as many rounds as a game has at most."""

CAST: Final = Cast(
    creation="""\
CREATE STARFARERS SEATS 3 TITLE "The Demonstration"
DEADLINE "5 minutes" OPTION early=0
""",
    roles=ROLES,
    turns=12,
    ends=False,
    typos="S1 S99E1\n",
    opening=2,
    golden={
        "peace": _golden("peace", b"g", 60, 3, game="SF-1"),
        "conquest": _golden("conquest", b"f", 60, 3, game="SF-2"),
        "serial": _golden("serial", b"s", 200, 2, game="SF-3", mode="serial", fog="galaxy"),
        "phased": _golden("phased", b"p", 200, 3, game="SF-4", mode="phased", seat_order="fixed"),
    },
    contest=CONTEST,
)
"""Two hard robots and a normal one, for a dozen rounds."""
