"""Orders that a GM files: ORDERS FOR a seat that nobody plays, and ACCEPT LATE."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from referee.desk.base.identity import Trust
from referee.desk.games import vacancies
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    announce_and_log,
    announce_change,
    notify_seat,
    plays,
    require_gm,
    require_outside_gm,
)
from referee.desk.orders.letter_context import LetterContext, earlier, read
from referee.desk.orders.naming import seat_called
from referee.desk.orders.sheets import came_in_time, change, file, is_too_late, open_sheet, put
from referee.desk.players.queries import ruled_lines
from referee.domain.commands import Add, Cancel, Clear
from referee.domain.gm_commands import AcceptLate, FileOrders, TakeBackOrders
from referee.domain.mail_transfer import Line
from referee.letters.outgoing.local_time import Moment
from referee.parsing.body import Body, Item, ParsedCommand, find_heading
from referee.parsing.items import Parsed, Unparsed
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.games import games
from referee.store.mail import inbox, mail_queries
from referee.store.models import Game, InboxLetter, OutboxLetter, SeatRow, Sheet

_TAGGED_TURN: Final = re.compile(r"\[(?=[^\[\]]*+\])[^\[\]]*\bT([0-9]{1,4})\b", re.I)


@dataclass(frozen=True, slots=True)
class _Late:
    """A late letter with its seat, and its orders for a turn."""

    game: Game
    row: SeatRow
    letter: InboxLetter
    turn: int
    body: Body

    @property
    def orders(self) -> str:
        """How many orders it has, in words."""
        return counted(sum(isinstance(item, Parsed) for item in self.body.orders), "order")

    @property
    def changes_sheet(self) -> bool:
        """Whether anything in it can be accepted."""
        return any(_changes_sheet(item) for item in self.body.items)


@command(
    AcceptLate,
    "ACCEPT LATE",
    For.GM,
    shown_in="gm_deadlines",
    because="only the player can take it back",
)
def accept_late(context: LetterContext, given: AcceptLate) -> Deed:
    """ACCEPT LATE. Only the player can undo it, with another email."""
    game = require_gm(context, *BEGUN)
    late = _read(context, game, *_refused(context, game, given))
    if late.turn != game.turn:
        raise UserError(
            f"The orders are for turn {late.turn}, but the current turn is {game.turn}. Orders "
            "for a resolved turn can count only after ROLLBACK has brought that turn back."
        )
    if not late.changes_sheet:
        raise UserError(
            f"No order can be read in #{late.letter.receipt}, so there is nothing to accept."
        )
    receipt, turn = f"#{late.letter.receipt}", late.game.turn

    def accept() -> str:
        _file(context, late)
        text = f"The GM accepted your late orders ({receipt}). ORDERS shows them."
        notify_seat(context, late.row, text)
        what = f"The GM accepted late orders for turn {turn}."
        return announce_change(context, late.game, what)

    replaced = ""
    if (sheet := games.sheet_of(context.session, late.row, turn)) is not None:
        on_file = context.source_of(sheet.origin.letter_id)
        replaced = f" They change the sheet on file, from {on_file}."
    arrived = Moment(late.letter.arrived_at, context.zone)
    return Deed(
        f"The email from {late.row.name} with receipt {receipt}, which arrived on {arrived}, "
        f"counts for turn {turn} as if it had arrived in time ({late.orders}).{replaced}",
        accept,
    )


def listed(context: LetterContext, game: Game) -> Iterator[str]:
    """Yield the late orders that are not accepted, and how the GM can accept them.

    A GM who plays does not read how many they are.
    """
    is_player = plays(game, context.identity.person)
    for refusal in mail_queries.refused_since(context.session, game, game.turn):
        refused = mail_queries.refused_by(context.session, game, refusal)
        if refused is None:
            continue
        row, letter = refused
        late = _read(context, game, row, letter, refusal)
        if late.turn > game.turn or not late.changes_sheet or _is_accepted(context, late):
            continue
        called = f"{row.name} #{letter.receipt}"
        what = "" if is_player else f"{late.orders} "
        said = f"{_why(context, late)}: {called}, {what}for turn {late.turn}."
        if late.turn == game.turn:
            yield f"{said} ACCEPT LATE {called} makes it count."
        else:
            yield (
                f"{said} Turn {late.turn} is resolved, so it can count only after ROLLBACK "
                f"{late.turn}."
            )


def _why(context: LetterContext, late: _Late) -> str:
    """Return the part too late: the letter, or only the CONFIRM that it waited for."""
    is_confirmed = Trust.of(late.letter) is Trust.CONFIRMED
    arrived = late.letter.arrived_at
    in_time = is_confirmed and came_in_time(context.session, late.game, late.turn, arrived)
    return "Confirmed too late" if in_time else "Too late"


def _is_accepted(context: LetterContext, late: _Late) -> bool:
    """Return whether the sheet on file for its turn is from this letter."""
    sheet = games.sheet_of(context.session, late.row, late.turn)
    return sheet is not None and sheet.origin.letter_id == late.letter.id


def _read(
    context: LetterContext, game: Game, row: SeatRow, letter: InboxLetter, refusal: OutboxLetter
) -> _Late:
    """Read a refused letter again, as it would have been read in time."""
    again = earlier(context, row, letter)
    reading = read(again)
    turn = reading.edited.turn if reading.edited is not None else None
    turn = turn or _turn_named(again.letter.subject, again.own.lines) or refusal.turn or game.turn
    return _Late(game, row, letter, turn, reading.body)


def _refused(
    context: LetterContext, game: Game, command: AcceptLate
) -> tuple[SeatRow, InboxLetter, OutboxLetter]:
    """Return the seat, the late letter, and the letter that refused its orders.

    Raises UserError if there is none, or if only the name of the seat can say which is meant.
    """
    seat = seat_called(game, command.seat) if command.seat else None
    seats = {row.number: row for row in game.seats if seat in (None, row)}
    found = []
    for letter in inbox.letters_with(context.session, game, command.receipt):
        # The sender was verified; the orders were not filed only because of their time.
        refusal = mail_queries.refusal_of(context.session, letter)
        if refusal is not None and letter.seat_number in seats:
            found.append((seats[letter.seat_number], letter, refusal))
    called = f"{seat.name} #{command.receipt}" if seat else f"receipt #{command.receipt}"
    if not found:
        raise UserError(f"No orders with {called} were too late in {game.name}.")
    if len(found) > 1:
        each = [f"ACCEPT LATE {row.name} #{command.receipt}" for row, *_ in found]
        raise UserError(f"Several seats have a {called}. Name the seat: {' or '.join(each)}.")
    return found[0]


def _changes_sheet(item: Item) -> bool:
    if isinstance(item, ParsedCommand):
        return isinstance(item.command, Cancel | Clear)
    return isinstance(item, Parsed)


def _file(context: LetterContext, late: _Late) -> None:
    """Change the sheet as the letter would have changed it in time."""
    table = context.playing()
    sheet = open_sheet(context.session, table, late.row, late.letter, late.game.turn)
    for item in late.body.items:
        if isinstance(item, Parsed):
            put(sheet, item)
        elif isinstance(item, ParsedCommand) and isinstance(item.command, Add | Cancel | Clear):
            # The sender learned of this error when the letter came.
            with suppress(UserError):
                change(sheet, item.command)
    file(context.session, sheet, context.now)


def _turn_named(subject: str, lines: Sequence[Line]) -> int | None:
    """Return the turn in the heading, or else in the tag of the subject, or None."""
    heading = find_heading(lines)
    if heading is not None and heading.turn is not None:
        return heading.turn
    tag = _TAGGED_TURN.search(subject)
    return int(tag[1]) if tag is not None else None


@command(FileOrders, "ORDERS FOR", For.GM, Effect.CHANGES, shown_in="gm_orders")
def file_orders(context: LetterContext, given: FileOrders) -> Deed:
    """ORDERS FOR, which UNDO undoes. The orders of the seat's player would replace them."""
    row = _unplayed(context, given.seat)
    orders, game = _orders(context, given), row.game

    def file() -> str:
        filed = games.file_sheet(
            context.session, row, game.turn, context.row, orders, context.now, by_gm=True
        )
        if tuple(filed.orders) != orders:
            games.amend(context.session, filed, orders, withdrawn=False)
        context.undoes[row.name] = f"ORDERS FOR {row.name} UNDO"
        notify_seat(
            context,
            row,
            f"The GM filed orders for {row.name} for turn {game.turn}. If you send orders, yours "
            "count. ORDERS shows what is on file.",
        )
        hidden = f"The GM filed {_counted(orders)} for {row.name} for turn {game.turn}."
        what = f"The GM filed orders for a seat without an active player, for turn {game.turn}."
        return announce_and_log(context, game, hidden, what)

    before = games.sheet_of(context.session, row, game.turn)
    head = f"{row.name} gets {_counted(orders)} for turn {game.turn}"
    if before is not None:
        source = "the GM" if before.by_gm else context.source_of(before.origin.letter_id)
        head += f", in the place of the {_counted(before.orders)} on file from {source}"
    note = "All players read that a seat has orders of the GM."
    ruled = ruled_lines(context.playing(), row, orders, game.turn)
    return Deed("\n".join((f"{head}. {note}", *ruled)), file)


