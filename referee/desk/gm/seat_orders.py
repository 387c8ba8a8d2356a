"""ORDERS FOR: a GM files orders for a seat that nobody plays now, and takes them back."""

from collections.abc import Sequence

from referee.desk.games import vacancies
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    announce_and_log,
    notify_seat,
    refuse_player,
    require_gm,
    seat_called,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import is_too_late
from referee.desk.players.queries import ruled_lines
from referee.domain.gm_commands import FileOrders, TakeBackOrders
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import Line
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.games import games, sheets
from referee.store.models import SeatRow, Sheet


@command(FileOrders, "ORDERS FOR", For.GM, Effect.CONFIRMED, shown_in="gm_orders")
def file_orders(context: LetterContext, given: FileOrders) -> Deed:
    """ORDERS FOR, which UNDO undoes. The orders of the seat's player would replace them."""
    row = _unplayed(context, given.seat)
    orders, game = _orders(context, given), row.game

    def file() -> str:
        filed = sheets.file_sheet(
            context.session, row, game.turn, context.row, orders, context.now, by_gm=True
        )
        if tuple(filed.orders) != orders:
            sheets.amend(context.session, filed, orders, withdrawn=False)
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
    note = (
        f"All players read that a seat has orders of the GM. ORDERS FOR {row.name} UNDO undoes it."
    )
    ruled = ruled_lines(context.playing(), row, orders, game.turn)
    return Deed("\n".join((f"{head}. {note}", *ruled)), file)


@command(TakeBackOrders, "ORDERS FOR", For.GM, Effect.CONFIRMED, shown_in="gm_orders")
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
        filed = sheets.file_sheet(
            context.session, row, game.turn, context.row, orders, context.now, by_gm=True
        )
        restored = before.origin if before is not None else None
        sheets.amend(context.session, filed, orders, withdrawn=before is None, restores=restored)
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
    game = require_gm(context, *BEGUN)
    refuse_player(context, game, "send orders for another seat")
    row = seat_called(game, name)
    if row.eliminated:
        raise UserError(f"{row.name} is eliminated from {game.name}, so it gets default orders.")
    if is_too_late(game, game.turn, context.row.arrived_at):
        raise UserError(f"The deadline of turn {game.turn} has passed.")
    if row.robot is not None:
        raise UserError(f"A robot plays {row.name} and makes its orders. VACATE {name} ends that.")
    if not vacancies.is_unplayed(context.session, row):
        raise UserError(
            f"{row.name} has a player, and only they send its orders. MISSED says after how many "
            "missed turns a seat is inactive."
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
