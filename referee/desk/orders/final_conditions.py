"""Conditions of FINAL: every order of its letter is on file, and every line is read or words."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from referee.desk.orders import doubt, readiness, sheets
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import OpenSheet
from referee.desk.orders.words import SAY_FINAL
from referee.domain import commands
from referee.letters.outgoing.notices import LineError
from referee.parsing.body import Body, DiaryBlock, Item, ParsedCommand, PressBlock
from referee.parsing.items import Unparsed
from referee.rules.wording import listed
from referee.store.models import GameStatus

_NOT_DONE: Final = "a part of this email was not done"
_MOST_NAMED: Final = 3
"""The most orders that a refusal names."""
_MOST_SHOWN: Final = 40
"""The most characters of each."""
_TAKEN_BACK: Final = "FINAL was not carried out, and your earlier FINAL is taken back."
_STILL_FINAL: Final = "Your earlier FINAL is still in effect. WAIT takes it back."


def with_final_last(body: Body) -> tuple[list[Item], list[Item]]:
    """Return the items to carry out first, and those that wait: FINAL, and a WAIT below it.

    FINAL counts only if all the rest was done, wherever it is in the letter.
    """
    first: list[Item] = []
    last: list[Item] = []
    for item in body.items:
        command = item.command if isinstance(item, ParsedCommand) else None
        waits = isinstance(command, commands.Final) or (last and isinstance(command, commands.Wait))
        (last if waits else first).append(item)
    return first, last


def put_aside(
    context: LetterContext, body: Body, faults: Sequence[LineError], early: datetime | None
) -> None:
    """Refuse each FINAL of the letter if a line was not read, or an order was rejected.

    Call it when all the rest of the letter is carried out. A message, or a command that is not for
    the sheet, does not matter if it was read but could not be done. *early* is when the turn ended
    early before the letter: then its new orders take back an earlier FINAL.
    """
    finals = body.commanded(commands.Final)
    row, table = context.identity.seat, context.table
    if not finals or row is None or table is None or context.checking:
        return
    if table.game.status is GameStatus.ENDED:
        return
    rejected = _rejected(context.sheet) if context.sheet is not None else ()
    unfiled = _unfiled(context.sheet, body, table.game.turn)
    why = _obstacle(body, faults, rejected, unfiled) or doubt.reason_in_words(context, body)
    if why:
        context.file_sheet()
        if readiness.take_back_final(context, early):
            context.final_taken_back = _TAKEN_BACK
        refusal = _refusal(why, is_final=row.final_turn == table.game.turn)
        context.refused = {**context.refused, **{item.line: refusal for item in finals}}
        context.final_aside = True


def preview(body: Body, rejected: Sequence[LineError], *, refused: bool) -> str:
    """Return why a FINAL of the letter would be put aside, or "".

    *rejected* are its orders that the rules reject. *refused* means that its orders, or its
    standing orders, cannot be filed at all.
    """
    why = _obstacle(body, (), rejected, _NOT_DONE if refused else "")
    return _refusal(why, is_final=False) if why else ""


def _refusal(why: str, *, is_final: bool) -> str:
    return f"Not carried out, because {why}. {_STILL_FINAL if is_final else SAY_FINAL}"


def _obstacle(
    body: Body, faults: Sequence[LineError], rejected: Sequence[LineError], unfiled: str
) -> str:
    """Return the first lines of the letter that are not done, in words, or "".

    *unfiled* says why none of its orders is on file for the turn of FINAL.
    """
    unread = (item for item in body.orders if isinstance(item, Unparsed))
    mistakes: list[LineError | Unparsed] = [item for item in unread if not _is_words(item)]
    apart = {item.line for item in body.items if _is_apart(item)}
    if undone := mistakes or [fault for fault in faults if fault.line not in apart]:
        return _named_as(undone, "not done")
    return unfiled or (_named_as(rejected, "rejected") if rejected else "")


def _is_apart(item: Item) -> bool:
    """Return whether an item is a message, a diary entry, or a command not for the sheet."""
    if isinstance(item, ParsedCommand):
        return not isinstance(item.command, commands.Add | commands.Cancel | commands.Clear)
    return isinstance(item, PressBlock | DiaryBlock)


def _is_words(item: Unparsed) -> bool:
    return item.is_words and not (item.is_command or item.to_send)


def _unfiled(sheet: OpenSheet | None, body: Body, turn: int) -> str:
    if sheet is None:
        return _NOT_DONE if body.sheet_lines else ""
    if sheet.turn <= turn:
        return ""
    return f"the orders of this email are for turn {sheet.turn} and it is turn {turn}"


def _named_as(parts: Sequence[LineError | Unparsed], what: str) -> str:
    """Return the parts not done, with their words: ``W7B5X and F60W were rejected``."""
    lines = [part.text.split("\n", 1)[0].rstrip(".") or f"line {part.line}" for part in parts]
    shown = [f"{line[:_MOST_SHOWN]}..." if len(line) > _MOST_SHOWN else line for line in lines]
    left = len(shown) - _MOST_NAMED
    named = listed([*shown[:_MOST_NAMED], *([f"{left} more"] if left > 0 else [])])
    return f"{named} {'was' if len(shown) == 1 else 'were'} {what}"


def _rejected(sheet: OpenSheet) -> list[LineError]:
    """Return the rejected orders of the letter itself."""
    entries = sheet.table.with_orders(sheet.draft.entries)
    rulings = sheets.rule_sheet(sheet.table, sheet.row, entries, sheet.turn)
    return [fault for fault in rulings.faults if fault.line]
