"""The content of each kind of letter as values; the words are in ``mailtemplates/``.

The template of a notice is named after its class: ``Acknowledgement`` is written by
``acknowledgement.txt.j2``, whose first line is the subject.
"""

from dataclasses import dataclass

from referee.domain.player_settings import ReportFormat
from referee.letters.outgoing.guide_text import GuideText, LessonText
from referee.letters.outgoing.house_rules import HouseRulesText
from referee.letters.outgoing.local_time import Deadline, Moment, MovedDeadline
from referee.letters.outgoing.order_results import NO_DOUBTS, OrderResult, StandingDoubts


@dataclass(frozen=True, slots=True)
class Notice:
    """Any letter we write."""


@dataclass(frozen=True, slots=True)
class LineError:
    """A line of the player's email that was rejected, with the reason and how to fix it.

    *text* is what was typed there, and *at* the place of the mistake in it, from 0. A line that
    *is_remark* resembles no order. A rejected order that is *filed* stays on the sheet; one that
    *repeats* another is there twice. *others* are the orders that were not read because of it,
    and *lost* the lines. *topic* is what HELP explains the order by, in the first fault of a kind.
    """

    line: int
    text: str
    reason: str
    advice: str = ""
    at: int = 0
    is_remark: bool = False
    filed: bool = False
    repeats: bool = False
    others: int = 0
    lost: int = 0
    topic: str = ""

    @property
    def orders(self) -> int:
        """How many orders it stands for: those next to other words, or else the line itself."""
        return max(self.others, 1)


@dataclass(frozen=True, slots=True)
class RuledOrder:
    """An accepted order: its canonical text, its meaning, and a warning or ""."""

    line: int
    text: str
    meaning: str
    warning: str = ""


@dataclass(frozen=True, slots=True)
class CommandReply:
    """A command of the email and the reply to it: ``FINAL``, "You are ready ...".

    *is_answer* means that the command asked a question and changed nothing, *is_asked* that the GM
    decides, and has been asked.
    """

    line: int
    text: str
    answer: str
    is_answer: bool = False
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class Checked(Notice):
    """An order text ruled on outside any game's mail, in the words of the acknowledgement."""

    accepted: tuple[RuledOrder, ...]
    warned: tuple[RuledOrder, ...]
    faults: tuple[LineError, ...]
    unused: tuple[str, ...]
    forecast: str


@dataclass(frozen=True, slots=True)
class Joined(Notice):
    """The welcome: the player has a seat in a game that is forming."""

    game: str
    title: str
    seat: str
    choices: tuple[str, ...]
    """What was chosen, in words: ``character: Pirate, or Merchant``."""
    remarks: tuple[str, ...]
    """Wishes that could not be met, and what was given instead."""
    account: int
    code: str
    """The security code, shown once; empty if the person has one already."""
    taken: int
    places: int
    schedule: str
    starts: str
    """When the game starts, in words."""
    starts_now: bool
    zone: str
    rules: HouseRulesText
    for_one: bool = False
    """Whether all other players are robots."""


@dataclass(frozen=True, slots=True)
class GameCreated(Notice):
    """To the GM: the game exists and waits for players."""

    game: str
    title: str
    ruleset: str
    places: int
    schedule: str
    starts: str
    """When the game starts, in words."""
    join: str
    """The line with which players join."""
    joining: tuple[str, ...]
    """The limits on joining, as sentences."""
    options: tuple[str, ...]
    account: int
    code: str
    address: str


@dataclass(frozen=True, slots=True)
class GameStarted(Notice):
    """To the GM: all is set up and turn 1 is out; *seats* are lines of name and player."""

    game: str
    title: str
    seats: tuple[str, ...]
    remarks: tuple[str, ...]
    """What only the GM may know of the start, such as its fairness."""
    deadline: Moment
    commitment: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What a GM's correction of the game changed for one seat.

    *reason* is the GM's, a sentence. *changes* are the parts of the report that differ, drawn.
    *rejected* are the orders on file that were possible before.
    """

    reason: str
    changes: str
    rejected: tuple[OrderResult, ...]


@dataclass(frozen=True, slots=True)
class PressItem:
    """A message of another player; *sender* is a seat's name, ``ANONYMOUS`` or ``the GM``."""

    sender: str
    recipients: str
    text: str


