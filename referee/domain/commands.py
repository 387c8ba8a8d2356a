"""The commands people write to the referee, typed; orders are written to the game."""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from referee.domain.days import Day
from referee.domain.player_settings import QuietHours, ReportFormat
from referee.domain.votes import Motion


@dataclass(frozen=True, slots=True)
class Command:
    """Any line to the referee."""


@dataclass(frozen=True, slots=True)
class Help(Command):
    """``HELP [topic]``: how to do something."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Status(Command):
    """``STATUS``: where the game stands, for a player or its GM."""


@dataclass(frozen=True, slots=True)
class ShowOrders(Command):
    """``ORDERS [T12]``: what is on file, and what will happen if nothing more comes."""

    turn: int | None = None


@dataclass(frozen=True, slots=True)
class CountOrders(Command):
    """``ORDERS 90`` or ``<90>``: how many orders the player believes he wrote."""

    count: int


@dataclass(frozen=True, slots=True)
class Check(Command):
    """``CHECK``: everything is read and ruled on, nothing is filed."""


@dataclass(frozen=True, slots=True)
class Clear(Command):
    """``CLEAR [T12]``: the sheet is emptied, or that of a coming turn withdrawn."""

    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Add(Command):
    """``ADD``: the orders of this letter are added to the sheet on file."""


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    """``CANCEL order``: one order is taken out of the sheet on file; *order* is its text."""

    order: str


@dataclass(frozen=True, slots=True)
class Recall(Command):
    """``CANCEL #receipt``: the messages of a letter are not delivered."""

    receipt: int


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """``UNDO [#receipt]``: what a letter did is taken back; without a number the last one's."""

    receipt: int | None = None


@dataclass(frozen=True, slots=True)
class History(Command):
    """``HISTORY [turn]``: what the player's letters did, and what came of his turns."""

    turn: int | None = None


@dataclass(frozen=True, slots=True)
class ShowStanding(Command):
    """``STANDING`` alone: the standing orders on file."""


@dataclass(frozen=True, slots=True)
class NoStanding(Command):
    """``STANDING NONE``: the standing orders are withdrawn."""


@dataclass(frozen=True, slots=True)
class Final(Command):
    """``FINAL``: resolve early when everybody says so."""


@dataclass(frozen=True, slots=True)
class Wait(Command):
    """``WAIT``: do not resolve before the deadline."""


@dataclass(frozen=True, slots=True)
class ShowReport(Command):
    """``REPORT [FULL] [turn]``: mail a report again; without a number the newest.

    *full* asks for all of it, also where only a part of it was sent.
    """

    turn: int | None = None
    full: bool = False


@dataclass(frozen=True, slots=True)
class ShowMap(Command):
    """``MAP``: mail what the player knows of the board, as a table and as pictures."""


@dataclass(frozen=True, slots=True)
class ListGames(Command):
    """``LIST``: the games of this server that can be joined or watched."""


@dataclass(frozen=True, slots=True)
class ShowRules(Command):
    """``RULES [game]``: the house rules of a game, without its name those of the letter's own."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Join(Command):
    """``JOIN game [name [OR name]] [AS choice [OR choice]] [REAL NAME name] [ZONE zone]``."""

    game: str
    names: tuple[str, ...] = ()
    """The seat's name in the game, best first."""
    choices: tuple[str, ...] = ()
    """The ruleset's choice, such as a character, best first."""
    real_name: str = ""
    zone: str = ""


@dataclass(frozen=True, slots=True)
class CastVote(Command):
    """``VOTE motion [YES|NO]``: a proposal to all players, or a vote on one.

    *ballot* is None when neither YES nor NO was written: that means yes, and proposes what is not
    proposed yet. *span* is by how much EXTEND moves the deadline, None for as it is proposed;
    *seat* is the name of who wins by CONCEDE.
    """

    motion: Motion
    ballot: bool | None = None
    span: timedelta | None = None
    seat: str = ""

    @property
    def yes(self) -> bool:
        """Whether it votes for the motion."""
        return self.ballot is not False


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """``RESIGN``: leave the game for good."""


@dataclass(frozen=True, slots=True)
class Absent(Command):
    """``ABSENT [FROM day] TO day``: the player is away on these days, or from today."""

    last: Day
    first: Day | None = None


@dataclass(frozen=True, slots=True)
class NoAbsence(Command):
    """``ABSENT NONE``: the player is back, or stays after all."""


@dataclass(frozen=True, slots=True)
class NameDeputy(Command):
    """``DEPUTY address [FROM day] TO day``: somebody orders for the player on these days."""

    address: str
    last: Day
    first: Day | None = None


