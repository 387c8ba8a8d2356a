"""Letters about seats: offers, new players, deputies and observers."""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Deadline, Moment
from referee.letters.outgoing.notices import Correction, Notice, PressItem
from referee.letters.outgoing.pairs import Drawn
from referee.rules.ruleset import Event


@dataclass(frozen=True, slots=True)
class Invitation(Notice):
    """To somebody a GM would like to have in a game that is forming.

    *about* says what the ruleset is, and *topic* is the word by which HELP sends its rulebook.
    """

    game: str
    title: str
    ruleset: str
    about: str
    topic: str
    taken: int
    places: int
    schedule: str
    options: tuple[str, ...]
    address: str
    gm: str
    """The address of the GM who invites, or "" if the operator does not know them."""
    join: str
    """The line with which they join from another address."""
    example: str
    """A line with which they join, with all that they can choose."""
    choices: tuple[str, ...]
    """The choices of a player, as sentences."""
    words: str = ""
    """The GM's message, or ""."""


@dataclass(frozen=True, slots=True)
class HandedOver(Notice):
    """To a player who takes over a seat; the report comes in another letter.

    *sheet* has the orders on file for the current turn, *standing* the standing orders.
    """

    game: str
    title: str
    ruleset: str
    turn: int
    seat: str
    players: int
    robots: int
    account: int
    code: str
    due: str
    """When the current turn is due, or why it has no deadline."""
    moved: bool
    """Whether the deadline was moved for the new player."""
    sheet: tuple[str, ...]
    has_sheet: bool
    """Whether a sheet is on file, perhaps an empty one."""
    sheet_by_gm: bool
    """Whether a GM filed it, and not the player before."""
    standing: tuple[str, ...]
    files: tuple[str, ...]
    """The last reports that were sent to the seat, and the map."""
    zone: str


@dataclass(frozen=True, slots=True)
class SeatOffered(Notice):
    """To a standby: the offer of a seat. *players* is the number of the others without robots."""

    game: str
    title: str
    ruleset: str
    turn: int
    players: int
    robots: int
    schedule: str
    deadline: Deadline | None
    until: Moment
    silent: bool
    """Whether the seat still has a player, who is inactive."""


@dataclass(frozen=True, slots=True)
class SeatGone(Notice):
    """To a person who wanted a seat, or was offered it: it is no longer available."""

    game: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeatUnfilled(Notice):
    """To the GM: no standby is left for a seat; *asked* is the number of those who were."""

    game: str
    title: str
    seat: str
    asked: int
    vacant: bool


@dataclass(frozen=True, slots=True)
class Observing(Notice):
    """The welcome of an observer; the *code* is empty if they have one already."""

    game: str
    title: str
    later: str
    """``at once`` or ``3 turns later``."""
    first: bool
    """Whether there is no report yet that they can read."""
    account: int
    code: str


@dataclass(frozen=True, slots=True)
class PublicReport(Notice):
    """The public report of a turn, to an observer; the game is *behind* turns on already."""

    game: str
    title: str
    turn: int
    behind: int
    view: Drawn
    news: tuple[Event, ...]
    notes: tuple[str, ...]
    press: tuple[PressItem, ...]
    """The messages of the GM to all players."""
    correction: Correction | None = None
    """The correction, if this report takes the place of an earlier one."""


@dataclass(frozen=True, slots=True)
class DeputyAsked(Notice):
    """To a person whom the player of a seat, or the GM, asks to be its deputy.

    The person may never have written to us, so nothing in it is free words of the player or GM.
    """

    game: str
    ruleset: str
    seat: str
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
    report: Drawn


@dataclass(frozen=True, slots=True)
class DeputyEnded(Notice):
    """To a deputy whose time is over, perhaps because the game has *ended*."""

    game: str
    seat: str
    ended: bool = False


@dataclass(frozen=True, slots=True)
class SheetChanged(Notice):
    """To the player or the deputy: what the other one has *sent*, such as a sheet or ``FINAL``."""

    game: str
    turn: int
    seat: str
    by_deputy: bool
    receipt: int
    sent: tuple[str, ...]
    orders: tuple[str, ...]
    deadline: Deadline | None


@dataclass(frozen=True, slots=True)
class NotAsked(Notice):
    """To an unknown address: it is not asked for the confirmation that its letter needs.

    No newcomer like it is asked for a *span*, ``hour`` or ``day``.
    """

    span: str
