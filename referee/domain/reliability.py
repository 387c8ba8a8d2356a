"""Reliability: how often a player met his deadlines, over all the turns that asked for him."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class Punctuality(Enum):
    """How one player met the deadline of one turn."""

    ON_TIME = "on time"
    """Orders were on file by the deadline, his own or his deputy's."""
    LATE = "late"
    """They came after it and counted all the same: in the grace, or because the GM let them."""
    MISSED = "missed"
    EXCUSED = "excused"
    """Nothing came and nothing was missed: standing orders ran, or he had said that he is away."""


@dataclass(frozen=True, slots=True)
class Turnout:
    """What is known of a seat at a deadline: when its orders came, and what stood in for them.

    *filed* are the arrivals of the sheets that its present player, or a deputy, sent for the turn.
    *provided* tells that somebody had seen to it otherwise: standing orders, an announced absence,
    or orders of the player before him.
    """

    filed: tuple[datetime, ...]
    provided: bool = False


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many turns a player, or several, met on time, met late, and missed."""

    on_time: int = 0
    late: int = 0
    missed: int = 0

    @property
    def turns(self) -> int:
        """How many turns count at all."""
        return self.on_time + self.late + self.missed

    @property
    def percent(self) -> int | None:
        """How many of a hundred turns were met, a late one as half; None before the first turn.

        Only who met all of them on time has 100.
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
        """Say it all: ``93% reliable: 13 turns on time, 1 late, none missed``."""
        if not self.turns:
            return "no turns played yet"
        on_time = "1 turn" if self.on_time == 1 else f"{self.on_time or 'no'} turns"
        return (
            f"{self.percent}% reliable: {on_time} on time, {self.late or 'none'} late, "
            f"{self.missed or 'none'} missed"
        )


def punctuality(turnout: Turnout, deadline: datetime | None) -> Punctuality:
    """Say how a seat that owed orders met its *deadline*; None is one that was not set.

    The first sheet decides: who had orders on file in time and changed them later was on time.
    """
    if turnout.filed:
        in_time = deadline is None or min(turnout.filed) <= deadline
        return Punctuality.ON_TIME if in_time else Punctuality.LATE
    return Punctuality.EXCUSED if turnout.provided else Punctuality.MISSED


def reliability(counts: Mapping[Punctuality, int]) -> Reliability:
    """Return the reliability that so many turns of each kind make; excused ones do not count."""
    return Reliability(
        counts.get(Punctuality.ON_TIME, 0),
        counts.get(Punctuality.LATE, 0),
        counts.get(Punctuality.MISSED, 0),
    )


def together(several: Iterable[Reliability]) -> Reliability:
    """Return the reliability of several players as one: every turn weighs the same."""
    return sum(several, Reliability())
