"""The rules for press: to whom players can write, how, and when it is delivered."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from referee.domain.days import ClockTime

RECALL: Final = timedelta(minutes=10)
"""How long a message that is delivered at once can be recalled before it goes out."""
QUARTER: Final = timedelta(minutes=15)
"""Unsigned messages go out together, only on the quarters of an hour."""


class PressRule(Enum):
    """The players to whom the players of a game can write."""

    NONE = "none"
    MET = "met"
    """Players can write to seats they have met."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class PressRules:
    """A game's rules for messages between players.

    *anonymous* allows unsigned messages, and *broadcast* a message to ALL. *limit* is the number of
    messages for a seat in one turn, and *kilobytes* their size; 0 means any. Without *at_once*,
    messages come with the next report.
    """

    rule: PressRule
    anonymous: bool = True
    at_once: bool = False
    broadcast: bool = True
    limit: int = 20
    kilobytes: int = 50


LIMITS_TO_GM: Final = PressRules(PressRule.ALL)
"""How much a seat can write to the GM in a turn, whatever the rules of its game are."""


@dataclass(frozen=True, slots=True)
class PressTime:
    """The time of a message: a *lead* before the deadline, or a time by the *clock*.

    *text* is as typed.
    """

    text: str
    lead: timedelta | None = None
    clock: ClockTime | None = None


def goes_out(now: datetime, *, anonymous: bool) -> datetime:
    """Return when a message written now is delivered, if it does not wait for the report.

    An unsigned message goes out on a quarter of an hour, so that its time does not reveal its
    writer.
    """
    return punctual(now + RECALL, anonymous=anonymous)


def punctual(earliest: datetime, *, anonymous: bool) -> datetime:
    """Return when a message is delivered that goes out at *earliest*."""
    if not anonymous:
        return earliest
    midnight = earliest.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + -(-(earliest - midnight) // QUARTER) * QUARTER