@dataclass(frozen=True, slots=True)
class Report(Notice):
    """The report of a turn to one seat.

    *view* is the ruleset's own report, drawn; in the format CHANGES it is what differs from the
    turn before. *missed* means that the seat sent nothing and
    *generated* what was ordered for it; *standing* that its standing orders ran. *failed* are the
    orders that came to nothing. *template* are the lines to fill in. *commitment* is in the
    first report; *seed*, *winners* and *drawn*, whether it is a draw, are in the last.
    """

    game: str
    title: str
    turn: int
    seat: str
    view: str
    missed: bool
    generated: tuple[str, ...]
    failed: tuple[OrderResult, ...]
    events: tuple[str, ...]
    press: tuple[PressItem, ...]
    notes: tuple[str, ...]
    """Public notes: what a GM changed, who missed the turn."""
    deadline: Deadline | None
    template: tuple[str, ...]
    commitment: str = ""
    seed: str = ""
    standing: bool = False
    eliminated: bool = False
    """Whether the seat is eliminated: it sees what everyone can, and need not send orders."""
    awaited: bool = True
    """Whether the seat must send orders in this phase."""
    votes: tuple[str, ...] = ()
    """The open votes."""
    closed_votes: tuple[str, ...] = ()
    """The votes that have closed since the last report."""
    delivered: tuple[str, ...] = ()
    """The player's own messages that were delivered, if they asked for receipts."""
    format: ReportFormat = ReportFormat.FULL
    excused: bool = False
    """Whether the turn does not count as missed, because of an absence."""
    correction: Correction | None = None
    """What was corrected, if this report takes the place of an earlier one."""
    deputy_until: str = ""
    """To a deputy: the last day."""
    more_press: int = 0
    """The number of messages that come in other letters."""
    winners: tuple[str, ...] = ()
    drawn: bool = False
    ahead: int | None = None
    """The number of orders on the sheet that was sent ahead for this turn, if there is one."""
    guide: GuideText | None = None
    """In the first report: help for newcomers."""
    lesson: LessonText | None = None
    """In a tutorial, in the place of the *guide*."""
    doubts: StandingDoubts = NO_DOUBTS
    """About the standing orders that run if nothing is sent; none if a sheet is on file."""
    robots: str = ""
    """Which seats robots play, as a sentence, or ""."""


@dataclass(frozen=True, slots=True)
class ReportAgain(Notice):
    """A report that is sent again, or all of its turn if *full*; *present* says what holds now."""

    game: str
    turn: int
    seat: str
    text: str
    full: bool = False
    present: str = ""


@dataclass(frozen=True, slots=True)
class Map(Notice):
    """What a player knows of the board, drawn as text; the pictures go with the letter."""

    game: str
    turn: int
    seat: str
    text: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Atlas(Notice):
    """All that a player has seen in all turns, as a *file* that goes with the letter."""

    game: str
    turn: int
    seat: str
    file: str


@dataclass(frozen=True, slots=True)
class Reminder(Notice):
    """Orders are missing and the deadline comes near."""

    game: str
    turn: int
    seat: str
    left: str
    """How long is left: ``3 hours``."""
    deadline: Moment
    absent_to: str
    """A day to which the player can be absent, to miss this turn: ``19 September``."""
    away: str = ""
    """To a player who is about to leave: the days of the absence."""
    deputy: bool = False
    """Whether it goes to the seat's deputy."""
    standing: int = 0
    """The number of standing orders that run if nothing comes."""
    doubts: StandingDoubts = NO_DOUBTS
    for_one: bool = False
    """Whether the game is for one person, and ends if nothing comes."""


@dataclass(frozen=True, slots=True)
class MissedTurn(Notice):
    """No orders came before the deadline: what was done instead."""

    game: str
    turn: int
    seat: str
    missed: int
    """Turns missed one after the other, this one among them."""
    limit: int
    generated: tuple[str, ...]
    deadline: Moment | None
    offered: bool
    """Whether the game offers seats to standbys whose players miss as many turns as *limit*."""


@dataclass(frozen=True, slots=True)
class GmAnswer(Notice):
    """To the GM: the answer to a query, in lines, its attachments, and what holds at *present*."""

    game: str
    what: str
    text: str
    files: tuple[str, ...] = ()
    present: str = ""


