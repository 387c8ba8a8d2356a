"""What the letters about seats that change hands say, as values."""

from dataclasses import dataclass

from referee.letters.outgoing.house_rules import HouseRulesText
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class HandedOver(Notice):
    """To a player who takes over a seat: all he needs; his report comes in a letter of its own.

    *sheet* are the orders on file for the running turn, *standing* those that stand.
    """

    game: str
    title: str
    ruleset: str
    turn: int
    seat: str
    players: int
    account: int
    code: str
    deadline: Moment | None
    moved: bool
    """Whether the deadline moved for him."""
    sheet: tuple[str, ...]
    standing: tuple[str, ...]
    files: tuple[str, ...]
    """The last reports that were sent to the seat, and the map."""
    zone: str
    rules: HouseRulesText


@dataclass(frozen=True, slots=True)
class SeatOffered(Notice):
    """To a standby: would he play a seat? *players* are the others, *silent* tells of the last."""

    game: str
    title: str
    ruleset: str
    turn: int
    players: int
    schedule: str
    deadline: Moment | None
    until: Moment
    silent: bool
    """Whether the seat has a player still, who sends nothing."""


@dataclass(frozen=True, slots=True)
class SeatGone(Notice):
    """To somebody who wanted a seat, or was to think about it: it is not to be had any more."""

    game: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeatUnfilled(Notice):
    """To the GM: nobody is left who could be asked to play a seat; *asked* is how many were."""

    game: str
    title: str
    seat: str
    asked: int
    vacant: bool


@dataclass(frozen=True, slots=True)
class SeatSilent(Notice):
    """To the GM: a seat has missed as many turns as the game allows."""

    game: str
    turn: int
    seat: str
    missed: int
    offered: bool
    """Whether it is offered to standbys from now on."""
    takers: int
    """How many stand by now who may take it."""
