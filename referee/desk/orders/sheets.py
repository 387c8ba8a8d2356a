"""Order sheets: opened, changed line after line, filed once, and ruled on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders.rulings import Rulings, misreadings, rule, rule_later
from referee.domain.commands import Add, Cancel, Clear
from referee.domain.sheets import Change, Draft, Entry
from referee.letters.outgoing.notices import LineError
from referee.parsing.commands import COMMAND_WORDS
from referee.parsing.items import Parsed, Unparsed
from referee.rules.ruleset import Seat, UserError
from referee.store import Session
from referee.store.games import games, sheets, undo_log
from referee.store.games.games import OnFile
from referee.store.games.sheets import Revision
from referee.store.games.undo_log import UndoKind
from referee.store.models import Game, InboxLetter, SeatRow


@dataclass(slots=True)
class OpenSheet:
    """The sheet of a seat for one turn while a letter changes it.

    *before* is the sheet that counted, and *filed* the revision that this letter has made so far.
    """

    table: LoadedGame
    row: SeatRow
    letter: InboxLetter
    turn: int
    before: OnFile | None
    checking: bool = False
    """Whether nothing is filed, because the letter is a CHECK."""
    filed: Revision | None = None
    present: bool = False
    """Whether the letter shows that its player is there, even if he orders nothing."""
    draft: Draft = field(init=False)
    deed: int | None = None
    """The number of what is noted of it."""

    def __post_init__(self) -> None:
        """Begin with the orders that count."""
        self.draft = Draft(tuple(self.before.orders) if self.before is not None else ())

    @property
    def change(self) -> Change:
        """What the letter made of the sheet so far."""
        change = self.draft.change
        if change is Change.NONE and self.filed is not None and self.filed.restores is not None:
            return Change.RESTORED
        return change


@dataclass(frozen=True, slots=True)
class Filed:
    """A sheet after a letter: its orders and how they are ruled."""

    orders: tuple[Any, ...]
    rulings: Rulings
    faults: tuple[LineError, ...]
    """Refused and misread alike, in the sequence of the letter's lines."""


def is_too_late(game: Game, turn: int, arrived_at: datetime) -> bool:
    """Return whether orders for *turn* that reached us at *arrived_at* missed their deadline."""
    if turn < game.turn:
        return True
    if turn > game.turn or game.deadline_at is None:
        return False
    return arrived_at > game.deadline_at + timedelta(seconds=game.grace_seconds)


def open_sheet(
    session: Session, table: LoadedGame, row: SeatRow, letter: InboxLetter, turn: int
) -> OpenSheet:
    """Return the sheet of the seat for that turn, as it counts now, to be changed by the letter."""
    return OpenSheet(table, row, letter, turn, games.on_file(session, row, turn))


def put(sheet: OpenSheet, item: Parsed | Unparsed, *, believed: bool) -> None:
    """Put an order on the sheet; what could not be read as one harms nothing.

    It shows that the player is there if the letter is *believed*, for anybody can write his name.
    """
    if isinstance(item, Parsed):
        text = sheet.table.ruleset.render(item.order)
        sheet.draft.order(Entry(text, item.line, item.order))
    elif believed and not set(item.text.upper().split()[:1]) & COMMAND_WORDS:
        sheet.present = True


def change(sheet: OpenSheet, command: Add | Cancel | Clear) -> str:
    """Do ADD, CANCEL or CLEAR to the sheet, and say what it did. Raises UserError if it cannot."""
    match command:
        case Clear():
            count = sheet.draft.clear()
            return f"{_orders(count)} taken off the sheet." if count else "The sheet was empty."
        case Cancel(order):
            return _cancel(sheet, order)
        case Add():
            if not sheet.draft.add():
                raise UserError(
                    "The orders above it have replaced your sheet; ADD stands above the orders "
                    "that it adds. UNDO in another letter brings the sheet back that you had."
                )
            return ""


