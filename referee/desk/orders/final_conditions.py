"""Conditions of FINAL: a line of its own, nothing rejected, and no words but those that close."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders import doubt, readiness, sheets
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import OpenSheet
from referee.domain import commands
from referee.letters.outgoing.notices import LineError
from referee.parsing.advice import NOT_READ
from referee.parsing.body import Body, DiaryBlock, Item, ParsedCommand, PressBlock
from referee.parsing.items import Parsed, Unparsed
from referee.rules.wording import listed
from referee.store.models import GameStatus

_WORD: Final = "FINAL"
_OWN_LINE: Final = "FINAL goes on a line of its own."
_SAY: Final = "To say it, send an email with only FINAL."
_NOT_DONE: Final = "a part of this email was not done"
_MOST_NAMED: Final = 3
"""The most orders that a refusal names."""
_MOST_SHOWN: Final = 40
"""The most characters of each."""
_TAKEN_BACK: Final = "FINAL was not carried out, and your earlier FINAL is taken back."
_STILL_FINAL: Final = "Your earlier FINAL is still in effect. WAIT takes it back."


def with_named(body: Body) -> Body:
    """Return the body with a FINAL behind an order as a mistyped command, so that it is answered.

    If FINAL is also on a line of its own, the word elsewhere is not meant as the command.
    """
    if body.has(commands.Final):
        return body
    items = tuple(named for item in body.items for named in _named(item))
    return body if items == body.items else replace(body, items=items)


def _named(item: Item) -> Iterator[Item]:
    match item:
        case Parsed() if " " in item.text and item.text.upper().endswith(f" {_WORD}"):
            reason = f"{_WORD} was read as a part of this order. {_OWN_LINE}"
            yield item
            yield Unparsed(item.text, item.line, item.column, reason, _SAY, is_command=True)
        case Unparsed() if not item.is_command and _is_meant(item):
            rest = item.advice[item.advice.find(NOT_READ) :] if NOT_READ in item.advice else ""
            advice = f"{_SAY} {rest}".rstrip()
            yield item._replace(reason=_OWN_LINE, advice=advice, is_command=True, is_words=False)
        case _:
            yield item


def _is_meant(item: Unparsed) -> bool:
    """Return whether the words are FINAL, or others that begin or end with it, in capitals."""
    words = [word.strip(".,;:!") for word in item.text.split()] or [""]
    if len(words) == 1:
        return words[0].upper() == _WORD
    return item.is_words and _WORD in (words[0], words[-1])


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

    Call it when all the rest of the letter is carried out. A command or message that was read but
    could not be done does not matter. *early* is when the turn ended early before the letter: then
    its new orders take back an earlier FINAL.
    """
    finals = body.commanded(commands.Final)
    row, table = context.identity.seat, context.table
    if not finals or row is None or table is None or context.checking:
        return
    if table.game.status is GameStatus.ENDED:
        return
    if why := _obstacle_in(body) or _obstacle(context, table, body, faults):
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
    why = _obstacle_in(body) or (_NOT_DONE if refused else "")
    if rejected and not why:
        why = _named_as(rejected, "rejected")
    return _refusal(why, is_final=False) if why else ""


def _refusal(why: str, *, is_final: bool) -> str:
    return f"Not carried out, because {why}. {_STILL_FINAL if is_final else _SAY}"


def _obstacle_in(body: Body) -> str:
    parts = [item for item in body.orders if isinstance(item, Unparsed) and not _is_words(item)]
    return _named_as(parts, "not done") if parts else ""


def _is_words(item: Unparsed) -> bool:
    return item.is_words and not (item.is_command or item.to_send)


def _obstacle(
    context: LetterContext, table: LoadedGame, body: Body, faults: Sequence[LineError]
) -> str:
    sheet = context.sheet
    apart = ParsedCommand | PressBlock | DiaryBlock
    others = {item.line for item in body.items if isinstance(item, apart)}
    if parts := [fault for fault in faults if fault.line not in others]:
        return _named_as(parts, "not done")
    if body.sheet_lines and sheet is None:
        return _NOT_DONE
    if sheet is not None and sheet.turn > table.game.turn:
        return (
            f"the orders of this email are for turn {sheet.turn} and it is turn {table.game.turn}"
        )
    if sheet is not None and (parts := _rejected(sheet)):
        return _named_as(parts, "rejected")
    return doubt.reason_in_words(context, body)


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