@dataclass(frozen=True, slots=True)
class DropDeputy(Command):
    """``DEPUTY NONE``: nobody orders for the player; or a deputy is one no more."""


@dataclass(frozen=True, slots=True)
class Observe(Command):
    """``OBSERVE [game]``: somebody reads what everybody may read."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class StopObserving(Command):
    """``OBSERVE [game] OFF``."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class ShowStandby(Command):
    """``STANDBY``: what the sender stands by for."""


@dataclass(frozen=True, slots=True)
class StandBy(Command):
    """``STANDBY scope``: the sender would take a vacant seat."""

    scope: str
    """A game's name, a ruleset's, or ``ALL``; in capitals."""


@dataclass(frozen=True, slots=True)
class StandDown(Command):
    """``STANDBY OFF [scope]``: he would not any more; an empty scope is every one."""

    scope: str = ""


@dataclass(frozen=True, slots=True)
class TakeOver(Command):
    """``TAKEOVER [game [seat]]``: the sender takes a seat that nobody plays.

    Without a game it is the seat that the letter answered offers.
    """

    game: str = ""
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """``DECLINE``: the sender does not take the seat that the letter answered offers."""


@dataclass(frozen=True, slots=True)
class SetZone(Command):
    """``SET ZONE zone``: in which time zone moments are written to the player."""

    zone: str


@dataclass(frozen=True, slots=True)
class SetName(Command):
    """``SET NAME name``: how the referee addresses the player."""

    name: str


class AttachmentKind(Enum):
    """What can come with every report."""

    REPORT = "report"
    """The report for a program: ``report.json``."""
    MAP = "map"
    """``map.svg``."""
    PNG = "png"
    """``map.png``."""
    DEADLINE = "deadline"
    """The next deadline for a calendar: ``deadline.ics``."""


@dataclass(frozen=True, slots=True)
class SetAttachments(Command):
    """``SET ATTACHMENTS NONE`` or some of the kinds: what comes with every report."""

    kinds: tuple[AttachmentKind, ...]


@dataclass(frozen=True, slots=True)
class ShowSettings(Command):
    """``SET``: everything the player has set, and how each of it is changed."""


@dataclass(frozen=True, slots=True)
class SetAddress(Command):
    """``SET ADDRESS address``: where the player writes from and gets his letters."""

    address: str


@dataclass(frozen=True, slots=True)
class SetSecondAddress(Command):
    """``SET SECOND ADDRESS address`` or ``NONE``: where letters go when they come back."""

    address: str = ""


@dataclass(frozen=True, slots=True)
class SetReminders(Command):
    """``SET REMINDERS span, span``, ``NONE`` or ``AS THE GAME``: how long before a deadline."""

    spans: tuple[timedelta, ...] | None
    """Longest first; None leaves it to each game."""


@dataclass(frozen=True, slots=True)
class SetFormat(Command):
    """``SET FORMAT FULL|CHANGES|COMPACT``: how much of a report is mailed."""

    format: ReportFormat


@dataclass(frozen=True, slots=True)
class SetDigest(Command):
    """``SET DIGEST ON|OFF``: whether what can wait comes in one letter a day."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetQuiet(Command):
    """``SET QUIET from-until`` or ``NONE``: hours in which only what cannot wait comes."""

    hours: QuietHours | None


@dataclass(frozen=True, slots=True)
class ShowPlayers(Command):
    """``WHO``: the players of the game, as far as the asker may know them."""


@dataclass(frozen=True, slots=True)
class Confirm(Command):
    """``CONFIRM``: do what the letter that is held asks for."""


@dataclass(frozen=True, slots=True)
class Create(Command):
    """``CREATE ruleset [TITLE "..."] [SEATS n] DEADLINE "..." [OPTION name=value ...]``."""

    ruleset: str
    title: str = ""
    seats: int | None = None
    schedule: str = "14 days"
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Start(Command):
    """``START``: begin with the players there are."""


@dataclass(frozen=True, slots=True)
class Hold(Command):
    """``HOLD``: no turn is resolved until RESUME."""


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """``RESUME``: the game goes on."""


@dataclass(frozen=True, slots=True)
class SetSchedule(Command):
    """``SCHEDULE "..."``: from the next deadline on; *schedule* is as the GM wrote it."""

    schedule: str


@dataclass(frozen=True, slots=True)
class Broadcast(Command):
    """``BROADCAST ... END``: a message to every player of the game."""

    text: str
