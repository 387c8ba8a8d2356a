"""The commands that only GMs write to the referee, as typed values."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from referee.domain.commands import Command
from referee.domain.days import ClockTime, Day, NamedDay, NamedMoment, Weekday, next_moment
from referee.domain.house_rules import StartRule
from referee.domain.press import PressRule
from referee.rules.extras import Strength


@dataclass(frozen=True, slots=True)
class Start(Command):
    """``START``: start the game with the players who have joined."""


@dataclass(frozen=True, slots=True)
class Hold(Command):
    """``HOLD BECAUSE reason``: resolve no turn until RESUME."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """``RESUME BECAUSE reason``: continue the game."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class TakeBack(Command):
    """``UNDO``: bring back the game as it was before the GM's last email that changed it."""


@dataclass(frozen=True, slots=True)
class SetSchedule(Command):
    """``SCHEDULE "..."``: change the schedule from the next deadline on.

    *schedule* is the GM's own text.
    """

    schedule: str


@dataclass(frozen=True, slots=True)
class Broadcast(Command):
    """``BROADCAST ... END``: send a message to every player of the game."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class SetDeadline(Command):
    """``DEADLINE 18 September 18:00 Europe/Berlin``: move the current deadline, this once.

    Without a *zone*, that of the GM counts.
    """

    day: Day | Weekday
    at: time
    zone: str
    reason: str = ""

    def due(self, now: datetime, written: datetime, zone: str) -> datetime:
        """Return the deadline, in UTC; without a year, the next one after *now*.

        Tomorrow and a weekday count from when it was *written*, by a GM in *zone*, so that a late
        CONFIRM does not change the day. Raises UserError if there is no such day, or if it has just
        passed.
        """
        if isinstance(self.day, NamedDay):
            return next_moment(self.day, self.at, self.zone or zone, now)
        return ClockTime(self.at, self.day, self.zone).after(written, zone)


@dataclass(frozen=True, slots=True)
class Extend(Command):
    """``EXTEND 2 days BECAUSE reason``: move the current deadline back by that long."""

    span: timedelta
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetExtensions(Command):
    """``OPTION EXTENSIONS 7 days``: limit how long a turn can be extended; ``NONE`` forbids it."""

    most: timedelta


@dataclass(frozen=True, slots=True)
class SetGrace(Command):
    """``OPTION GRACE 2 hours``: accept orders so long after each deadline; ``NONE`` forbids it."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class SetMissed(Command):
    """``OPTION MISSED 3``: set how many turns in a row a player can miss; 0 means any number."""

    limit: int


@dataclass(frozen=True, slots=True)
class SetReminders(Command):
    """``OPTION REMINDERS 3 days, 1 day`` or ``NONE``: set when players are reminded."""

    steps: tuple[timedelta, ...]


@dataclass(frozen=True, slots=True)
class SetBank(Command):
    """``OPTION BANK 1 day``: set how long a turn waits, once, for a seat that would miss it."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class Remind(Command):
    """``REMIND NOW``: remind the seats that still have to send orders."""


@dataclass(frozen=True, slots=True)
class Resolve(Command):
    """``RESOLVE``: resolve the current turn now."""


@dataclass(frozen=True, slots=True)
class SetOptions(Command):
    """``OPTION name=value ...``: set options of the ruleset before the start."""

    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SetSeats(Command):
    """``SEATS n ROBOTS m HARD``: set the number of seats, and of robots, before the start.

    *robots* is None if the command does not name them.
    """

    count: int
    robots: int | None = None
    strength: Strength = Strength.NORMAL


@dataclass(frozen=True, slots=True)
class SetTitle(Command):
    """``TITLE title``: set the title of the game."""

    title: str


@dataclass(frozen=True, slots=True)
class SetPress(Command):
    """``OPTION PRESS ...``: change the rules for press; a field that is None stays unchanged."""

    rule: PressRule | None = None
    anonymous: bool | None = None
    at_once: bool | None = None
    broadcast: bool | None = None
    limit: int | None = None
    kilobytes: int | None = None


@dataclass(frozen=True, slots=True)
class SaveRules(Command):
    """``RULES SAVE name``: save all house rules of the game as a pack of the GM."""

    name: str


@dataclass(frozen=True, slots=True)
class DropRules(Command):
    """``RULES DROP name``: delete a pack that the sender has saved."""

    name: str


@dataclass(frozen=True, slots=True)
class ListRules(Command):
    """``RULES LIST``: list the packs that the sender can use."""


@dataclass(frozen=True, slots=True)
class AcceptLate(Command):
    """``ACCEPT LATE CERES #receipt``: accept orders that came too late."""

    receipt: int
    seat: str = ""
    """The name of the seat; needed if several seats have a late letter of that receipt."""


@dataclass(frozen=True, slots=True)
class ShowSheets(Command):
    """``SHEETS``: show which seats sent orders, and the receipts."""


@dataclass(frozen=True, slots=True)
class ShowReportOf(Command):
    """``REPORT OF seat [turn]``: mail the GM a seat's report; without a number, the newest."""

    seat: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class ShowAudit(Command):
    """``AUDIT``: show what the GMs and the operator did to the game."""


@dataclass(frozen=True, slots=True)
class ShowQuarantine(Command):
    """``QUARANTINE``: list the game's letters that could not be processed."""


@dataclass(frozen=True, slots=True)
class Preview(Command):
    """``PREVIEW``: resolve the current turn with the orders on file, and discard the result."""


