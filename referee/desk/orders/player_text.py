"""Text of a player: what they typed, and the order sheet they edited in the quoted text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.letter_tokens import answered_letter
from referee.desk.base.loaded_games import LoadedGame
from referee.domain import tokens
from referee.domain.effort import Effort
from referee.domain.mail_transfer import Line
from referee.domain.sheets import source_of
from referee.letters.incoming.decode import text_in
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.sheet_edits import EditedSheet, EditState, edited, shows_sheet
from referee.parsing.body import Body, Heading, read_body
from referee.parsing.items import Parsed, Unparsed
from referee.store import Session
from referee.store.games import games
from referee.store.mail import inbox
from referee.store.mail.mail_queries import Quotable
from referee.store.models import SeatRow

_CHANGED: Final = "You edited the order sheet in the quoted text."
_NOTHING: Final = "It was not read. Type your orders above the quote."
_BROKEN: Final = (
    f"{_CHANGED} But it is not complete up to its last line, or not in the form we sent. {_NOTHING}"
)
_TWICE: Final = (
    f"{_CHANGED} But you also typed orders outside it. Those were read, and your edits in the "
    "quote were not."
)
_EMPTIED: Final = (
    f"{_CHANGED} No order is left in it, and that changed nothing. To empty the sheet, type CLEAR "
    "above the quote."
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed letter; *edited* is the quoted sheet that was read as the player's own.

    *remark* says why an edited sheet, which begins at *line*, was not read, or is "".
    """

    body: Body
    edited: EditedSheet | None = None
    remark: str = ""
    line: int = 0


def read(
    desk: Desk,
    table: LoadedGame | None,
    row: SeatRow | None,
    letter: Letter,
    own: OwnText,
    turn: int | None = None,
    *,
    by_gm: bool = False,
    effort: Effort,
) -> Reading:
    """Parse a letter about the loaded game, from the seat if we accept it as the player's.

    Its orders are for *turn*, or else for the current turn, unless its heading names another. One
    that is *by_gm* is for no seat, be there one or not.

    An unedited quoted order sheet is never read. An edited one is read as a whole, including lines
    typed unquoted inside it, unless the player's intention is in doubt.
    """
    if table is None:
        return Reading(read_body(own.lines, None, effort=effort))
    turn = table.game.turn if turn is None else turn
    about = Heading(table.game.name, row.name if row is not None else "", turn, by_gm=by_gm)
    typed = read_body(own.lines, table.reader, about, effort)
    answered = _answered(desk, row, letter) if row is not None else None
    if row is None or answered is None:
        return Reading(typed)
    seal = tokens.seal(answered.message_id, desk.site.key)
    found = edited(letter.text, text_in(answered.raw), seal, own.blocks)
    if found is None:
        return Reading(typed)
    outside = [line for line in own.lines if not found.first <= line.number <= found.last]
    has_orders = _has_orders(table, found.lines)
    if not has_orders:
        remark = _without_orders(table, found)
    elif found.editing is EditState.BROKEN:
        remark = _BROKEN
    elif _has_orders(table, outside):
        remark = _TWICE
    else:
        remark = _other_sheet(desk.session, row, found, answered, typed.heading)
    if remark or not has_orders:
        return Reading(typed, remark=remark, line=found.first)
    lines = sorted((*outside, *found.lines), key=lambda line: line.number)
    about = replace(about, turn=found.turn)
    return Reading(read_body(lines, table.reader, about, effort), edited=found)


def _answered(desk: Desk, row: SeatRow, letter: Letter) -> Quotable | None:
    """Return the letter of ours to this seat whose order sheet the letter quotes, or None."""
    shown = shows_sheet(letter.text)
    found = answered_letter(desk.session, letter, desk.site.key) if shown else None
    if found is None or (found.game_id, found.seat_number) != (row.game_id, row.number):
        return None
    return found


def _other_sheet(
    session: Session, row: SeatRow, found: EditedSheet, answered: Quotable, heading: Heading | None
) -> str:
    """Return that an edited sheet is not the one that the letter can mean now, or ""."""
    if heading is not None and heading.turn not in (None, found.turn):
        return f"{_CHANGED} It is for turn {found.turn}, but your heading names another. {_NOTHING}"
    later = [
        sheet
        for sheet in games.revisions_of(session, row, found.turn)
        if sheet.filed_at > answered.created_at or sheet.letter_id > (answered.answers_id or 0)
    ]
    if not (found.filed and later):
        return ""
    changed = source_of(inbox.receipt_of(session, later[-1].letter_id))
    return (
        f"{_CHANGED} But it is no longer the one on file: {changed} has changed it since. "
        f"{_NOTHING}"
    )


def _without_orders(table: LoadedGame, found: EditedSheet) -> str:
    """Return why a sheet without an order could not be read, or "" if nothing was written there."""
    if found.filed and found.editing is EditState.CHANGED:
        return _EMPTIED
    read = () if found.editing is EditState.BROKEN else found.lines
    for item in read_body(read, table.reader).orders:
        if isinstance(item, Unparsed):
            wrong = f'"{item.text}": {item.reason} {item.advice}'.strip()
            return f"{_CHANGED} No order could be read in it. {wrong}"
    return ""


def is_order(table: LoadedGame, text: str) -> bool:
    """Return whether the text is an order of the game."""
    return _has_orders(table, [Line(1, text)])


def _has_orders(table: LoadedGame, lines: Sequence[Line]) -> bool:
    body = read_body(lines, table.reader)
    return any(isinstance(item, Parsed) for item in body.orders)
