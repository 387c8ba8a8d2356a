"""The commands that people write to the referee, as typed values."""

from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum

from referee.domain.days import Day
from referee.domain.player_settings import QuietHours, ReportFormat
from referee.domain.revealed_parts import RevealedPart
from referee.domain.votes import Motion
from referee.rules.extras import Strength


@dataclass(frozen=True, slots=True)
class Command:
    """Any line addressed to the referee. Lines to the game are orders."""


@dataclass(frozen=True, slots=True)
class Help(Command):
    """``HELP [topic]``: explain how to do something."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Status(Command):
    """``STATUS``: show the state of the game to a player or GM."""


@dataclass(frozen=True, slots=True)
class ShowOrders(Command):
    """``ORDERS [T12]``: show the orders on file and what happens if no more are sent."""

    turn: int | None = None


@dataclass(frozen=True, slots=True)
class CountOrders(Command):
    """``ORDERS 90``, ``Total orders: 90`` or ``<90>``: state the number of orders in the email."""

    count: int


@dataclass(frozen=True, slots=True)
class Check(Command):
    """``CHECK``: read and rule on everything, and file nothing."""


@dataclass(frozen=True, slots=True)
class Clear(Command):
    """``CLEAR [T12]``: empty the sheet, or withdraw the sheet of a future turn."""

    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Add(Command):
    """``ADD``: add the orders of this letter to the sheet on file."""


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    """``CANCEL order``: remove one order from the sheet on file; *order* is its text."""

    order: str


@dataclass(frozen=True, slots=True)
class Recall(Command):
    """``CANCEL #receipt``: withdraw the messages of a letter before they are delivered."""

    receipt: int


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """``UNDO [#receipt]``: take back what a letter did; without a number, the last letter."""

    receipt: int | None = None


@dataclass(frozen=True, slots=True)
class History(Command):
    """``HISTORY [turn]``: show what the player's letters did, and how the turns went."""

    turn: int | None = None


@dataclass(frozen=True, slots=True)
class ShowStanding(Command):
    """``STANDING`` without orders: show the standing orders on file."""


@dataclass(frozen=True, slots=True)
class ShowDiary(Command):
    """``DIARY`` without an entry: mail the sender's own diary of the game."""


@dataclass(frozen=True, slots=True)
class DeleteEntry(Command):
    """``DIARY DELETE 3``: delete an entry of the sender's own diary."""

    number: int


@dataclass(frozen=True, slots=True)
class SetRevealed(Command):
    """``SHARE DIARY NO``: whether what is the sender's is revealed after the end of the game."""

    part: RevealedPart
    agrees: bool


@dataclass(frozen=True, slots=True)
class NoStanding(Command):
    """``STANDING NONE``: withdraw the standing orders."""


@dataclass(frozen=True, slots=True)
class RunStanding(Command):
    """``STANDING NOW``: file the standing orders for the current turn."""


@dataclass(frozen=True, slots=True)
class Final(Command):
    """``FINAL``: resolve early if every player says so."""


@dataclass(frozen=True, slots=True)
class Wait(Command):
    """``WAIT``: do not resolve before the deadline."""


@dataclass(frozen=True, slots=True)
class ShowReport(Command):
    """``REPORT [FULL] [turn]``: mail a report again; without a number, the newest.

    *full* asks for the whole report, even if only a part of it was sent.
    """

    turn: int | None = None
    full: bool = False


@dataclass(frozen=True, slots=True)
class ShowMap(Command):
    """``MAP``: mail what the player knows of the board, as a table and as pictures."""


@dataclass(frozen=True, slots=True)
class ShowAtlas(Command):
    """``MAP ATLAS``: mail all that the player has seen in all turns, as a page with a map."""


@dataclass(frozen=True, slots=True)
class ListGames(Command):
    """``LIST``: list the games of this server that can be joined or observed."""


@dataclass(frozen=True, slots=True)
class ShowRules(Command):
    """``RULES [game]``: mail the house rules of a game; without a name, the letter's game."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Join(Command):
    """``JOIN game [name [OR name]] [AS choice ...] [REAL NAME name] [ZONE zone] [CODE code]``."""

    game: str
    """The name of the game, or "" for that of the invitation which is answered."""
    names: tuple[str, ...] = ()
    """The wished names of the seat in the game, best first."""
    choices: tuple[str, ...] = ()
    """The wished choices of the ruleset, such as a character, best first."""
    real_name: str = ""
    zone: str = ""
    code: str = field(default="", repr=False)
    """The code of a private game, from its GM."""


@dataclass(frozen=True, slots=True)
class CastVote(Command):
    """``VOTE motion [YES|NO]``: propose a motion to all players, or vote on one.

    *ballot* is None if neither YES nor NO was written. That means yes, and proposes the motion if
    nobody has yet. *span* is by how much EXTEND moves the deadline; None means as proposed. *seat*
    is the name of the winner for CONCEDE. *is_candidate* says that the sender would be the GM.
    """

    motion: Motion
    ballot: bool | None = None
    span: timedelta | None = None
    seat: str = ""
    is_candidate: bool = False

    @property
    def yes(self) -> bool:
        """Whether the vote is for the motion."""
        return self.ballot is not False


@dataclass(frozen=True, slots=True)
class ShowStored(Command):
    """``MY DATA``: mail everything that is stored about the sender."""


@dataclass(frozen=True, slots=True)
class ForgetMe(Command):
    """``FORGET ME``: leave all games, and delete what is stored about the sender."""


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """``RESIGN``: leave the game for good."""


@dataclass(frozen=True, slots=True)
class Absent(Command):
    """``ABSENT [FROM day] TO day``: announce days away, by default from today."""

    last: Day
    first: Day | None = None


@dataclass(frozen=True, slots=True)
class NoAbsence(Command):
    """``ABSENT NONE``: end or withdraw an absence."""


@dataclass(frozen=True, slots=True)
class NameDeputy(Command):
    """``DEPUTY address [FROM day] TO day``: let another person order for the player."""

    address: str
    last: Day
    first: Day | None = None


@dataclass(frozen=True, slots=True)
class DropDeputy(Command):
    """``DEPUTY NONE``: end all deputies of the player, or the sender's own role as one."""


