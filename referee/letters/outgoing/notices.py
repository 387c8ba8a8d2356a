"""The content of each kind of letter as values; the words are in ``mailtemplates/``.

The template of a notice is named after its class: ``Acknowledgement`` is written by
``acknowledgement.txt.j2``, whose first line is the subject.
"""

from dataclasses import dataclass
from typing import Final

from referee.domain.player_settings import ReportFormat
from referee.letters.outgoing.local_time import Deadline, Moment, MovedDeadline
from referee.letters.outgoing.pairs import Drawn
from referee.rules.ruleset import Event
from referee.rules.wording import counted


@dataclass(frozen=True, slots=True)
class Notice:
    """Any letter we write."""

    @property
    def kind(self) -> str:
        """The kind of the letter in the outbox; an answer with a question is a question."""
        return type(self).__name__


@dataclass(frozen=True, slots=True)
class Chapter:
    """The house rules about one subject, a sentence or two on each line."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HouseRulesText:
    """The house rules; *changed_turn* is when they were changed last after the start, if ever."""

    game: str
    title: str
    version: int
    changed_turn: int | None
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True, slots=True)
class GuideOrders:
    """Orders that can be sent as they are, one text for each line, and the reason for them."""

    lines: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class GuideText:
    """The seat's view, orders to send now, and *reading*: commands with their subjects."""

    position: str
    orders: tuple[GuideOrders, ...]
    reading: tuple[str, ...]
    alternatives: bool = False
    """Whether only one of the *orders* can be sent."""


@dataclass(frozen=True, slots=True)
class LessonText:
    """The lesson of a turn: remarks on the last turn, what is new, and orders to try.

    After the last step, *number* is None and *title* the name of the game.
    """

    number: int | None
    steps: int
    title: str
    remarks: tuple[str, ...]
    paragraphs: tuple[str, ...]
    orders: tuple[GuideOrders, ...]


@dataclass(frozen=True, slots=True)
class OrderResult:
    """One order of the turn and its result."""

    text: str
    outcome: str


@dataclass(frozen=True, slots=True)
class StandingDoubts:
    """The standing orders that would be rejected, or warned of, if they ran now."""

    rejected: tuple[OrderResult, ...] = ()
    warned: tuple[OrderResult, ...] = ()

    @property
    def in_words(self) -> str:
        """The number of both, as a sentence; "" for none."""
        bad, doubtful = len(self.rejected), len(self.warned)
        have = "has a warning" if doubtful == 1 else "have a warning"
        if not bad:
            return f"{counted(doubtful, 'standing order')} {have}." if doubtful else ""
        rest = f", and {doubtful} {have}" if doubtful else ""
        return f"{counted(bad, 'standing order')} would be rejected now{rest}."


NO_DOUBTS: Final = StandingDoubts()


@dataclass(frozen=True, slots=True)
class LineError:
    """A line of the player's email that was rejected, with the reason and how to fix it.

    *text* is what was typed there, and *at* the place of the mistake in it, from 0. A line that
    *is_words* resembles no order; *to_send* are lines for the orders in it. A rejected order that
    is *filed* stays on the sheet; one that *repeats* another is there twice. *others* are the
    orders that were not read because of it, and *lost* the lines. *topic* is what HELP explains the
    order by, in the first fault of a kind. *instead* is a whole command to send instead.
    """

    line: int
    text: str
    reason: str
    advice: str = ""
    at: int = 0
    is_words: bool = False
    to_send: tuple[str, ...] = ()
    instead: str = ""
    filed: bool = False
    repeats: bool = False
    others: int = 0
    lost: int = 0
    topic: str = ""

    @property
    def orders(self) -> int:
        """The number of orders in the line: those next to other words, or else the line itself."""
        return max(self.others, 1)


@dataclass(frozen=True, slots=True)
class UnreadPart(LineError):
    """A part of the email, such as an attachment, that was not read; *text* is its name."""


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
    forecast: Drawn