@command(TakeBackOrders, "ORDERS FOR", For.GM, Effect.CHANGES, shown_in="gm_orders")
def take_back(context: LetterContext, given: TakeBackOrders) -> Deed:
    """ORDERS FOR with UNDO. What the seat's players had on file is in effect again."""
    row = _unplayed(context, given.seat)
    game = row.game
    sheet = games.sheet_of(context.session, row, game.turn)
    if sheet is None or not sheet.by_gm:
        raise UserError(f"No orders of a GM are on file for {row.name}.")
    before = _before(context, row)

    def restore() -> str:
        orders = before.orders if before is not None else ()
        filed = games.file_sheet(
            context.session, row, game.turn, context.row, orders, context.now, by_gm=True
        )
        restored = before.origin if before is not None else None
        games.amend(context.session, filed, orders, withdrawn=before is None, restores=restored)
        context.undoes[row.name] = f"ORDERS FOR {row.name}"
        text = f"The GM took back the orders for {row.name} for turn {game.turn}."
        notify_seat(context, row, f"{text} ORDERS shows what is on file.")
        what = f"The GM took back the orders for a seat, for turn {game.turn}."
        return announce_and_log(context, game, text, what)

    left = "nothing is on file"
    if before is not None:
        source = context.source_of(before.origin.letter_id)
        left = f"the {_counted(before.orders)} from {source} count again"
    says = f"The GM's orders for {row.name} are taken back, and {left} for turn {game.turn}."
    return Deed(says, restore)


