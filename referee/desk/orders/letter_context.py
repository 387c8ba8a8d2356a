"""Context of one letter: its sender, its text as it is read, and the answers to it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Final, TypeVar, cast

from referee.desk.base.announcements import Move
from referee.desk.base.desk import Desk, Site, SparedFault, spare
from referee.desk.base.faults import FAILED, note_fault
from referee.desk.base.identity import UNREAD, About, Identity, Trust
from referee.desk.base.letter_tokens import Answered, answered_letter, as_read, typed_text
from referee.desk.base.loaded_games import LoadedGame, lay_begun
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.base.reply_limits import Asked
from referee.desk.orders.sheets import OpenSheet, file, open_sheet
from referee.domain import tokens
from referee.domain.commands import Join
from referee.domain.effort import FREE, Effort
from referee.domain.mail_transfer import Line
from referee.domain.ruleset_results import WrongResult
from referee.domain.shares import Thing
from referee.domain.sheets import source_of
from referee.domain.tokens import Kind
from referee.errors import UnknownRuleset
from referee.letters.incoming.letter import Letter, MailAddress
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.screening import Screening
from referee.letters.incoming.sheet_edits import EditedSheet, EditState, edited, shows_sheet
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import CommandReply, LineError, Notice
from referee.parsing.body import Body, Heading, read_body
from referee.parsing.command_lines import TURNS
from referee.parsing.items import Parsed, Unparsed
from referee.rules.ruleset import Ruleset, Ruling, RulingKind, Seat, UserError
from referee.store import Session
from referee.store.games import games
from referee.store.mail import inbox
from referee.store.mail.mail_queries import Quotable
from referee.store.models import Game, GameStatus, InboxLetter, Person, SeatRow

_CHANGED: Final = "You edited the order sheet in the quoted text."
_NOTHING: Final = "It was not read. Type your orders above the quote."
_BROKEN: Final = (
    f"{_CHANGED} But it is not complete up to its last line, or not in the form we sent. {_NOTHING}"
)
_TWICE: Final = (
    f"{_CHANGED} But you also typed orders outside it. Those were read, and your edits in the "
    "quote were not."
)
_EMPTIED: Final = (
    f"{_CHANGED} No order is left in it, and that changed nothing. To empty the sheet, type CLEAR "
    "above the quote."
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed letter; *edited* is the quoted sheet that was read as the player's own.

    *refused* says why an edited sheet was not read.
    """

    body: Body = field(default_factory=Body)
    edited: EditedSheet | None = None
    refused: LineError | None = None


_UNCHECKED: Final = Ruling(
    RulingKind.WARNED, "It could not be checked, through a fault on our side."
)


