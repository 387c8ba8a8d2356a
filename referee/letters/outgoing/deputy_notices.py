"""What the letters to those beside the players say: to deputies, and to observers."""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class DeputyAsked(Notice):
    """To somebody whom a *player* of that name, or the GM, would like to order for a seat."""

    game: str
    title: str
    seat: str
    player: str
    by_gm: bool
    days: str
    """``from Friday 18 September 2026 to Friday 2 October 2026``."""


@dataclass(frozen=True, slots=True)
class DeputyAccepted(Notice):
    """To a deputy who has accepted; the *code* is told once, and empty when he has one already."""

    game: str
    seat: str
    days: str
    account: int
    code: str


@dataclass(frozen=True, slots=True)
class DeputyBegins(Notice):
    """To a deputy on his first day: what is on file, and the seat's report as it was sent."""

    game: str
    turn: int
    seat: str
    until: str
    """``Friday 2 October 2026``."""
    deadline: Moment | None
    orders: tuple[str, ...]
    report: str


@dataclass(frozen=True, slots=True)
class DeputyEnded(Notice):
    """To a deputy: what he writes counts no more."""

    game: str
    seat: str


@dataclass(frozen=True, slots=True)
class SheetChanged(Notice):
    """To the player what his deputy filed, or to the deputy what the player did."""

    game: str
    turn: int
    seat: str
    by_deputy: bool
    receipt: int
    orders: tuple[str, ...]
    deadline: Moment | None
