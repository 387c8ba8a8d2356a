"""What the letters to those beside the players say: to deputies, and to observers."""

from dataclasses import dataclass

from referee.letters.moments import Moment
from referee.letters.notices import Notice, PressItem


@dataclass(frozen=True, slots=True)
class DeputyAsked(Notice):
    """To somebody whom a *player* of that name, or the GM, would like to order for a seat."""

    game: str
    title: str
    seat: str
    player: str
    by_master: bool
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


@dataclass(frozen=True, slots=True)
class Observing(Notice):
    """The welcome of an observer; the *code* is told once, and empty when he has one already."""

    game: str
    title: str
    later: str
    """``at once`` or ``3 turns later``."""
    first: bool
    """Whether there is no report yet that he may read."""
    account: int
    code: str


@dataclass(frozen=True, slots=True)
class PublicReport(Notice):
    """What everybody may read of a turn, to an observer; the game is *behind* turns on already."""

    game: str
    title: str
    turn: int
    behind: int
    view: str
    events: tuple[str, ...]
    notes: tuple[str, ...]
    press: tuple[PressItem, ...]
    """What the GM wrote to all players."""