@dataclass(frozen=True, slots=True)
class Appointed(Notice):
    """To a new GM of a game; the *code* is empty if they have one already.

    *by* says who decided it, if no other GM did.
    """

    game: str
    title: str
    account: int
    code: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class GameChanged(Notice):
    """A GM changed something that players or other GMs must know at once.

    If the deadline was *moved*, the letter begins with that, and *what* follows. *more* is what
    else changed.
    """

    game: str
    turn: int
    what: str
    deadline: Deadline | None
    on_hold: bool = False
    moved: MovedDeadline | None = None
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Confirmation(Notice):
    """A letter is held until its sender confirms it; *preview* says what will be done.

    *what* names it in the subject: ``RESIGN``, ``orders``; *undone* will not be done. *typed* is
    what the letter says, line by line.
    """

    game: str
    what: str
    arrived: Moment
    preview: tuple[str, ...]
    reason: str
    undone: tuple[LineError, ...] = ()
    typed: tuple[str, ...] = ()
    until: str = ""
    """Until when a CONFIRM counts for the orders in the letter, or ""."""


@dataclass(frozen=True, slots=True)
class AlreadyReceived(Notice):
    """The same letter came before; nothing was changed by the copy.

    *receipt* is None if it was for no seat of the reader.
    """

    receipt: int | None
    arrived: Moment


@dataclass(frozen=True, slots=True)
class TooLate(Notice):
    """Orders for a turn that has been resolved."""

    game: str
    turn: int
    running: int
    deadline: Deadline | None
    receipt: int = 0
    said: tuple[CommandReply, ...] = ()
    """The answers to the commands of the same email."""
    undone: tuple[LineError, ...] = ()
    """What else in the email was not done."""
    early: Moment | None = None
    """When the turn was resolved, if that was before its deadline and before the email came."""
    has_orders: bool = True
    counted: str = ""
    """What counted for the turn, if the email came in time but its CONFIRM did not, or ""."""


@dataclass(frozen=True, slots=True)
class CommandAnswers(Notice):
    """The answer to commands that need no letter of their own, one after the other."""

    said: tuple[CommandReply, ...]
    faults: tuple[LineError, ...] = ()
    sheet: str = ""
    """A sentence on the sheet that a mistyped command could have changed, but did not."""
    others: int = 0
    """How many letters of their own answer other commands of the same email."""
    note: str = ""
    """A sentence at the end, or with a *fact* at the beginning."""
    fact: str = ""
    """The subject, if the email has neither commands nor questions."""
    page: str = ""
    """The text of a page that the email asked for, such as one of HELP."""

    @property
    def remarks(self) -> tuple[LineError, ...]:
        """The remarks next to what was done or not; if an email has nothing else, they are none."""
        prose = tuple(fault for fault in self.faults if fault.is_remark)
        return prose if self.said or self.others or len(prose) < len(self.faults) else ()

    @property
    def mistakes(self) -> tuple[LineError, ...]:
        """What was not done."""
        if not self.remarks:
            return self.faults
        return tuple(fault for fault in self.faults if not fault.is_remark)


@dataclass(frozen=True, slots=True)
class HelpPage(Notice):
    """A page of help; an empty *topic* is the first page.

    *examples* are lines that the reader could send as they are, about their own seat. *meaning* is
    that of an order in their position, *mistake* their last one with such an order.
    """

    topic: str
    text: str
    examples: tuple[str, ...] = ()
    meaning: tuple[str, ...] = ()
    mistake: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown(Notice):
    """To a sender whose letter belongs to no seat: what they can do. Never repeats their words.

    *join* is the line with which an invited person joins, and *creates* means that the sender can
    open games.
    """

    wrong_code: bool
    game: str = ""
    join: str = ""
    creates: bool = False


@dataclass(frozen=True, slots=True)
class Quarantined(Notice):
    """The letter could not be read through a fault on our side; the log has the *reference*.

    *too_costly* means that it needs too much processor time or memory instead.
    """

    reference: str
    too_costly: bool = False


@dataclass(frozen=True, slots=True)
class ManyWrongCodes(Notice):
    """To the primary address: somebody guesses security codes; right ones are asked about."""

    wrong: int
    until: Moment


@dataclass(frozen=True, slots=True)
class AnswersPaused(Notice):
    """Answers to this address stop for a *span*, ``hour`` or ``day``; letters are still read.

    *proven* means that the sender of the letters was proven. *waiting* means that the answered
    letter needs a confirmation that we did not ask for. *idle*: only emails that do nothing count.
    """

    span: str
    proven: bool = True
    waiting: bool = False
    idle: bool = False
