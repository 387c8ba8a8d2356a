"""Press between players: to whom a game lets them write, how, and when it is delivered."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

RECALL: Final = timedelta(minutes=10)
"""How long a message that is delivered at once can be taken back before it goes out."""
QUARTER: Final = timedelta(minutes=15)
"""Unsigned messages go out on the quarters of an hour alone, all of them together."""


class PressRule(Enum):
    """To whom players of a game may write."""

    NONE = "none"
    MET = "met"
    """To those they have met."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class PressRules:
    """A game's rules for messages between players.

    *anonymous* lets them be unsigned, *broadcast* lets one go to ALL; *limit* is how many a seat
    may write in a turn, 0 for any number. What is not *at_once* comes with the next report.
    """

    rule: PressRule
    anonymous: bool = True
    at_once: bool = False
    broadcast: bool = True
    limit: int = 0


def goes_out(now: datetime, *, anonymous: bool) -> datetime:
    """Return when a message written now is delivered that does not wait for the report.

    An unsigned one goes out on a quarter of an hour, so that the moment tells nothing of who wrote
    just before.
    """
    earliest = now + RECALL
    if not anonymous:
        return earliest
    midnight = earliest.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + -(-(earliest - midnight) // QUARTER) * QUARTER
