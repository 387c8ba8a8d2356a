"""Press between players: to whom a game lets them write."""

from enum import Enum


class PressRule(Enum):
    """To whom players of a game may write."""

    NONE = "none"
    MET = "met"
    """To those they have met."""
    ALL = "all"
