"""Players of A Fistful of Planets who know only the text of their reports."""

from typing import ClassVar

from tests.rulesets.fistful.by_reports.commander import Commander


class Raider(Commander):
    """A player who attacks early, with a small fleet."""

    strike: ClassVar[int] = 4
    storm: ClassVar[int] = 8


class Guardian(Commander):
    """A player who gathers a large fleet first."""

    strike: ClassVar[int] = 6
    storm: ClassVar[int] = 9