@dataclass(frozen=True, slots=True)
class Joined(Notice):
    """The welcome: the player has a seat in a game that is forming."""

    game: str
    title: str
    seat: str
    choices: tuple[str, ...]
    """The choices at JOIN, in words: ``character: Pirate, or Merchant``."""
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
    """Facts about the start that only the GM may know, such as its fairness."""
    deadline: Moment
    commitment: str


@dataclass(frozen=True, slots=True)
class Correction:
    """The changes by a GM's correction of the game for one seat.

    *reason* is the GM's, a sentence. *changes* are the parts of the report that differ, drawn.
    *rejected* are the orders on file that were possible before.
    """

    reason: str
    changes: Drawn
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
    turn before. *phase* is the title of the phase, or "". *missed* means that the seat sent nothing
    and *generated* what was ordered for it; *standing* that its standing orders ran. *failed* are
    the orders that came to nothing. *template* are the lines to fill in. *commitment* is in the
    first report; *seed*, *winners* and *drawn*, whether it is a draw, are in the last.
    """

    game: str
    title: str
    turn: int
    seat: str
    view: Drawn
    missed: bool
    generated: tuple[str, ...]
    failed: tuple[OrderResult, ...]
    news: tuple[Event, ...]
    press: tuple[PressItem, ...]
    notes: tuple[str, ...]
    """Public notes: what a GM changed, who missed the turn."""
    deadline: Deadline | None
    template: tuple[str, ...]
    commitment: str = ""
    seed: str = ""
    standing: bool = False
    eliminated: str = ""
    """The words on the reports of an eliminated seat, or ""."""
    awaited: bool = True
    """Whether the seat must send orders in this phase."""
    votes: tuple[str, ...] = ()
    """The open votes."""
    closed_votes: tuple[str, ...] = ()
    """The votes that have closed since the last report."""
    delivered: tuple[str, ...] = ()
    """The player's own messages that were delivered, if they asked for receipts."""
    format: ReportFormat = ReportFormat.FULL
    excused: str = ""
    """Why the turn does not count as missed, or ""."""
    correction: Correction | None = None
    """The correction, if this report takes the place of an earlier one."""
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
    """The seats that robots play, as a sentence, or ""."""
    phase: str = ""


@dataclass(frozen=True, slots=True)
class ReportAgain(Notice):
    """A report that is sent again, or all of its turn if *full*; *present* says what holds now."""

    game: str
    turn: int
    seat: str
    text: Drawn
    full: bool = False
    present: str = ""


@dataclass(frozen=True, slots=True)
class Map(Notice):
    """The board as a player knows it, or without a *seat* as it is; pictures go with the letter."""

    game: str
    turn: int
    seat: str
    text: Drawn
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
    extend: str = ""
    """The command for more time, if it would be accepted: ``VOTE EXTEND 1 day``."""
    away: str = ""
    """To a player who is about to leave: the days of the absence."""
    deputy: bool = False
    """Whether the reader is the seat's deputy."""
    standing: int = 0
    """The number of standing orders that run if nothing comes."""
    doubts: StandingDoubts = NO_DOUBTS
    for_one: bool = False
    """Whether the game is for one person, and ends if nothing comes."""
    steward: str = ""
    """When the rules play the seat because its player has missed turns, in a sentence."""


@dataclass(frozen=True, slots=True)
class MissedTurn(Notice):
    """No orders came before the deadline: what was done instead. Turns count *in_rounds*."""

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
    in_rounds: bool = False


@dataclass(frozen=True, slots=True)
class GmAnswer(Notice):
    """To the GM: the answer to a query, in lines, its attachments, and what holds at *present*."""

    game: str
    what: str
    text: str | Drawn
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

    If the deadline was *moved*, the letter begins with that. *what* follows, and *more* changes.
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

    *what* names it in the subject: ``RESIGN``, ``orders``; *undone* will not be done, and *unread*
    were not read. *typed* is what the letter says, line by line.
    """

    game: str
    what: str
    arrived: Moment
    preview: tuple[str, ...]
    reason: str
    undone: tuple[LineError, ...] = ()
    unread: tuple[LineError, ...] = ()
    typed: tuple[str, ...] = ()
    until: str = ""
    """Until when a CONFIRM counts for the orders in the letter, or ""."""
    doubt: str = ""
    """Why the orders may not be meant, and what YES and ADD do, or ""."""
    is_besides: bool = False
    """Whether the rest of the letter is done, and its answer holds this question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering(Notice):
    """An answer that can hold a question about the lines of the email that wait."""

    question: Confirmation | None = None

    @property
    def kind(self) -> str:
        """The kind of the letter in the outbox."""
        return type(self.question or self).__name__