@dataclass(frozen=True, slots=True)
class Observe(Command):
    """``OBSERVE [game]``: receive the public reports of a game."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class StopObserving(Command):
    """``OBSERVE [game] OFF``: receive the public reports of a game no longer."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class ShowStandby(Command):
    """``STANDBY``: show what the sender is a standby for."""


@dataclass(frozen=True, slots=True)
class StandBy(Command):
    """``STANDBY scope``: offer to take a vacant seat."""

    scope: str
    """The name of a game or ruleset, or ``ALL``; in capitals."""


@dataclass(frozen=True, slots=True)
class StandDown(Command):
    """``STANDBY OFF [scope]``: withdraw as a standby; an empty scope means everywhere."""

    scope: str = ""


@dataclass(frozen=True, slots=True)
class TakeOver(Command):
    """``TAKEOVER [game [seat]]``: take a vacant or inactive seat, if possible that one.

    Without a game it is the seat offered in the letter that the sender answers.
    """

    game: str = ""
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """``DECLINE``: decline the seat offered in the letter that the sender answers."""


@dataclass(frozen=True, slots=True)
class SetZone(Command):
    """``SET ZONE zone``: set the time zone in which the player reads times."""

    zone: str


@dataclass(frozen=True, slots=True)
class SetName(Command):
    """``SET NAME name``: set the name by which the referee addresses the player."""

    name: str


class AttachmentKind(Enum):
    """A file that can be attached to every report."""

    REPORT = "report"
    """The report for programs: ``report.json``."""
    MAP = "map"
    """``map.svg``."""
    PNG = "png"
    """``map.png``."""
    DEADLINE = "deadline"
    """The next deadline for a calendar: ``deadline.ics``."""
    ATLAS = "atlas"
    """All that the seat has seen, as a page for a web browser: ``atlas.html``."""


@dataclass(frozen=True, slots=True)
class SetAttachments(Command):
    """``SET ATTACHMENTS`` with kinds or ``NONE``: set what is attached to every report."""

    kinds: tuple[AttachmentKind, ...]


@dataclass(frozen=True, slots=True)
class ShowSettings(Command):
    """``SET``: show all settings of the player, and how to change each of them."""


@dataclass(frozen=True, slots=True)
class RenewTokens(Command):
    """``SET TOKENS NEW``: make the tokens of all earlier emails invalid, and the security code."""


@dataclass(frozen=True, slots=True)
class SetAddress(Command):
    """``SET ADDRESS address``: set the address the player writes from and is written to."""

    address: str


@dataclass(frozen=True, slots=True)
class SetSecondAddress(Command):
    """``SET SECOND ADDRESS address`` or ``NONE``: set where email goes after a bounce."""

    address: str = ""


@dataclass(frozen=True, slots=True)
class SetReminders(Command):
    """``SET REMINDERS span, span``, ``NONE`` or ``AS THE GAME``: set when reminders come."""

    spans: tuple[timedelta, ...] | None
    """Times before the deadline, longest first; None leaves it to each game."""


@dataclass(frozen=True, slots=True)
class SetFormat(Command):
    """``SET FORMAT FULL|CHANGES|COMPACT|NEWS``: set how much of a report is mailed."""

    format: ReportFormat


@dataclass(frozen=True, slots=True)
class SetDigest(Command):
    """``SET DIGEST ON|OFF``: set whether less urgent email comes once a day."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetHtml(Command):
    """``SET HTML ON|OFF``: set whether letters have a part for the eye besides their text."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetQuiet(Command):
    """``SET QUIET from-until`` or ``NONE``: set hours in which only urgent email comes."""

    hours: QuietHours | None


@dataclass(frozen=True, slots=True)
class ShowPlayers(Command):
    """``WHO``: show the players of the game whom the sender is allowed to know."""


@dataclass(frozen=True, slots=True)
class Confirm(Command):
    """``CONFIRM``: carry out the commands of the pending letter."""


@dataclass(frozen=True, slots=True)
class Play(Command):
    """``PLAY ruleset [ROBOTS n] [HARD] [AS choice ...] [WITHIN n days]``: play against robots.

    ``PLAY TUTORIAL ruleset [WITHIN n days]`` plays the *tutorial*, which has all but the days.
    """

    ruleset: str
    robots: int | None = None
    strength: Strength = Strength.NORMAL
    choices: tuple[str, ...] = ()
    days: int = 7
    """For how long a turn waits for the player."""
    tutorial: bool = False


@dataclass(frozen=True, slots=True)
class ListPlay(Command):
    """``PLAY``: list the games that a person can play against robots."""


@dataclass(frozen=True, slots=True)
class Create(Command):
    """``CREATE ruleset [TITLE "..."] [SEATS n] DEADLINE "..." [OPTION ...] [RULES name]``."""

    ruleset: str
    title: str = ""
    seats: int | None = None
    schedule: str = ""
    options: tuple[tuple[str, str], ...] = ()
    rules: str = ""
    """The name of a pack of house rules."""