@dataclass(slots=True)
class ClockChange:
    """The changes by a GM's letter to the current deadline since it was *before*, and why."""

    before: datetime
    was_held: bool
    reasons: list[str] = field(default_factory=list)
    final_taken_back: bool = False
    """Whether every FINAL was taken back by the changes."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """A person who is notified of the changes by a letter.

    Without a seat they are a GM, unless they left a seat or a role, or observe: *is_outside*.
    """

    person: Person
    game: Game
    seat: SeatRow | None = None
    is_outside: bool = False

    @property
    def is_current(self) -> bool:
        """Whether no later command of the letter has taken the seat or the role from them."""
        if self.seat is not None:
            return self.seat in self.game.seats and self.seat.person is self.person
        return self.is_outside or any(gm.person is self.person for gm in self.game.gms)


@dataclass(slots=True)
class News:
    """The changes by a letter for one recipient, in the order of the commands."""

    lines: list[str] = field(default_factory=list)
    files: tuple[OutgoingFile, ...] = ()
    can_wait: bool = True
    move: Move | None = None

    def add(self, what: str, opposite: str = "") -> None:
        """Add a line at the end, once, or take out its *opposite* if one change undid another."""
        rest = [line for line in self.lines if line not in (what, opposite)]
        self.lines = rest if opposite in self.lines else [*rest, what]

    def begin(self, what: str, move: Move | None) -> None:
        """Begin with the news of the deadline."""
        self.lines.insert(0, what)
        self.move = move


@dataclass
class LetterContext:
    """The context of the use cases that one letter calls, and the answers they collect.

    *table* is set if the letter is about a game that has begun. *letters* are answers with a letter
    of their own; *said* are the answers to single commands.
    """

    desk: Desk
    letter: Letter
    row: InboxLetter
    identity: Identity
    table: LoadedGame | None
    own: OwnText = UNREAD
    """The text that its sender typed."""
    said: list[CommandReply] = field(default_factory=list)
    letters: list[tuple[Notice, Addressing]] = field(default_factory=list)
    note: str = ""
    """A sentence at the end of the answer."""
    sheet: OpenSheet | None = None
    """The sheet that the letter is about, if it has orders or changes a sheet."""
    reading: Reading = Reading()
    """The parsed letter, empty if no person wrote it."""
    with_gm: list[Join] = field(default_factory=list)
    """The commands about which the GM has been asked, who decides."""
    checking: bool = False
    """Whether nothing is done in a player's name, because the letter is a CHECK."""
    refused: Mapping[int, str] = field(default_factory=dict)
    """Why the item in a line is not carried out, as the sender was shown before confirming."""
    final_aside: bool = False
    """Whether FINAL was put aside, because something else in the letter was not done."""
    final_taken_back: str = ""
    """The consequence if the letter's orders took back an earlier FINAL, or ""."""
    clock: ClockChange | None = None
    """The change of the deadline by a GM's letter, of which everyone is notified once."""
    changes: dict[str, bool] = field(default_factory=dict)
    """The changes of the game by a GM's letter, in words, and whether all players read them."""
    undoes: dict[str, str] = field(default_factory=dict)
    """The commands that take back what a GM's letter did, by seat, person or rule."""
    news: dict[Recipient, News] = field(default_factory=dict)
    """The changes by the letter for others, each of whom gets one email after the last command."""
    reports: dict[int, Callable[[], None]] = field(default_factory=dict)
    """The deeds that mail a seat its report, by the seat's id, and 0 for all seats.

    They come after the last command, so a report shows the state that the whole email left.
    """
    faults: list[SparedFault] = field(default_factory=list)
    """The parts of the answer that failed."""
    left_out: Mapping[int, str] = field(default_factory=dict)
    """Why the question in a line is not answered, although the sender may ask it."""
    exit: str = ""
    """The command of the letter, if it has only one and that ends an attack."""
    effort: Effort = FREE
    """The processor time and the memory that the letter may take."""
    screening: Screening = Screening.HUMAN
    """The kind of the letter by its header; a person's, if the operator or the owner said so."""
    is_new: bool = True
    """Whether a letter that may be a program's asks for more than others within a day."""
    before: tuple[object, ...] = ()
    """The sheet of the seat before such a letter, as ``on_file`` has it."""

    def __post_init__(self) -> None:
        """Wrap the ruleset, so that a fault in its comments on orders costs only that part."""
        self._found: OpenSheet | None = None
        self._be_lenient()

    @cached_property
    def answered(self) -> Answered | None:
        """The letter of ours that the letter answers."""
        return answered_letter(self.session, self.letter, self.site.key)

    @property
    def session(self) -> Session:
        """The transaction in which the letter is read."""
        return self.desk.session

    @property
    def site(self) -> Site:
        """The referee's installation."""
        return self.desk.site

    @property
    def now(self) -> datetime:
        """When the letter is read."""
        return self.desk.now

    @property
    def on_file(self) -> tuple[object, ...]:
        """The sheet of the seat now: its orders, and whether it is ready."""
        row, table = self.identity.seat, self.table
        if row is None or table is None:
            return ()
        turn = self.identity.about.turn
        sheet = games.on_file(self.session, row, table.game.turn if turn is None else turn)
        orders = tuple(sheet.orders) if sheet is not None else None
        return row.final_turn, row.wait_turn, tuple(row.standing), orders

    @property
    def quiet(self) -> bool:
        """Whether all of the letter waits: its subject may be that of a vacation note."""
        return self.screening is Screening.AWAY

    @property
    def to(self) -> MailAddress:
        """Where answers go: the primary address, or for strangers the address they wrote from."""
        holder = self._holder()
        return mailbox(holder) if holder is not None else MailAddress("", self.identity.address)

    def asked(self, thing: Thing) -> Asked:
        """Return how an answer that is this thing is paid."""
        identity = self.identity
        sender = "" if identity.trust is Trust.CONFIRMED else identity.address
        moves = identity.person.moves if identity.person is not None else 0
        leaves = f"{self.exit} {moves}" * bool(self.exit)
        return Asked(thing, identity.trust.is_proven, sender, leaves)

    @property
    def zone(self) -> str:
        """The time zone for the times in answers to the sender."""
        holder = self._holder()
        return holder.zone if holder is not None else "UTC"

    @property
    def receipt(self) -> int:
        """The number of the letter that people see, counted for its seat."""
        if self.row.receipt is None:
            return inbox.take_receipt(self.session, self.row, self.seat())
        return self.row.receipt

    def receipt_of(self, letter_id: int) -> int:
        """Return the receipt of this letter or an earlier one of the seat, by its id."""
        if letter_id == self.row.id:
            return self.receipt
        return inbox.receipt_of(self.session, letter_id)

    def source_of(self, letter_id: int) -> str:
        """Return where a sheet came from, by the id of its letter: ``#4``, or the GM."""
        return source_of(self.receipt_of(letter_id))

    @property
    def writers(self) -> tuple[Person, ...]:
        """The people whose secrets the letter's messages may not reveal: player and deputy."""
        seat, deputy = self.identity.seat, self.identity.deputy
        people = (seat.person if seat else None, deputy.person if deputy else None)
        return tuple(person for person in people if person is not None)

    @property
    def arrived(self) -> Moment:
        """When the letter reached us, in the sender's time zone."""
        return Moment(self.row.arrived_at, self.zone)

    @property
    def answered_id(self) -> str:
        """The letter's Message-ID in angle brackets, for the headers of its answers, or ""."""
        return f"<{self.letter.message_id}>" if self.letter.message_id else ""

    def note_fault(self, part: str, error: BaseException, ruleset: str = "") -> None:
        """Record that a part of the answer failed; by default in the ruleset of the game."""
        game = self.identity.game
        number, known = (game.id, game.ruleset) if game is not None else (None, "")
        reference = self.site.entropy(4).hex()
        fault = SparedFault(part, reference, error, self.row.id, number, ruleset or known)
        self.faults.append(fault)

    def addressing(self, serial: str, *, held: int | None = None) -> Addressing:
        """Return the addressing of a letter that answers this one."""
        # After a resignation the seat has no player, so its token is not sent.
        seat, game = self.identity.seat, self.identity.game
        turn = game.turn if game is not None and game.status is not GameStatus.ENDED else None
        # What a CONFIRM did is answered apart from what was done at once.
        later = "c" if self.identity.trust is Trust.CONFIRMED else ""
        return Addressing(
            to=self.to,
            serial=f"{serial}{self.row.id}{later}",
            answers=self.row,
            answered_id=self.answered_id,
            game=game,
            seat=seat if seat is not None and seat.person is not None else None,
            turn=turn,
            held=held,
            deputy=self.identity.deputy if seat is not None else None,
        )

    def mail(self, notice: Notice, serial: str, files: tuple[OutgoingFile, ...] = ()) -> str:
        """Answer a command with an email of its own, and so with no sentence."""
        self.letters.append((notice, replace(self.addressing(serial), files=files)))
        return ""

    @property
    def sender_name(self) -> str:
        """The name that the sender writes under, or ""."""
        return self.letter.senders[0].name if self.letter.senders else ""

    def game(self) -> Game:
        """Return the game the letter is about. Raises UserError if it names no existing game."""
        if self.identity.about.missing:
            missing = self.identity.about.missing
            raise UserError(f"There is no game {missing}. LIST shows the games.")
        if self.identity.game is None:
            raise UserError(
                "Which game? Write its name in the subject or the first line, as in: SW-1."
            )
        return self.identity.game

    def seat(self) -> SeatRow:
        """Return the seat the letter is authorised for. Raises UserError if there is none."""
        if self.identity.seat is None:
            raise UserError(f"You have no seat in {self.game().name}.")
        return self.identity.seat

    def sheet_of(self, turn: int) -> OpenSheet:
        """Return the seat's sheet for that turn: the open one, or else the one on file."""
        if self.sheet is not None and self.sheet.turn == turn:
            return self.sheet
        return open_sheet(self.session, self.table_for_orders(), self.seat(), self.row, turn)

    def sheet_found(self, turn: int) -> OpenSheet:
        """Return the sheet that the letter found on file for that turn, which is read once."""
        table, row, found = self.table_for_orders(), self.seat(), self._found
        if found is None or not (found.table is table and found.row is row and found.turn == turn):
            found = self._found = open_sheet(self.session, table, row, self.row, turn)
        return found

    def file_sheet(self) -> None:
        """File the changes to the open sheet so far, so that the rest of the letter sees them."""
        if self.sheet is not None:
            file(self.session, self.sheet, self.now)

    def person(self) -> Person:
        """Return the person in whose name the letter is. Raises UserError for strangers."""
        holder = self._holder()
        if holder is None:
            raise UserError("You have no seat in any game. LIST shows the games you can join.")
        return holder

    def table_in_play(self) -> LoadedGame:
        """Return the game that has begun. Raises UserError if the seat is eliminated."""
        table = self.playing()
        if self.identity.seat is not None and self.identity.seat.eliminated:
            raise UserError(f"{self.identity.seat.name} is eliminated from {table.game.name}.")
        return table

    def table_for_orders(self) -> LoadedGame:
        """Return the game that takes the seat's orders.

        Raises UserError if the game has ended or has not begun, or if the seat is eliminated.
        """
        table = self.table_in_play()
        if table.game.status is GameStatus.ENDED:
            raise UserError(f"{table.game.name} has ended and no longer accepts orders.")
        return table

    def turn_of_orders(self) -> int:
        """Return the turn that the letter's orders are for.

        Raises UserError as table_for_orders does, or if there is no such turn.
        """
        game = self.table_for_orders().game
        turn = self.identity.about.turn
        if turn is None or turn in TURNS:
            return game.turn if turn is None else turn
        raise UserError(
            f"There is no turn {turn}, so your orders were not filed. The current turn is "
            f"{game.turn}. {game.name} T{game.turn + 1} on the first line sends orders for turn "
            f"{game.turn + 1}."
        )

    def rolled_back(self, turn: int) -> str:
        """Return a warning if the letter is for a *turn* that a rollback undid, or "".

        Only if nothing but the subject names the turn: a heading names it on purpose.
        """
        game = self.game()
        if turn <= game.turn or turn != self.identity.about.inherited_turn:
            return ""
        if not games.was_undone(self.session, game, turn):
            return ""
        return (
            f"The GM rolled {game.name} back to an earlier turn. The current turn is {game.turn}, "
            f"but the subject of your email names turn {turn}, which was undone."
        )

    def playing(self) -> LoadedGame:
        """Return the loaded game. Raises UserError if it cannot be played."""
        if self.table is None:
            game = self.game()
            if game.turn:
                raise waits_for_rules(game.ruleset)
            state = "ended" if game.status is GameStatus.ENDED else "not started yet"
            raise UserError(f"{game.name} has {state}.")
        return self.table

    def reload(self) -> None:
        """Load the game as it is now, because a command may have changed its state or its turn."""
        self.table = lay_begun(self.session, self.site, self.identity.game)
        self._be_lenient()

    def _be_lenient(self) -> None:
        if self.table is not None:
            rules = _LenientRules(self.table.ruleset, self)
            self.table = replace(self.table, ruleset=cast("Ruleset[Any, Any]", rules))

    def _holder(self) -> Person | None:
        """Return the player of the letter's seat, or else the owner of the sender's address.

        If a deputy sent the letter, return the deputy.
        """
        if self.identity.deputy is not None:
            return self.identity.person
        seat = self.identity.seat
        return seat.person if seat is not None and seat.person is not None else self.identity.person


