"""Robots that play A Fistful of Planets by mail, from nothing but the text of their reports."""

from typing import ClassVar, Final

from referee.testing.robots.cast import Cast, Role
from referee.testing.robots.fistful.commander import Commander


class Raider(Commander):
    """Strikes early, and with little."""

    strike: ClassVar[int] = 4
    storm: ClassVar[int] = 8


class Guardian(Commander):
    """Gathers a great fleet first."""

    strike: ClassVar[int] = 6
    storm: ClassVar[int] = 9


CAST: Final = Cast(
    creation="""\
CREATE FISTFUL SEATS 2 TITLE "The Demonstration"
DEADLINE "5 minutes"
OPTION turn_limit=25
""",
    roles=(Role("ALMA", Raider), Role("BRUNO", Guardian)),
    turns=40,
    slips="FAW W99G\n",
)
"""A raider against a guardian, in fog, to the end."""
