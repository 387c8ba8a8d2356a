"""Robots that play Star Empires by mail: they read their reports and write sensible orders."""

from typing import Final

from referee.testing.robots.cast import Cast, Role
from referee.testing.robots.star_empires.dreamer import Dreamer
from referee.testing.robots.star_empires.pathfinder import Pathfinder
from referee.testing.robots.star_empires.raider import Raider
from referee.testing.robots.star_empires.robot import Robot
from referee.testing.robots.star_empires.trader import Trader
from referee.testing.robots.star_empires.warden import Warden
from referee.testing.robots.star_empires.warlord import Warlord

TEMPERAMENTS: Final[dict[str, type[Robot]]] = {
    "Pathfinder": Pathfinder,
    "Warlord": Warlord,
    "Trader": Trader,
    "Raider": Raider,
    "Warden": Warden,
    "Dreamer": Dreamer,
}
"""The robots by their temperament."""

CAST: Final = Cast(
    creation="""\
CREATE STAR EMPIRES SEATS 6 TITLE "The Demonstration"
DEADLINE "5 minutes"
OPTION devices=yes OPTION wormnets=2 OPTION alliance_size=2
""",
    roles=tuple(
        Role(name, robot)
        for name, robot in (
            ("AVALON", Raider),
            ("BYZANTIUM", Pathfinder),
            ("CORDOBA", Trader),
            ("DELPHI", Warlord),
            ("EDESSA", Warden),
            ("FEZ", Dreamer),
        )
    ),
    turns=9,
    slips="MOVE starbase TO (1,1)\nFLY home\n",
)
"""Six empires of different temperaments, until the first shots have fallen."""
