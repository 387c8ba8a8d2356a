"""Items of a letter that need an order sheet, and their answer without one."""

from collections.abc import Iterator
from dataclasses import replace

from referee.desk.orders.rulings import misreadings
from referee.domain.commands import Cancel, Check, Clear
from referee.letters.outgoing.notices import LineError
from referee.parsing.body import Body
from referee.rules.ruleset import UserError


def is_about_sheet(body: Body) -> bool:
    """Return whether the letter has orders, lines not read, or a command about the sheet."""
    return bool(body.sheet_lines) or _changes_sheet(body)


def _changes_sheet(body: Body) -> bool:
    """Return whether a command of the letter is about the sheet."""
    cleared = any(item.command.turn is None for item in body.commanded(Clear))
    return cleared or body.has(Check, Cancel)


def without_sheet(body: Body, mistake: UserError) -> Iterator[LineError]:
    """Yield the lines that have no sheet, and why; words next to a command need none."""
    lines = misreadings(body.sheet_lines)
    wants_sheet = len(lines) < len(body.sheet_lines) or _changes_sheet(body)
    first = next((line for line in lines if not line.is_words), None)
    if first is not None and not wants_sheet:
        advice = f"{first.advice} {mistake}".strip()
        yield from (replace(line, advice=advice) if line is first else line for line in lines)
        return
    if wants_sheet or not body.commands:
        yield LineError(0, "", str(mistake))
    yield from lines
