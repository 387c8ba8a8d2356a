"""Letters about deputies."""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Deadline
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class DeputyAsked(Notice):
    """To a person whom a *player*, or the GM, asks to be the deputy for a seat."""

    game: str
    title: str
    seat: str
    player: str
    by_gm: bool
    days: str
    """``from Fri 18 Sep 2026 to Fri 2 Oct 2026``."""


@dataclass(frozen=True, slots=True)
class DeputyAccepted(Notice):
    """To a deputy who has accepted; the *code* is empty if they have one already."""

    game: str
    seat: str
    days: str
    account: int
    code: str


@dataclass(frozen=True, slots=True)
class DeputyBegins(Notice):
    """To a deputy on the first day: what is on file, and the seat's report as it was sent."""

    game: str
    turn: int
    seat: str
    until: str
    """``Fri 2 Oct 2026``."""
    deadline: Deadline | None
    orders: tuple[str, ...]
    report: str


@dataclass(frozen=True, slots=True)
class DeputyEnded(Notice):
    """To a deputy whose time is over, perhaps because the game has *ended*."""

    game: str
    seat: str
    ended: bool = False


@dataclass(frozen=True, slots=True)
class SheetChanged(Notice):
    """To the player or the deputy: the other one has changed the sheet."""

    game: str
    turn: int
    seat: str
    by_deputy: bool
    receipt: int
    orders: tuple[str, ...]
    deadline: Deadline | None