@dataclass(frozen=True, slots=True)
class Rollback(Command):
    """``ROLLBACK [n] TURNS``: undo the last turns, so that they are played again."""

    turns: int = 1


@dataclass(frozen=True, slots=True)
class Replay(Command):
    """``REPLAY``: resolve every turn again and compare the results with the stored ones."""


@dataclass(frozen=True, slots=True)
class Correct(Command):
    """``CORRECT reason ... END``: correct the state in the ruleset's notation."""

    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class SetStart(Command):
    """``START WHEN FULL``, ``START BY GM`` or ``START ON day time zone``: say when it starts."""

    when: StartRule | NamedMoment


@dataclass(frozen=True, slots=True)
class SetCallOff(Command):
    """``CALL OFF day time zone`` or ``NONE``: call the game off if it has not started by then."""

    on: NamedMoment | None = None


@dataclass(frozen=True, slots=True)
class ShowCode(Command):
    """``CODE``: show the code with which players join a private game."""


@dataclass(frozen=True, slots=True)
class NewCode(Command):
    """``CODE NEW``: change the code with which players join a private game."""


@dataclass(frozen=True, slots=True)
class ShowAdmissions(Command):
    """``ALLOW``: show who can join the game, and who cannot, by decision of its GM."""


@dataclass(frozen=True, slots=True)
class Allow(Command):
    """``ALLOW address [UNDO]``: let people join, by address or number, whatever else is set."""

    whom: tuple[str | int, ...]
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Exclude(Command):
    """``EXCLUDE address [UNDO]``: let people not join, by address or number."""

    whom: tuple[str | int, ...]
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Approve(Command):
    """``APPROVE #account``: give a seat to a person who waits for the GM."""

    account: int


@dataclass(frozen=True, slots=True)
class Refuse(Command):
    """``REFUSE #account``: give no seat to a person who waits for the GM."""

    account: int


@dataclass(frozen=True, slots=True)
class Invite(Command):
    """``INVITE address``: invite people to a game that is forming, with a GM's own *text*."""

    addresses: tuple[str, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class GiveSeat(Command):
    """``ASSIGN address [name]``: give a person a seat in a game that is forming."""

    address: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class SeatRobot(Command):
    """``ASSIGN ROBOT HARD``: give a seat of a game that is forming to a robot."""

    strength: Strength = Strength.NORMAL


@dataclass(frozen=True, slots=True)
class Replace(Command):
    """``REPLACE seat address``: give a seat to another player, a standby also by number."""

    seat: str
    whom: str | int


@dataclass(frozen=True, slots=True)
class ReplaceByRobot(Command):
    """``REPLACE seat ROBOT HARD``: have a robot play a vacant seat until a person takes it."""

    seat: str
    strength: Strength = Strength.NORMAL


@dataclass(frozen=True, slots=True)
class Vacate(Command):
    """``VACATE seat``: make a seat vacant."""

    seat: str


@dataclass(frozen=True, slots=True)
class Promote(Command):
    """``PROMOTE address``: make a person a GM of the game."""

    address: str


@dataclass(frozen=True, slots=True)
class ShowPool(Command):
    """``STANDBY``: show the standbys of the game and the available seats."""


@dataclass(frozen=True, slots=True)
class OfferSeat(Command):
    """``STANDBY OFFER seat``: offer a vacant or inactive seat to standbys."""

    seat: str


@dataclass(frozen=True, slots=True)
class SetStandby(Command):
    """``STANDBY ON`` or ``OFF``: set whether vacant seats are offered automatically."""

    on: bool


@dataclass(frozen=True, slots=True)
class Demote(Command):
    """``DEMOTE address``: remove a person as GM of the game."""

    address: str


@dataclass(frozen=True, slots=True)
class Eliminate(Command):
    """``ELIMINATE seat``: eliminate a seat, so that no turn waits for its orders."""

    seat: str


@dataclass(frozen=True, slots=True)
class Reinstate(Command):
    """``ELIMINATE seat UNDO``: bring an eliminated seat back into the game."""

    seat: str


@dataclass(frozen=True, slots=True)
class FileOrders(Command):
    """``ORDERS FOR seat ... END``: file orders for a seat without an active player."""

    seat: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class TakeBackOrders(Command):
    """``ORDERS FOR seat UNDO``: take back the orders that a GM filed for a seat."""

    seat: str


@dataclass(frozen=True, slots=True)
class GiveDeputy(Command):
    """``DEPUTY seat address [FROM day] TO day``: name a deputy for a seat."""

    seat: str
    address: str
    last: Day
    first: Day | None = None


@dataclass(frozen=True, slots=True)
class TakeDeputy(Command):
    """``DEPUTY seat NONE``: end all deputies of a seat."""

    seat: str


@dataclass(frozen=True, slots=True)
class OpenToObservers(Command):
    """``OBSERVERS ON [DELAY n TURNS]``: send observers the public reports, n turns later."""

    delay: int = 3


@dataclass(frozen=True, slots=True)
class CloseToObservers(Command):
    """``OBSERVERS OFF``: stop sending public reports to observers."""


@dataclass(frozen=True, slots=True)
class ShowObservers(Command):
    """``OBSERVERS LIST``: list the observers of the game."""


@dataclass(frozen=True, slots=True)
class EndGame(Command):
    """``END GAME``: end the game with its present standings."""


@dataclass(frozen=True, slots=True)
class Reveal(Command):
    """``REVEAL``: send the archive of an ended game to all its players and GMs."""
