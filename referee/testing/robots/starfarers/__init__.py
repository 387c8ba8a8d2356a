"""Robots that play Starfarers by mail, from nothing but the text of their reports."""

from typing import ClassVar, Final

from referee.testing.robots.cast import Cast, Role
from referee.testing.robots.starfarers.raider import Raider
from referee.testing.robots.starfarers.settler import Settler


class Trader(Settler):
    """Carries much, and arms itself a little more."""

    rings: ClassVar[int] = 4
    cannons: ClassVar[int] = 3


CAST: Final = Cast(
    creation="""\
CREATE STARFARERS SEATS 3 TITLE "The Demonstration"
DEADLINE "5 minutes"
""",
    roles=(
        Role("ARGO", Settler, "AS yellow"),
        Role("BEAGLE", Trader, "AS yellow OR blue"),
        Role("CALYPSO", Raider, "AS red"),
    ),
    turns=12,
    slips="S1 S99E1\n",
)
"""A settler, a trader and a raider, for a dozen rounds."""