class _LenientRules:
    """A ruleset of which a fault of its own only shortens the answer."""

    def __init__(self, rules: Ruleset[Any, Any], context: LetterContext) -> None:
        self._rules, self._context = rules, context
        self._asked: tuple[Any, Seat, list[Any]] | None = None
        self._rulings: Sequence[Ruling] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def validate(self, state: Any, seat: Seat, orders: Sequence[Any]) -> Sequence[Ruling]:
        """Rule on a sheet; if that fails, return a warning for each order.

        The answer rules on the sheet of which the doubt was: it is ruled on once.
        """
        asked = state, seat, [*orders]

        def ruled() -> Sequence[Ruling]:
            rulings = tuple(self._rules.validate(state, seat, orders))
            if len(rulings) != len(orders):
                raise WrongResult(
                    f"validate of the ruleset {self._rules.info.key} returns {len(rulings)} "
                    f"rulings for {len(orders)} orders"
                )
            return rulings

        if asked != self._asked:
            unchecked = (_UNCHECKED,) * len(orders)
            self._asked = asked
            self._rulings = try_part(self._context, "validate", ruled, unchecked)
        return self._rulings

    def explain(self, state: Any, seat: Seat, order: Any) -> str:
        """Return the meaning of an order, or if that fails, the order itself."""
        meaning = partial(self._rules.explain, state, seat, order)
        explained = try_part(self._context, "explain", meaning, None)
        return self._rules.render(order) if explained is None else explained

    def unused(self, state: Any, seat: Seat, orders: Sequence[Any]) -> Sequence[str]:
        """Return the leftovers of a sheet; if that fails, nothing."""
        found = partial(self._rules.unused, state, seat, orders)
        return try_part(self._context, "unused", lambda: tuple(found()), ())


