"""Order sheets: opened, changed line by line, filed once per letter, and ruled on."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.outbox_writer import both_ways
from referee.domain.commands import Add, Cancel, Clear
from referee.domain.deadlines import closing
from referee.domain.effort import MOST_ADVISED
from referee.domain.sheets import Change, Draft, Entry, source_of
from referee.letters.outgoing.notices import Checked, LineError, RuledOrder
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.schedules import read_schedule
from referee.rules.ruleset import Ruling, RulingKind, Seat, UserError
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games, undo_log
from referee.store.games.games import OnFile, Revision
from referee.store.games.undo_log import UndoKind
from referee.store.models import Game, GameStatus, InboxLetter, SeatRow

TWICE: Final = "This order is on the sheet twice."
_SUMMED: Final = f"An answer explains the first {MOST_ADVISED} lines that were not read."
_MOST_SHOWN: Final = 40
"""The most characters of the first of many lines that are not named."""


@dataclass(slots=True)
class OpenSheet:
    """The sheet of a seat for one turn while a letter changes it.

    *before* is the sheet that was on file, and *filed* the revision this letter has made so far.
    """

    table: LoadedGame
    row: SeatRow
    letter: InboxLetter
    turn: int
    before: OnFile | None
    checking: bool = False
    """Whether nothing is filed, because the letter is a CHECK."""
    filed: Revision | None = None
    is_final: bool = False
    """Whether FINAL files the sheet, even if it has no orders."""
    draft: Draft = field(init=False)
    undo_entry: int | None = None
    """The number of its entry in the undo log."""

    def __post_init__(self) -> None:
        """Start with the orders on file."""
        self.draft = Draft(tuple(self.before.orders) if self.before is not None else ())

    @property
    def change(self) -> Change:
        """How the letter has changed the sheet so far."""
        change = self.draft.change
        if change is Change.NONE and self.filed is not None and self.filed.restores is not None:
            return Change.RESTORED
        return change


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings on the *orders* of a sheet, and what it leaves without orders."""

    orders: tuple[Any, ...]
    accepted: tuple[RuledOrder, ...]
    warned: tuple[RuledOrder, ...]
    faults: tuple[LineError, ...]
    """Rejected orders and unparsed lines, in the sequence of the letter's lines."""
    unused: tuple[str, ...]


def is_too_late(game: Game, turn: int, arrived_at: datetime) -> bool:
    """Return whether orders for *turn* that reached us at *arrived_at* missed their deadline.

    A game on hold has no deadline, so none for its current turn did.
    """
    if turn < game.turn:
        return True
    if turn > game.turn or game.closes_at is None or game.status is GameStatus.HELD:
        return False
    return arrived_at > game.closes_at


def closing_of(game: Game, due: datetime) -> datetime:
    """Return until when a turn of the game that is *due* takes orders, with the present grace."""
    return closing(read_schedule(game.schedule), due, timedelta(seconds=game.grace_seconds))


def came_in_time(session: Session, game: Game, turn: int, arrived_at: datetime) -> bool:
    """Return whether a letter came while *turn*, which is resolved now, still took orders."""
    if not 0 < turn < game.turn:
        return False
    row = games.turn_of(session, game, turn)
    if row.resolved_at is None or arrived_at > row.resolved_at:
        return False
    return row.deadline_at is None or arrived_at <= closing_of(game, row.deadline_at)


def open_sheet(
    session: Session, table: LoadedGame, row: SeatRow, letter: InboxLetter, turn: int
) -> OpenSheet:
    """Return the seat's sheet for that turn, as on file now, ready to be changed by the letter."""
    return OpenSheet(table, row, letter, turn, games.on_file(session, row, turn))


def put(sheet: OpenSheet, item: Parsed) -> None:
    """Put an order on the sheet."""
    text = sheet.table.ruleset.render(item.order)
    sheet.draft.order(Entry(text, item.line, item.order))


def change(sheet: OpenSheet, command: Add | Cancel | Clear) -> str:
    """Apply ADD, CANCEL or CLEAR, and return what it did. Raises UserError if it cannot be done."""
    match command:
        case Clear():
            count = sheet.draft.clear()
            orders = counted(count, "order")
            if sheet.checking and count:
                return f"Without CHECK, {orders} would be removed from the sheet."
            return f"{orders} removed from the sheet." if count else "The sheet was empty."
        case Cancel(order):
            return _cancel(sheet, order)
        case Add():
            if not sheet.draft.add():
                raise UserError(
                    "The orders above it have replaced your sheet. Write ADD above the orders "
                    "that it adds. UNDO in another email brings the old sheet back."
                )
            return ""


