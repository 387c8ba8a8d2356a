"""One letter on the desk: who came with what, and what he is to be told."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from referee.desk.base.desk import Desk
from referee.desk.base.identity import Identity
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.base.site import Site
from referee.desk.base.spared_faults import SparedFault
from referee.desk.orders.lenient_rules import lenient
from referee.desk.orders.player_text import Reading
from referee.desk.orders.sheets import OpenSheet, file, open_sheet
from referee.letters.incoming.letter import Letter, MailAddress
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import CommandReply, Notice
from referee.rules.ruleset import UserError
from referee.store import Session
from referee.store.models import Game, GameStatus, InboxLetter, Person, SeatRow


@dataclass(slots=True)
class LetterContext:
    """What the use cases of one letter work with, and the answers that pile up meanwhile.

    *table* is there when the letter is about a game that has begun. *letters* are answers that
    are letters of their own, beside what is *said* to single commands.
    """

    desk: Desk
    letter: Letter
    row: InboxLetter
    identity: Identity
    table: LoadedGame | None
    said: list[CommandReply] = field(default_factory=list)
    letters: list[tuple[Notice, Addressing]] = field(default_factory=list)
    sheet: OpenSheet | None = None
    """The sheet that the letter is about, if it has orders or changes one."""
    reading: Reading | None = None
    """The letter as it was read, if somebody wrote it by hand."""
    checking: bool = False
    """Whether nothing is done in a player's name, because the letter is a CHECK."""
    refused: Mapping[int, str] = field(default_factory=dict)
    """Why what begins in a line is not done, as its sender was shown before he confirmed it."""
    faults: list[SparedFault] = field(default_factory=list)
    """The parts of the answer that could not be made."""
    quiet: bool = False
    """Whether the letter is done and not answered, because a vacation note may have its subject."""

    def __post_init__(self) -> None:
        """Let faults in what the rules say of orders cost that part of the answer alone."""
        if self.table is not None:
            rules = lenient(self.table.ruleset, self.note_fault)
            self.table = replace(self.table, ruleset=rules)

    @property
    def session(self) -> Session:
        """The transaction in which the letter is read."""
        return self.desk.session

    @property
    def site(self) -> Site:
        """The referee's own affairs."""
        return self.desk.site

    @property
    def now(self) -> datetime:
        """When the letter is read."""
        return self.desk.now

    @property
    def to(self) -> MailAddress:
        """Where answers go: the address of record, and to strangers the address they gave."""
        holder = self._holder()
        return mailbox(holder) if holder is not None else MailAddress("", self.identity.address)

    @property
    def zone(self) -> str:
        """The time zone in which moments are written to the sender."""
        holder = self._holder()
        return holder.zone if holder is not None else "UTC"

    @property
    def writers(self) -> tuple[Person, ...]:
        """Whose secrets a message of the letter may not tell: the player's and his deputy's."""
        seat, deputy = self.identity.seat, self.identity.deputy
        people = (seat.person if seat else None, deputy.person if deputy else None)
        return tuple(person for person in people if person is not None)

    @property
    def arrived(self) -> Moment:
        """When the letter reached us, for its sender."""
        return Moment(self.row.arrived_at, self.zone)

    @property
    def answered_id(self) -> str:
        """The letter's Message-ID, in brackets, for the headers of its answers."""
        return f"<{self.letter.message_id}>" if self.letter.message_id else ""

    def note_fault(self, part: str, error: BaseException) -> None:
        """Note that a part of the answer could not be made."""
        game = self.identity.game.id if self.identity.game is not None else None
        reference = self.site.entropy(4).hex()
        self.faults.append(SparedFault(part, reference, error, self.row.id, game))

    def slip(self, serial: str, *, held: int | None = None) -> Addressing:
        """Return the slip of a letter that answers this one."""
        # Who has just left his seat is given no token of it.
        seat = self.identity.seat
        return Addressing(
            to=self.to,
            serial=f"{serial}{self.row.id}",
            answers=self.row,
            answered_id=self.answered_id,
            game=self.identity.game,
            seat=seat if seat is not None and seat.person is not None else None,
            turn=self.identity.game.turn if self.identity.game is not None else None,
            held=held,
            deputy=self.identity.deputy if seat is not None else None,
        )

    def game(self) -> Game:
        """Return the game the letter is about. Raises UserError when it names none that there
        is."""
        if self.identity.missing:
            missing = self.identity.missing
            raise UserError(f"There is no game {missing}. LIST shows those there are.")
        if self.identity.game is None:
            raise UserError(
                "Which game? Write its name in the subject or the first line, as in: SW-1."
            )
        return self.identity.game

    def seat(self) -> SeatRow:
        """Return the seat the letter speaks for. Raises UserError when it speaks for none."""
        if self.identity.seat is None:
            raise UserError(f"You have no seat in {self.game().name}.")
        return self.identity.seat

    def sheet_of(self, turn: int) -> OpenSheet:
        """Return the seat's sheet for that turn: the one that is open, or else as it counts now."""
        if self.sheet is not None and self.sheet.turn == turn:
            return self.sheet
        return open_sheet(self.session, self.table_for_orders(), self.seat(), self.row, turn)

    def file_sheet(self) -> None:
        """File what the letter did to the open sheet so far, so that what follows meets it."""
        if self.sheet is not None:
            file(self.session, self.sheet, self.now)

    def person(self) -> Person:
        """Give in whose name the letter is. Raises UserError when it is nobody's we know."""
        holder = self._holder()
        if holder is None:
            raise UserError(
                "You have no seat in any game. LIST shows the games that can be joined."
            )
        return holder

    def table_in_play(self) -> LoadedGame:
        """Return the game that has begun, unless the seat is out of it. Raises UserError if so."""
        table = self.playing()
        if self.identity.seat is not None and self.identity.seat.eliminated:
            raise UserError(f"{self.identity.seat.name} is out of {table.game.name}.")
        return table

    def table_for_orders(self) -> LoadedGame:
        """Return the game that takes the seat's orders.

        Raises UserError when it has ended or not begun, or the seat is out of it.
        """
        table = self.table_in_play()
        if table.game.status is GameStatus.ENDED:
            raise UserError(f"{table.game.name} has ended; it takes no orders any more.")
        return table

    def playing(self) -> LoadedGame:
        """Return the running game on the table. Raises UserError when it does not run."""
        if self.table is None:
            raise UserError(f"{self.game().name} has not begun.")
        return self.table

    def _holder(self) -> Person | None:
        """Return who holds the seat the letter speaks for, else whose address it bears.

        A deputy answers for himself.
        """
        if self.identity.deputy is not None:
            return self.identity.person
        seat = self.identity.seat
        return seat.person if seat is not None and seat.person is not None else self.identity.person
