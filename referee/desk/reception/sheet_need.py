"""What of a letter needs an order sheet, and its answer if there is none."""

from collections.abc import Iterator

from referee.desk.orders.rulings import misreadings
from referee.domain.commands import Cancel, Check, Clear
from referee.letters.outgoing.notices import LineError
from referee.parsing.body import Body
from referee.parsing.items import Parsed, Unparsed
from referee.rules.ruleset import UserError


def is_about_sheet(body: Body) -> bool:
    """Return whether the letter has orders, lines not read, or a command about the sheet."""
    return bool(body.sheet_lines) or _changes_sheet(body)


def _changes_sheet(body: Body) -> bool:
    """Return whether a command of the letter is about the sheet."""
    cleared = any(item.command.turn is None for item in body.commanded(Clear))
    return cleared or body.has(Check, Cancel)


def without_sheet(body: Body, mistake: UserError) -> Iterator[LineError]:
    """Yield why no sheet is open, and what was not read; a signature below a command needs none."""
    lines = body.sheet_lines
    if len(lines) == len(body.items) or _asks_for_sheet(body):
        yield LineError(0, "", str(mistake))
    yield from misreadings(lines)


def _asks_for_sheet(body: Body) -> bool:
    """Return whether the letter has orders or what may be meant as one, or changes a sheet."""
    if any(isinstance(item, Parsed) for item in body.sheet_lines) or _changes_sheet(body):
        return True
    unread = (item for item in body.sheet_lines if isinstance(item, Unparsed))
    return any(item.is_like_order or not item.is_remark for item in unread)
