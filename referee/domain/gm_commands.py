"""The commands that GMs alone write to the referee, typed."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.domain.commands import Command
from referee.domain.days import Day
from referee.domain.press import PressRule


@dataclass(frozen=True, slots=True)
class SetDeadline(Command):
    """``DEADLINE 2026-09-18 18:00 Europe/Berlin``: the running turn is due then, this once."""

    due: datetime


@dataclass(frozen=True, slots=True)
class Extend(Command):
    """``EXTEND 2 days``: the running turn is due that much later."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class SetExtensions(Command):
    """``EXTENSIONS 7 days``: by how much a turn may be extended; ``NONE`` is no time at all."""

    most: timedelta


@dataclass(frozen=True, slots=True)
class SetGrace(Command):
    """``GRACE 2 hours``: how long orders still count after each deadline; ``NONE`` is no time."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class SetMissed(Command):
    """``MISSED 3``: so many turns in a row a player may miss; 0 is any number."""

    limit: int


@dataclass(frozen=True, slots=True)
class SetReminders(Command):
    """``REMINDERS 3 days, 1 day``: when players are reminded, before a deadline; or ``NONE``."""

    steps: tuple[timedelta, ...]


@dataclass(frozen=True, slots=True)
class SetBank(Command):
    """``BANK 1 day``: how long a turn waits for a seat that misses its first one, once."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class Remind(Command):
    """``REMIND``: those who owe orders are reminded now."""


@dataclass(frozen=True, slots=True)
class Adjudicate(Command):
    """``ADJUDICATE``: the running turn is resolved now."""


@dataclass(frozen=True, slots=True)
class SetOptions(Command):
    """``OPTION name=value ...``: options of the ruleset, before the start."""

    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SetSeats(Command):
    """``SEATS n``: how many seats the game has, before the start."""

    count: int


@dataclass(frozen=True, slots=True)
class SetTitle(Command):
    """``TITLE title``: what the game is called besides its name."""

    title: str


@dataclass(frozen=True, slots=True)
class SetPress(Command):
    """``PRESS RULES`` and what shall change of them; what is None stays as it is."""

    rule: PressRule | None = None
    anonymous: bool | None = None
    at_once: bool | None = None
    broadcast: bool | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class AcceptLate(Command):
    """``ACCEPT LATE #receipt``: orders that came too late count after all."""

    receipt: int


@dataclass(frozen=True, slots=True)
class ShowSheets(Command):
    """``SHEETS``: who has sent what, and with which receipt."""


@dataclass(frozen=True, slots=True)
class ShowReportOf(Command):
    """``REPORT OF seat [turn]``: the report a seat got; without a number the newest."""

    seat: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Resend(Command):
    """``RESEND seat [turn]``: mail a seat's report to its player again."""

    seat: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class ShowAudit(Command):
    """``AUDIT``: what GMs and the operator did to the game."""


@dataclass(frozen=True, slots=True)
class Export(Command):
    """``EXPORT``: the state and all orders as files."""


@dataclass(frozen=True, slots=True)
class ShowQuarantine(Command):
    """``QUARANTINE``: the game's letters that could not be read."""


@dataclass(frozen=True, slots=True)
class Preview(Command):
    """``PREVIEW``: the running turn resolved with the orders there are, and nothing kept."""


@dataclass(frozen=True, slots=True)
class Rollback(Command):
    """``ROLLBACK [n] TURNS``: the last turns are undone and played again."""

    turns: int = 1


@dataclass(frozen=True, slots=True)
class Replay(Command):
    """``REPLAY``: every turn is resolved again and compared with what was stored."""


@dataclass(frozen=True, slots=True)
class Correct(Command):
    """``CORRECT reason ... END``: the state is corrected in the ruleset's notation."""

    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Invite(Command):
    """``INVITE address``: somebody is told of a forming game and how to join."""

    address: str


@dataclass(frozen=True, slots=True)
class GiveSeat(Command):
    """``SEAT address [name]``: somebody gets a seat of a forming game."""

    address: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Replace(Command):
    """``REPLACE seat address``: somebody else plays a seat from now on."""

    seat: str
    address: str


@dataclass(frozen=True, slots=True)
class Vacate(Command):
    """``VACATE seat``: nobody holds the seat any more."""

    seat: str


@dataclass(frozen=True, slots=True)
class Promote(Command):
    """``PROMOTE address``: somebody is a GM of the game too."""

    address: str


@dataclass(frozen=True, slots=True)
class ShowPool(Command):
    """``STANDBY``: who would take a seat of the game, and which are to be had."""


@dataclass(frozen=True, slots=True)
class OfferSeat(Command):
    """``STANDBY OFFER seat``: a seat that nobody plays is offered to standbys."""

    seat: str


@dataclass(frozen=True, slots=True)
class SetStandby(Command):
    """``STANDBY ON`` or ``OFF``: whether seats that fall vacant are offered without the GM."""

    on: bool


@dataclass(frozen=True, slots=True)
class AdmitMasters(Command):
    """``STANDBY GM ON`` or ``OFF``: whether who is or was a GM may take a seat."""

    on: bool


@dataclass(frozen=True, slots=True)
class Demote(Command):
    """``DEMOTE address``: somebody is a GM of the game no more."""

    address: str


@dataclass(frozen=True, slots=True)
class Eliminate(Command):
    """``ELIMINATE seat``: the seat is out of the game, and nobody waits for its orders."""

    seat: str


@dataclass(frozen=True, slots=True)
class Reinstate(Command):
    """``ELIMINATE seat UNDO``: the seat is in the game again."""

    seat: str


@dataclass(frozen=True, slots=True)
class GiveDeputy(Command):
    """``DEPUTY seat address [FROM day] TO day``: somebody orders for a seat on these days."""

    seat: str
    address: str
    last: Day
    first: Day | None = None


@dataclass(frozen=True, slots=True)
class TakeDeputy(Command):
    """``DEPUTY seat NONE``: only the player orders for the seat."""

    seat: str


@dataclass(frozen=True, slots=True)
class OpenToObservers(Command):
    """``OBSERVERS ON [DELAY n TURNS]``: observers read the public report, so many turns later."""

    delay: int = 3


@dataclass(frozen=True, slots=True)
class CloseToObservers(Command):
    """``OBSERVERS OFF``: observers read nothing."""


@dataclass(frozen=True, slots=True)
class ShowObservers(Command):
    """``OBSERVERS LIST``."""


@dataclass(frozen=True, slots=True)
class RemoveObserver(Command):
    """``OBSERVERS REMOVE #account``: that person reads nothing any more."""

    account: int


@dataclass(frozen=True, slots=True)
class AdmitObserver(Command):
    """``OBSERVERS ADMIT #account``: who was removed may observe the game again."""

    account: int


@dataclass(frozen=True, slots=True)
class MoveEdition(Command):
    """``EDITION``: the game goes on by the newest edition of its rules."""


@dataclass(frozen=True, slots=True)
class EndGame(Command):
    """``END GAME``: the game is over as it stands."""


@dataclass(frozen=True, slots=True)
class Reveal(Command):
    """``REVEAL``: all orders and states of a game that has ended, for all its players."""