def read(context: LetterContext) -> Reading:
    """Parse the letter of the context: about its game, from its seat if we accept it as that.

    An unedited quoted order sheet is never read. An edited one is read as a whole, including lines
    typed unquoted inside it, unless the player's intention is in doubt.
    """
    identity, own, table = context.identity, context.own, context.table
    row, turn, effort = identity.seat, identity.about.turn, context.effort
    by_gm = identity.is_gm and not identity.names_seat
    yes = "JOIN" * (identity.asked(Kind.INVITATION) is not None)
    if table is None:
        of_gm = Heading("", by_gm=True) if by_gm else None
        return Reading(read_body(own.lines, None, of_gm, effort, yes))
    turn = table.game.turn if turn is None else turn
    about = Heading(table.game.name, row.name if row is not None else "", turn, by_gm=by_gm)
    typed = read_body(own.lines, table.reader, about, effort, yes)
    answered = context.answered if row is not None and shows_sheet(context.letter.text) else None
    if row is None or answered is None:
        return Reading(typed)
    if (answered.sent.game_id, answered.sent.seat_number) != (row.game_id, row.number):
        return Reading(typed)
    seal = tokens.seal(answered.sent.message_id, context.site.key)
    found = edited(context.letter.seen, answered.lines, seal, own.blocks)
    if found is None:
        return Reading(typed)
    outside = [line for line in own.lines if not found.first <= line.number <= found.last]
    has_orders = _has_orders(table, found.lines)
    if not has_orders:
        remark = _without_orders(table, found)
    elif found.editing is EditState.BROKEN:
        remark = _BROKEN
    elif _has_orders(table, outside):
        remark = _TWICE
    else:
        remark = _other_sheet(context.session, row, found, answered.sent, typed.heading)
    if remark or not has_orders:
        return Reading(typed, refused=LineError(found.first, "", remark) if remark else None)
    lines = sorted((*outside, *found.lines), key=lambda line: line.number)
    about = replace(about, turn=found.turn)
    return Reading(read_body(lines, table.reader, about, effort), edited=found)


