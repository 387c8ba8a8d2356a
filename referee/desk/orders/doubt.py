"""Doubt: nothing on file is given up for an email whose orders may not be meant.

Every reason for doubt is here, and no other place keeps orders from being filed because of words.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from referee.desk.base.identity import Trust
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import OpenSheet, is_too_late, rule_sheet
from referee.domain.commands import Add, Cancel, Clear
from referee.domain.sheets import Entry
from referee.letters.outgoing.notices import LineError
from referee.parsing.body import Body
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import words_of
from referee.parsing.words import denies
from referee.rules.ruleset import UserError
from referee.rules.wording import counted

_OF_SHEETS: Final = frozenset({"ADD", "CANCEL", "CLEAR", "CHECK", "STANDING"})
"""The commands that say what becomes of the orders on file, or of those below."""
_MISTYPED: Final = 0.75
_REPEATED: Final = "below words, they only repeat a part of your sheet"


def question(context: LetterContext, body: Body) -> str:
    """Return the question before the orders of the letter replace those on file, or "".

    Nothing is asked if nothing can be lost: because no orders are on file, or because ADD, CANCEL
    or CLEAR above the orders says what becomes of them.
    """
    sheet = _endangered(context, body)
    if sheet is None or not (why := reason(context, body)):
        return ""
    orders = body.parsed
    them = "it" if len(orders) == 1 else "them"
    add = f" If you want {them} added to the sheet, reply ADD."
    return (
        f"We have not filed the {counted(len(orders), 'order')} of your email, because {why}, and "
        f"keep {_kept(sheet)}. If you want {them} instead, reply YES."
        f"{add * (sheet.before is not None and why != _REPEATED)} If not, do nothing."
    )


def warning(context: LetterContext, body: Body) -> str:
    """Return the doubt in a question about something else, as a sentence, or ""."""
    sheet = _endangered(context, body)
    if sheet is None or not (why := reason(context, body)):
        return ""
    return f"With a CONFIRM its orders replace {_kept(sheet)}, although {why}."


def reason(context: LetterContext, body: Body) -> str:
    """Return why the orders of the letter may not be meant, to follow "because", or ""."""
    orders = body.parsed
    if not orders or context.identity.trust is Trust.CONFIRMED:
        return ""
    if len(rejected(context, body)) == len(orders):
        return "it would be rejected" if len(orders) == 1 else "all of them would be rejected"
    return reason_in_words(context, body)


def reason_in_words(context: LetterContext, body: Body) -> str:
    """Return the doubt that the words of the letter cast on its orders, or ""."""
    orders, reading = body.parsed, context.reading
    is_edited = reading is not None and reading.edited is not None
    if not orders or is_edited or context.identity.trust is Trust.CONFIRMED:
        return ""
    unread = [item for item in body.sheet_lines if isinstance(item, Unparsed)]
    words = [item for item in unread if item.is_words]
    if any(item.line < orders[-1].line and denies(item.text) for item in unread):
        return "a line with a colon above denies or asks"
    if word := _unclear_command(context, body, orders):
        return f"{word} was not understood, or comes too late"
    missed = {item.line for item in unread if item.to_send or not item.is_words}
    if len(missed) > len({item.line for item in orders}):
        return "more lines with orders could not be read than could"
    if words and words[0].line < orders[0].line:
        if len(orders) == 1 and len(orders[0].text) == 1:
            return f"{orders[0].text} alone, below words, can be a signature"
        if _repeats_a_part(context, orders):
            return _REPEATED
    return ""


def rejected(context: LetterContext, body: Body) -> list[LineError]:
    """Return the orders of the letter that the rules reject now; none for a later turn.

    The rules are asked once for the same orders.
    """
    try:
        table, row, turn = context.table_for_orders(), context.seat(), context.turn_of_orders()
    except UserError:
        return []
    entries = [Entry(item.text, item.line, item.order) for item in body.parsed]
    typed = (turn, *((entry.text, entry.line) for entry in entries))
    if typed not in context.rejected:
        context.rejected[typed] = [*rule_sheet(table, row, entries, turn).faults]
    return context.rejected[typed]


def _endangered(context: LetterContext, body: Body) -> OpenSheet | None:
    """Return the sheet that the orders of the letter would replace, or None.

    It is on file, also without an order, or standing orders run in its place.
    """
    orders = body.parsed
    if not orders or any(item.line < orders[0].line for item in body.commanded(Add, Cancel, Clear)):
        return None
    try:
        sheet = context.sheet_of(context.turn_of_orders())
    except UserError:
        return None
    if is_too_late(sheet.table.game, sheet.turn, context.row.arrived_at):
        return None
    return sheet if sheet.before is not None or _runs_standing(sheet) else None


def _runs_standing(sheet: OpenSheet) -> bool:
    """Return whether standing orders run if no sheet is on file for the turn."""
    return bool(sheet.row.standing) and sheet.turn == sheet.table.game.turn


def _kept(sheet: OpenSheet) -> str:
    if sheet.before is None:
        return f"your {counted(len(sheet.row.standing), 'standing order')}"
    return f"your sheet for turn {sheet.turn} ({counted(len(sheet.before.orders), 'order')})"


def _unclear_command(context: LetterContext, body: Body, orders: Sequence[Parsed]) -> str:
    """Return a command about the sheet, if a line above the last order has its word, or ""."""
    for item in body.items:
        if item.line > orders[-1].line:
            break
        first, *others = words_of(getattr(item, "text", "").upper()) or [""]
        is_late = first == "ADD" and item.line > orders[0].line
        of_game = context.table is not None and context.table.reader.knows(first)
        named = [] if of_game else get_close_matches(first, _OF_SHEETS, n=1, cutoff=_MISTYPED)
        named += [word for word in others if word in _OF_SHEETS]
        if named and (is_late or isinstance(item, Unparsed)):
            return named[0]
    return ""


def _repeats_a_part(context: LetterContext, orders: Sequence[Parsed]) -> bool:
    sheet = context.sheet_of(context.turn_of_orders())
    filed = set(sheet.before.orders) if sheet.before is not None else set()
    return {sheet.table.ruleset.render(item.order) for item in orders} < filed
