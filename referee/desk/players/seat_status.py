"""What is on file for a seat: its sheets, FINAL, standing orders and messages that wait."""

from collections.abc import Iterator

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders.gm_authority import BEGUN
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.standing_doubts import standing_doubts
from referee.desk.players.press import delivery
from referee.desk.reports.press_delivery import addressees
from referee.letters.outgoing.local_time import Moment
from referee.rules.wording import counted
from referee.store.games import games, press
from referee.store.models import SeatRow


def lines(context: LetterContext, row: SeatRow) -> Iterator[str]:
    """Yield the STATUS lines about what is on file for the seat; none before the game begins."""
    table = context.table
    if table is None or table.game.status not in BEGUN:
        return
    if row.eliminated:
        yield f"{row.name} is eliminated. You see what everyone can see, and need not send orders."
    else:
        yield from _orders(context, table, row)
    # A deputy does not see what the player wrote to others.
    if context.identity.deputy is None:
        yield from _messages(context, row)


def _orders(context: LetterContext, table: LoadedGame, row: SeatRow) -> Iterator[str]:
    """Yield what is on file for the seat: its sheets, FINAL and standing orders."""
    turn = table.game.turn
    sheet = games.sheet_of(context.session, row, turn)
    if sheet is not None:
        filed = Moment(sheet.origin.filed_at, context.zone)
        yield (
            f"Your orders for turn {turn}: {sheet_size(len(sheet.orders))}, from "
            f"{context.source_of(sheet.origin.letter_id)}. Filed on {filed}."
        )
    elif table.awaits(row):
        yield f"You still have to send orders for turn {turn}; nothing is on file."
    else:
        yield f"You do not have to send orders now; nothing is on file for turn {turn}."
    yield from final_lines(table, row)
    yield from coming_lines(context, row, turn)
    yield from _standing(row)
    if sheet is None and (doubts := standing_doubts(table, row).in_words):
        yield f"{doubts} ORDERS shows why."


def final_lines(table: LoadedGame, row: SeatRow) -> Iterator[str]:
    """Yield whether the seat has sent FINAL for the current turn, if that matters."""
    if row.final_turn == table.game.turn:
        yield "You have sent FINAL. WAIT takes it back."
    elif table.awaits(row):
        yield "You have not sent FINAL."


def coming_lines(context: LetterContext, row: SeatRow, turn: int) -> Iterator[str]:
    """Yield a line on each sheet for a turn after the current one, without that of *turn*."""
    for coming in games.coming_sheets(context.session, row, row.game.turn):
        if coming.turn != turn:
            source = context.source_of(coming.origin.letter_id)
            yield (
                f"On file for turn {coming.turn}: {sheet_size(len(coming.orders))}, from {source}. "
                f"ORDERS T{coming.turn} shows the sheet, "
                f"CLEAR T{coming.turn} removes it."
            )


def sheet_size(count: int) -> str:
    """Return how many orders a sheet has, in words."""
    return counted(count, "order") if count else "an empty sheet"


def _standing(row: SeatRow) -> Iterator[str]:
    count = len(row.standing)
    if not count:
        yield "You have no standing orders."
        return
    them = "it; it runs" if count == 1 else "them; they run"
    yield (
        f"You have {counted(count, 'standing order')}. STANDING shows {them} in a "
        "turn for which you send nothing."
    )


def _messages(context: LetterContext, row: SeatRow) -> Iterator[str]:
    """Yield the player's messages that wait for their delivery, and how to take them back."""
    for item in press.waiting(context.session, row):
        # A successor does not see what the player before wrote. The holder of this letter itself is
        # recorded at its end.
        if item.letter_id == context.row.id or item.letter.holder_id == row.person_id:
            receipt, whom = context.receipt_of(item.letter_id), addressees(row.game, item)
            verb = "comes" if item.due_at is None and not item.is_timed else "is delivered"
            when = f"{verb} {delivery(row.game, item, context.zone)}"
            yield (
                f"Your message to {whom} from #{receipt} {when}. CANCEL #{receipt} takes it back."
            )