def earlier(context: LetterContext, row: SeatRow, letter: InboxLetter) -> LetterContext:
    """Return the context in which an earlier letter from a seat of the game is read again."""
    decoded = as_read(letter)
    own = typed_text(context.session, decoded, context.site.key)
    sender, table = Identity("", about=About(row.game, row)), context.playing()
    return LetterContext(context.desk, decoded, letter, sender, table, own, effort=context.effort)


def _other_sheet(
    session: Session, row: SeatRow, found: EditedSheet, answered: Quotable, heading: Heading | None
) -> str:
    """Return the reason why an edited sheet is too old or for another turn, or ""."""
    if heading is not None and heading.turn not in (None, found.turn):
        return f"{_CHANGED} It is for turn {found.turn}, but your heading names another. {_NOTHING}"
    later = [
        sheet
        for sheet in games.revisions_of(session, row, found.turn)
        if sheet.filed_at > answered.created_at or sheet.letter_id > (answered.answers_id or 0)
    ]
    if not (found.filed and later):
        return ""
    changed = source_of(inbox.receipt_of(session, later[-1].letter_id))
    return (
        f"{_CHANGED} But it is no longer the one on file: {changed} has changed it since. "
        f"{_NOTHING}"
    )


def _without_orders(table: LoadedGame, found: EditedSheet) -> str:
    """Return why a sheet without an order could not be read, or "" if nothing was written there."""
    if found.filed and found.editing is EditState.CHANGED:
        return _EMPTIED
    read = () if found.editing is EditState.BROKEN else found.lines
    for item in read_body(read, table.reader).orders:
        if isinstance(item, Unparsed):
            wrong = f'"{item.text}": {item.reason} {item.advice}'.strip()
            return f"{_CHANGED} No order could be read in it. {wrong}"
    return ""


