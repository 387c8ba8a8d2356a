"""Order sheets: filed, ruled on, and answered line by line."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from referee.desk.ruling import Rulings, line_numbers, misreadings, rule, rule_later
from referee.desk.tables import Table
from referee.domain.sheets import Filing, revise
from referee.letters.notices import Fault
from referee.parsing.items import Misread, Understood
from referee.rules.ruleset import Seat
from referee.store import Session, games
from referee.store.models import Game, InboxLetter, SeatRow, Sheet


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a letter says of orders: good and bad ones as read, cancelled ones, and how to file."""

    items: Sequence[Understood | Misread]
    cancelled: Sequence[Understood]
    filing: Filing
    turn: int


@dataclass(frozen=True, slots=True)
class Filed:
    """A sheet after a letter: its orders and their rulings, and the sheet that counted before."""

    orders: tuple[Any, ...]
    rulings: Rulings
    faults: tuple[Fault, ...]
    """Refused and misread alike, in the sequence of the letter's lines."""
    replaced: Sheet | None


def is_too_late(game: Game, turn: int, arrived_at: datetime) -> bool:
    """Say whether orders for *turn* that reached us at *arrived_at* missed their deadline."""
    if turn < game.turn:
        return True
    if turn > game.turn or game.deadline_at is None:
        return False
    return arrived_at > game.deadline_at + timedelta(seconds=game.grace_seconds)


def submit(
    session: Session, table: Table, row: SeatRow, letter: InboxLetter, wishes: Wishes, now: datetime
) -> Filed:
    """File what the letter orders as the seat's new sheet and rule on every order of it.

    Bad lines are answered and left out; they never void good ones. A CHECK is ruled on and not
    filed. Refused orders stay on the sheet: the rules have the last word at the deadline.
    """
    replaced = games.sheet_of(session, row, wishes.turn)
    understood = [item for item in wishes.items if isinstance(item, Understood)]
    revision = revise(
        replaced.orders if replaced is not None else (),
        table.render([item.order for item in understood]),
        table.render([item.order for item in wishes.cancelled]),
        wishes.filing,
    )
    changes = bool(understood or wishes.cancelled) or wishes.filing is Filing.REPLACE
    # Who sent something has not missed the turn, even when none of it could be read.
    changes = changes or replaced is None
    if changes and wishes.filing is not Filing.CHECK:
        games.file_sheet(session, row, wishes.turn, letter, list(revision.orders), now)
    orders = table.read(revision.orders)
    rulings = rule_sheet(table, row, orders, understood, wishes.turn)
    unknown = tuple(
        _not_on_file(table, item)
        for item in wishes.cancelled
        if table.ruleset.render(item.order) in revision.unknown
    )
    # What an earlier letter had refused was answered then, and is not repeated for ever.
    refused = (fault for fault in rulings.faults if fault.line)
    faults = (*refused, *unknown, *misreadings(wishes.items))
    return Filed(orders, rulings, tuple(sorted(faults, key=lambda fault: fault.line)), replaced)


def rule_sheet(
    table: Table, row: SeatRow, orders: Sequence[Any], typed: Sequence[Understood], turn: int
) -> Rulings:
    """Rule on a sheet of the running turn; one for a coming turn is ruled on when it has come."""
    lines = line_numbers(table.ruleset, orders, typed)
    ruling = rule_later if turn > table.game.turn else rule
    return ruling(table.ruleset, table.state, Seat(row.number), orders, lines)


def declare_final(
    session: Session, table: Table, row: SeatRow, letter: InboxLetter, now: datetime
) -> str:
    """Note that the seat needs no more time; when all who owe orders say so, the turn is due.

    Without a sheet on file an empty one is filed: the player has not missed the turn.
    """
    if games.sheet_of(session, row, table.game.turn) is None:
        games.file_sheet(session, row, table.game.turn, letter, [], now)
    row.final_turn, row.wait_turn = table.game.turn, 0
    if any(waited_for(table)):
        return (
            "You are ready. The turn is resolved early when everybody says FINAL; "
            "until then you can still change your orders."
        )
    table.game.ready_at = now
    return "Everybody is ready: the turn is resolved now."


def waited_for(table: Table) -> list[SeatRow]:
    """Give the held seats that owe orders and have not said FINAL."""
    held = (row for row in table.game.seats if row.person is not None)
    owing = (row for row in held if row.number in table.awaiting)
    return [row for row in owing if row.final_turn != table.game.turn]


def declare_wait(table: Table, row: SeatRow) -> str:
    """Take a FINAL back: the turn is not resolved before its deadline."""
    row.final_turn, row.wait_turn, table.game.ready_at = 0, table.game.turn, None
    return "The turn waits for its deadline."


def _not_on_file(table: Table, item: Understood) -> Fault:
    text = table.ruleset.render(item.order)
    return Fault(item.line, f"CANCEL {text}", f"{text} is not on your sheet.", "ORDERS shows it.")
