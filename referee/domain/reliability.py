"""Reliability: how often a player met the deadlines of the turns that needed orders."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final


class Punctuality(Enum):
    """How one player met the deadline of one turn."""

    ON_TIME = "on time"
    """Orders from the player or a deputy were on file by the deadline."""
    LATE = "late"
    """Orders came after the deadline and were accepted: in the grace, or by the GM."""
    MISSED = "missed"
    EXCUSED = "excused"
    """No orders came, but the player had standing orders or had announced an absence."""
    UNAWARE = "unaware"
    """The seat missed it; the player has not written since the GM gave them the seat."""


OF_SEAT: Final = frozenset((Punctuality.MISSED, Punctuality.UNAWARE))
"""The turns that a seat has missed, whether or not they count for its player."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """The number of turns that one or more players met on time, met late, and missed."""

    on_time: int = 0
    late: int = 0
    missed: int = 0

    @property
    def turns(self) -> int:
        """The number of turns that count."""
        return self.on_time + self.late + self.missed

    @property
    def percent(self) -> int | None:
        """The share of turns that were met, in percent, or None before the first turn.

        A late turn counts half. Only a player who met all turns on time has 100.
        """
        if not self.turns:
            return None
        return (200 * self.on_time + 100 * self.late) // (2 * self.turns)

    def __add__(self, other: "Reliability") -> "Reliability":
        """Return the reliability of both together."""
        return Reliability(
            self.on_time + other.on_time, self.late + other.late, self.missed + other.missed
        )

    def in_words(self) -> str:
        """Return a summary: ``93% reliable: 13 turns on time, 1 late, none missed``."""
        if not self.turns:
            return "no turns played yet"
        on_time = "1 turn" if self.on_time == 1 else f"{self.on_time or 'no'} turns"
        return (
            f"{self.percent}% reliable: {on_time} on time, {self.late or 'none'} late, "
            f"{self.missed or 'none'} missed"
        )


def punctuality(
    filed: Sequence[datetime], deadline: datetime | None, unsent: Punctuality
) -> Punctuality:
    """Return how a seat that had to send orders met its *deadline*; None means there was none.

    *filed* are the arrival times of the sheets from the present player or a deputy; *unsent* is the
    result without any. The first sheet decides: a player with orders on file in time who changed
    them later was on time.
    """
    if not filed:
        return unsent
    in_time = deadline is None or min(filed) <= deadline
    return Punctuality.ON_TIME if in_time else Punctuality.LATE


def reliability(counts: Mapping[Punctuality, int]) -> Reliability:
    """Return the reliability for the numbers of turns of each kind; only three kinds count."""
    return Reliability(
        counts.get(Punctuality.ON_TIME, 0),
        counts.get(Punctuality.LATE, 0),
        counts.get(Punctuality.MISSED, 0),
    )


def together(several: Iterable[Reliability]) -> Reliability:
    """Return the reliability of several players as one, in which every turn weighs the same."""
    return sum(several, Reliability())