def _has_orders(table: LoadedGame, lines: Sequence[Line]) -> bool:
    body = read_body(lines, table.reader)
    return any(isinstance(item, Parsed) for item in body.orders)


def how_to_order(game: Game) -> str:
    """Return how a reply to any of our emails is for the current turn."""
    return f"{game.name} T{game.turn} on the first line sends orders for turn {game.turn}."


T = TypeVar("T")

_PARTS: Final = {
    "validate": "The check of your orders",
    "explain": "The explanation of your orders",
    "unused": "The list of unused units",
    "forecast": "The forecast",
}
"""The parts of an acknowledgement, by the function of the ruleset that makes them."""


def try_part(context: LetterContext, part: str, work: Callable[[], T], otherwise: T) -> T:
    """Return a part of the answer, or *otherwise* if it fails."""

    def failed(error: BaseException) -> T:
        context.note_fault(part, error)
        return otherwise

    return spare(work, failed)


def waits_for_rules(key: str) -> UserError:
    """Return the answer to what needs the functions of a ruleset that is not installed."""
    return UserError(
        f"The rules of {key} are not installed here now, so its games wait. Send this again later."
    )


def try_item(context: LetterContext, part: str, work: Callable[[], T]) -> T:
    """Return the answer to one line of the letter. Raises UserError, also if it fails."""

    def failed(error: BaseException) -> T:
        if isinstance(error, UserError):
            raise error
        if isinstance(error, UnknownRuleset):
            raise waits_for_rules(error.key) from error
        context.note_fault(part, error)
        raise UserError(f"This could not be done, {FAILED}") from error

    return spare(work, failed)


def missing_parts(context: LetterContext) -> Iterator[LineError]:
    """Yield the parts of the acknowledgement that failed, each once."""
    for part in dict.fromkeys(fault.part for fault in context.faults):
        if part in _PARTS:
            yield LineError(0, "", f"{_PARTS[part]} could not be made, {FAILED}")


def report_faults(context: LetterContext) -> None:
    """Notify the operator of all parts of the answer that failed."""
    for fault in context.faults:
        note_fault(context.desk, fault, context.identity.game)