def _cancel(sheet: OpenSheet, text: str) -> str:
    read = sheet.table.reader.read(text)
    for item in read:
        if isinstance(item, Unparsed):
            raise UserError(f"{item.text}: {item.reason} {item.advice}".strip())
    texts = sheet.table.render([item.order for item in read if isinstance(item, Parsed)])
    missing = [text for text in texts if not sheet.draft.cancel(text)]
    if missing:
        raise UserError(f"{', '.join(missing)} is not on your sheet. ORDERS shows it.")
    return "Taken off the sheet."


def file(session: Session, sheet: OpenSheet, now: datetime) -> None:
    """File the sheet as the letter has left it so far, if it has changed it.

    Whatever a letter does to a sheet is one revision. Refused orders stay on it: the rules have
    the last word at the deadline. A sheet for a coming turn on which nothing is left is withdrawn.
    """
    if sheet.checking or (sheet.draft.change is Change.NONE and not _shows_presence(sheet)):
        return
    orders = sheet.draft.texts
    if sheet.filed is None:
        sheet.filed = sheets.file_sheet(session, sheet.row, sheet.turn, sheet.letter, orders, now)
    before = sheet.filed
    withdrawn = not orders and sheet.turn > sheet.table.game.turn
    # What it is already is not written again, for that would be stored again.
    if (before.orders, before.withdrawn, before.restores) != (orders, withdrawn, None):
        sheet.filed = sheets.amend(session, before, orders, withdrawn=withdrawn)
    if sheet.deed is None:
        sheet.deed = _note(session, sheet)
    elif sheet.filed is not before:
        undo_log.reword(session, sheet.deed, _called(sheet.filed))


def withdraw(session: Session, sheet: OpenSheet, now: datetime) -> str:
    """Do CLEAR T12: take the sheet of that turn off. Raises UserError when there is none."""
    if sheet.turn < sheet.table.game.turn:
        raise UserError(f"Turn {sheet.turn} has been resolved.")
    if sheet.before is None:
        raise UserError(f"Nothing is on file for turn {sheet.turn}.")
    sheet.draft.clear()
    file(session, sheet, now)
    receipt = sheet.before.receipt
    return f"Your sheet of receipt {receipt} for turn {sheet.turn} is withdrawn."


def ruled(sheet: OpenSheet, items: Iterable[Parsed | Unparsed]) -> Filed:
    """Rule on every order of the sheet as it stands, beside what was misread of *items*."""
    entries = sheet.table.with_orders(sheet.draft.entries)
    rulings = rule_sheet(sheet.table, sheet.row, entries, sheet.turn)
    # What an earlier letter had refused was answered then, and is not repeated for ever.
    refused = (fault for fault in rulings.faults if fault.line)
    faults = sorted((*refused, *misreadings(items)), key=lambda fault: fault.line)
    return Filed(tuple(entry.order for entry in entries), rulings, tuple(faults))


def rule_sheet(table: LoadedGame, row: SeatRow, entries: Sequence[Entry], turn: int) -> Rulings:
    """Rule on a sheet of the running turn; one for a coming turn is ruled on when it has come."""
    ruling = rule_later if turn > table.game.turn else rule
    return ruling(table.ruleset, table.state, Seat(row.number), entries)


def _shows_presence(sheet: OpenSheet) -> bool:
    """Return whether an empty sheet is filed, because who is there has not missed the turn.

    With standing orders it is not: it would only keep them from being carried out.
    """
    return sheet.present and sheet.before is None and not sheet.row.standing


def _note(session: Session, sheet: OpenSheet) -> int:
    assert sheet.filed is not None
    before = [sheet.before.number] if sheet.before is not None else []
    return undo_log.note(
        session,
        sheet.row,
        sheet.letter,
        UndoKind.SHEET,
        _called(sheet.filed),
        turn=sheet.turn,
        before=before,
        after=[sheet.filed.number],
    )


def _called(filed: Revision) -> str:
    if filed.withdrawn:
        return "sheet withdrawn"
    return f"sheet {filed.revision}: {_orders(len(filed.orders))}"


def _orders(count: int) -> str:
    return f"{count} order" + ("s" if count != 1 else "")