@dataclass(frozen=True, slots=True)
class TooLate(Answering):
    """Orders for a turn that has been resolved."""

    game: str
    turn: int
    running: int
    deadline: Deadline | None
    receipt: int = 0
    said: tuple[CommandReply, ...] = ()
    """The answers to the commands of the same email."""
    undone: tuple[LineError, ...] = ()
    """The other lines of the email that were not carried out."""
    early: Moment | None = None
    """When the turn was resolved, if that was before its deadline and before the email came."""
    has_orders: bool = True
    counted: str = ""
    """The orders that counted for the turn, if the email came in time, but not its CONFIRM."""


@dataclass(frozen=True, slots=True)
class CommandAnswers(Answering):
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
    page: Drawn | None = None
    """The text of a page that the email asked for, such as one of HELP."""

    @property
    def words(self) -> tuple[LineError, ...]:
        """The lines of words."""
        return tuple(fault for fault in self.faults if fault.is_words)

    @property
    def mistakes(self) -> tuple[LineError, ...]:
        """The lines that were not carried out."""
        return tuple(fault for fault in self.faults if not fault.is_words)


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


@dataclass(frozen=True, slots=True)
class HouseRules(Notice):
    """The house rules of a game, on request."""

    rules: HouseRulesText


@dataclass(frozen=True, slots=True)
class HouseRulesChanged(Notice):
    """To the players: the house rules have a new version.

    *changed* has pairs of lines, before and now. *gone* are lines without a successor, and *new*
    are lines without a predecessor. *started* means that the game had begun, so that the change
    marks it.
    """

    game: str
    version: int
    started: bool
    changed: tuple[tuple[str, str], ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class History(Notice):
    """The effects of a player's letters and the results of the turns, or all about one *turn*.

    *running* is the current turn, which is not played if the game has *ended*. *reports* are the
    turns whose reports can be mailed again. *result* says how the game ended, in a sentence.
    """

    game: str
    seat: str
    turn: int | None
    running: int
    ended: bool
    letters: tuple[str, ...]
    sheets: tuple[str, ...]
    turns: tuple[str, ...]
    outcomes: tuple[str, ...]
    reports: tuple[str, ...]
    result: str = ""


@dataclass(frozen=True, slots=True)
class VoteOpened(Notice):
    """To voters and GMs: a proposal to the players of a game.

    *command* votes on it, if the reader can; *due* is the new deadline; *for_gm*: of another GM.
    *deadline* is that of the current turn.
    """

    game: str
    who: str
    moved: str
    demand: str
    secret: bool
    closes: Moment
    command: str
    due: Moment | None = None
    for_gm: bool = False
    deadline: Moment | None = None


@dataclass(frozen=True, slots=True)
class VoteClosed(Notice):
    """To players and GMs: a vote has ended; *yes* and *no* name who voted so, if that is open.

    If it *moved* the deadline, the letter begins with that.
    """

    game: str
    turn: int
    passed: bool
    proposal: str
    line: str
    yes: str
    no: str
    effect: str
    deadline: Deadline | None
    moved: MovedDeadline | None = None


@dataclass(frozen=True, slots=True)
class OperatorAlert(Notice):
    """A failure, to the operator; *subject* is the fact in a few words."""

    subject: str
    what: str
    reference: str
    to_do: str


@dataclass(frozen=True, slots=True)
class OperatorDigest(Notice):
    """To the operator, once a day when there is something: a line for each thing to look at."""

    quarantined: tuple[str, ...]
    unasked: tuple[str, ...]
    failed: tuple[str, ...]
    bouncing: tuple[str, ...]
    withheld: tuple[str, ...]
    used_up: tuple[str, ...]
    stalled: tuple[str, ...]
    health: tuple[str, ...]