def _unplayed(context: LetterContext, name: str) -> SeatRow:
    """Return the seat of that name.

    Raises UserError if somebody plays it, if the deadline has passed, or if the sender plays in the
    game.
    """
    game = require_outside_gm(context, *BEGUN, to="send orders for another seat")
    row = seat_called(game, name)
    if row.eliminated:
        raise UserError(f"{row.name} is eliminated from {game.name}, so it gets default orders.")
    if is_too_late(game, game.turn, context.row.arrived_at):
        raise UserError(f"The deadline of turn {game.turn} has passed.")
    if row.robot is not None:
        raise UserError(f"A robot plays {row.name} and makes its orders. VACATE {name} ends that.")
    if not vacancies.is_unplayed(context.session, row):
        raise UserError(
            f"{row.name} has a player, and only they send its orders. OPTION MISSED says after how "
            "many missed turns a seat is inactive."
        )
    return row


def _orders(context: LetterContext, command: FileOrders) -> tuple[str, ...]:
    """Return the orders of the block.

    Raises UserError if a line is not an order, or ends the game of the seat for good.
    """
    table = context.playing()
    lines = [Line(number, line) for number, line in enumerate(command.text.splitlines(), 1)]
    items = table.reader.read_lines(lines)
    for item in items:
        if isinstance(item, Unparsed):
            raise UserError(f"{item.text}: {item.reason} {item.advice}".strip())
        if item.leaves:
            raise UserError(
                f"{item.text}: only the player of a seat can leave the game for good. ELIMINATE "
                f"{command.seat.upper()} takes the seat out of the game."
            )
    orders = table.render([item.order for item in items if isinstance(item, Parsed)])
    if not orders:
        raise UserError(
            f"There are no orders for {command.seat.upper()}. Write them below this line, then END."
        )
    return tuple(orders)


def _before(context: LetterContext, row: SeatRow) -> Sheet | None:
    """Return the newest sheet of the seat's players for the current turn, or None."""
    revisions = games.revisions_of(context.session, row, row.game.turn)
    own = [sheet for sheet in revisions if not sheet.by_gm]
    return own[-1] if own and not own[-1].withdrawn else None


def _counted(orders: Sequence[str]) -> str:
    return counted(len(orders), "order")