def _cancel(sheet: OpenSheet, text: str) -> str:
    sheet.draft.reduce()
    read = sheet.table.reader.read(text)
    for item in read:
        if isinstance(item, Unparsed):
            raise UserError(f"{item.text}: {item.reason} {item.advice}".strip())
    texts = sheet.table.render([item.order for item in read if isinstance(item, Parsed)])
    missing = [text for text in texts if not sheet.draft.cancel(text)]
    if missing:
        are = "is" if len(missing) == 1 else "are"
        raise UserError(f"{', '.join(missing)} {are} not on your sheet. ORDERS shows the sheet.")
    done = "Removed from the sheet."
    if sheet.checking:
        done = "Without CHECK, it would be removed from the sheet."
    return " ".join((done, *_copies_left(sheet.draft, texts)))


def _copies_left(draft: Draft, texts: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each cancelled order that the sheet still has."""
    count = Counter(draft.texts)
    for text in dict.fromkeys(texts):
        order = text.splitlines()[0]
        if count[text] == 1:
            yield f"{order} is on the sheet once more; another CANCEL removes it."
        elif count[text]:
            yield f"{order} is on the sheet {count[text]} more times; each CANCEL removes one."


def file(session: Session, sheet: OpenSheet, now: datetime) -> None:
    """File the sheet as the letter has left it so far, if the letter has changed it.

    All changes of one letter are one revision. Rejected orders stay on the sheet, because the rules
    decide at the deadline. An empty sheet for a future turn is withdrawn.
    """
    if sheet.checking or (sheet.draft.change is Change.NONE and not _is_final_without_sheet(sheet)):
        return
    orders = sheet.draft.texts
    if sheet.filed is None:
        sheet.filed = games.file_sheet(session, sheet.row, sheet.turn, sheet.letter, orders, now)
    before = sheet.filed
    withdrawn = not orders and sheet.turn > sheet.table.game.turn
    # An unchanged revision is not written again.
    if (before.orders, before.withdrawn, before.restores) != (orders, withdrawn, None):
        sheet.filed = games.amend(session, before, orders, withdrawn=withdrawn)
    if sheet.undo_entry is None:
        sheet.undo_entry = _note(session, sheet)
    elif sheet.filed is not before:
        undo_log.reword(session, sheet.undo_entry, _called(sheet.filed))


def withdraw(session: Session, sheet: OpenSheet, now: datetime) -> str:
    """Handle CLEAR T12: withdraw the sheet of that turn. Raises UserError if there is none."""
    if sheet.turn < sheet.table.game.turn:
        raise UserError(f"Turn {sheet.turn} has been resolved.")
    if sheet.before is None:
        raise UserError(f"Nothing is on file for turn {sheet.turn}.")
    sheet.draft.clear()
    file(session, sheet, now)
    source = source_of(sheet.before.receipt)
    return f"Your sheet for turn {sheet.turn}, from {source}, is removed."


def ruled(sheet: OpenSheet, items: Iterable[Parsed | Unparsed]) -> Rulings:
    """Rule on every order of the sheet, and add the *items* that could not be read."""
    entries = sheet.table.with_orders(sheet.draft.entries)
    return rule_sheet(sheet.table, sheet.row, entries, sheet.turn, items)


def rule_sheet(
    table: LoadedGame,
    row: SeatRow,
    entries: Sequence[Entry],
    turn: int,
    items: Iterable[Parsed | Unparsed] = (),
) -> Rulings:
    """Rule on a sheet for a turn, and add the *items* that could not be read."""
    ruleset, state, seat = table.ruleset, table.state, Seat(row.number)
    orders = tuple(entry.order for entry in entries)
    ruled = _ruled(table, row, entries, turn)
    unused = tuple(ruleset.unused(state, seat, orders)) if turn <= table.game.turn else ()
    accepted: list[RuledOrder] = []
    warned: list[RuledOrder] = []
    faults: list[LineError] = []
    for entry, ruling in ruled:
        if ruling.kind is RulingKind.REJECTED:
            faults.append(_fault(entry, ruling))
            continue
        meaning = ruleset.explain(state, seat, entry.order)
        kept = accepted if ruling.kind is RulingKind.ACCEPTED else warned
        kept.append(RuledOrder(entry.line, entry.text, meaning, ruling.reason))
    wrong = sorted((*faults, *misreadings(items)), key=lambda fault: fault.line)
    return Rulings(orders, tuple(accepted), tuple(warned), tuple(wrong), unused)


def rejected(
    table: LoadedGame, row: SeatRow, entries: Sequence[Entry], turn: int
) -> list[LineError]:
    """Return the orders of a sheet that the rules reject now; none of a future turn."""
    ruled = _ruled(table, row, entries, turn)
    return [_fault(*each) for each in ruled if each[1].kind is RulingKind.REJECTED]


def _is_final_without_sheet(sheet: OpenSheet) -> bool:
    """Return whether FINAL files an empty sheet, because none is on file.

    With standing orders none is filed: an empty sheet would keep them from running.
    """
    return sheet.is_final and sheet.before is None and not sheet.row.standing


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
        return "sheet removed"
    return f"sheet {filed.revision}: {counted(len(filed.orders), 'order')}"


def _ruled(
    table: LoadedGame, row: SeatRow, entries: Sequence[Entry], turn: int
) -> Iterable[tuple[Entry, Ruling]]:
    """Return the entries with their rulings; those of a future turn are accepted for now."""
    if turn > table.game.turn:
        return [(entry, Ruling(RulingKind.ACCEPTED)) for entry in entries]
    orders = [entry.order for entry in entries]
    rulings = table.ruleset.validate(table.state, Seat(row.number), orders)
    return zip(entries, _naming_repeats(orders, rulings), strict=True)


def _naming_repeats(orders: Sequence[Any], rulings: Sequence[Ruling]) -> Iterator[Ruling]:
    """Yield the rulings on *orders*; a rejected one says so if it repeats one that is possible."""
    possible: list[Any] = []
    for order, ruling in zip(orders, rulings, strict=True):
        if ruling.kind is not RulingKind.REJECTED:
            possible.append(order)
        elif order in possible:
            ruling = replace(ruling, reason=f"{TWICE} {ruling.reason}")
        yield ruling


def misreadings(items: Iterable[Parsed | Unparsed]) -> tuple[LineError, ...]:
    """Return the words that could not be read, as they are answered.

    The first ones are named, and one answer sums up all others: of words, and of other lines.
    """
    unread = [item for item in items if isinstance(item, Unparsed)]
    named, rest = unread[:MOST_ADVISED], unread[MOST_ADVISED:]
    stops = [item for item in rest if item.lost]
    words = [item for item in rest if item.is_words]
    others = [item for item in rest if not (item.is_words or item.lost)]
    sums = (_sum_of(each) for each in (words, others) if each)
    return (*map(_misread, named), *sums, *map(_misread, stops))


def _misread(item: Unparsed) -> LineError:
    return LineError(
        item.line,
        item.text,
        item.reason,
        item.advice,
        item.at,
        item.is_words,
        item.to_send,
        others=item.others,
        lost=item.lost,
    )


def _sum_of(items: Sequence[Unparsed]) -> LineError:
    """Return the answer to lines that are not named, in the words of the first."""
    first = _misread(items[0])
    if len(items) == 1:
        return first
    text = f"{first.text[:_MOST_SHOWN]} (and {counted(len(items) - 1, 'more line')})"
    return replace(first, text=text, advice=_SUMMED, at=0, others=len(items))


def _fault(entry: Entry, ruling: Ruling) -> LineError:
    repeats = ruling.reason.startswith(TWICE)
    return LineError(entry.line, entry.text, ruling.reason, filed=True, repeats=repeats)


def check(table: LoadedGame, row: SeatRow, text: str) -> Checked:
    """Rule on an order text as an acknowledgement would, without filing anything."""
    ruleset, items = table.ruleset, table.reader.read(text)
    entries = [
        Entry(ruleset.render(item.order), item.line, item.order)
        for item in items
        if isinstance(item, Parsed)
    ]
    rulings = rule_sheet(table, row, entries, table.game.turn, items)
    forecast = both_ways(ruleset.forecast(table.state, Seat(row.number), rulings.orders))
    return Checked(rulings.accepted, rulings.warned, rulings.faults, rulings.unused, forecast)
