"""What a GM may look at: sheets, reports, the audit log, letters in quarantine, the whole game."""

from collections.abc import Iterator
from dataclasses import replace

from referee.desk.base import loaded_games
from referee.desk.base.outbox_writer import Slip, mailbox, post
from referee.desk.games import export as exporting
from referee.desk.orders.gm_authority import (
    BEGUN,
    mastered,
    noted_quietly,
    overseen,
    plays,
    seat_called,
)
from referee.desk.orders.letter_context import Visit
from referee.desk.players import queries
from referee.domain.gm_commands import (
    Export,
    Resend,
    ShowAudit,
    ShowQuarantine,
    ShowReportOf,
    ShowSheets,
)
from referee.letters.incoming.decode import decode
from referee.letters.outgoing.attachments import Enclosure
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Dossier
from referee.reports.text import text
from referee.rules.ruleset import Mistake, Seat
from referee.store.games import audit, games
from referee.store.mail import inbox, mail_queries
from referee.store.models import Game, GameStatus, InboxLetter, InboxState, SeatRow

_EVERY = tuple(GameStatus)
_PLAYED = (*BEGUN, GameStatus.ENDED)
_ENTRIES = 100
_LETTERS = 200


def sheets(visit: Visit, _command: ShowSheets) -> str:
    """SHEETS: a GM who plays himself is told who has sent orders, and not which."""
    game = mastered(visit, *BEGUN)
    blind = plays(game, visit.identity.person)
    lines = [line for row in game.seats for line in _sheet(visit, row, blind=blind)]
    for refusal in mail_queries.refusals(visit.session, game, game.turn):
        lines.append(f"Came too late: receipt {refusal.answers_id}. ACCEPT LATE lets it count.")
    if blind:
        lines.append("You play yourself, so what the orders are is not shown.")
    return "\n".join([f"Turn {game.turn}:", *lines])


def report_of(visit: Visit, command: ShowReportOf) -> str:
    """REPORT OF: it is a letter of its own."""
    game = overseen(visit, *_PLAYED)
    row = seat_called(game, command.seat)
    turn = game.turn if command.turn is None else command.turn
    title = f"the report of turn {turn} of {row.name}"
    enclose(visit, Dossier(game.name, title, _report(visit, row, turn)))
    return ""


def audit_log(visit: Visit, _command: ShowAudit) -> str:
    """AUDIT: what was done, by whom and when, the last entries."""
    game = mastered(visit, *_EVERY)
    entries = audit.newest(visit.session, game, _ENTRIES)
    lines = [f"{entry.at:%Y-%m-%d %H:%M} UTC  {entry.who}: {entry.what}" for entry in entries]
    return "\n".join(lines or ["Nothing was done to the game so far.", ""])


def export(visit: Visit, _command: Export) -> str:
    """EXPORT: the state and the orders come as files."""
    game = overseen(visit, *_PLAYED)
    enclose(visit, exporting.dossier(game), exporting.files(visit.session, visit.site, game))
    return ""


def quarantine(visit: Visit, _command: ShowQuarantine) -> str:
    """QUARANTINE: which letters, never what is in them; the operator can release them."""
    game = mastered(visit, *_EVERY)
    lines = list(_quarantined(visit, game))
    if not lines:
        return "No letter of this game lies in quarantine."
    return "\n".join([*lines, "The operator can have them read again, by their receipts."])


def preview_resend(visit: Visit, command: Resend) -> str:
    """RESEND sends a letter, which nobody can take back."""
    row, turn = _resent(visit, command)
    return f"The report of turn {turn} is mailed to {row.name} again."


def resend(visit: Visit, command: Resend) -> str:
    """RESEND."""
    row, turn = _resent(visit, command)
    assert row.person is not None
    notice = queries.old_report(visit.session, row, turn)
    serial = f"resent{visit.row.id}x{row.number}x{turn}"
    slip = Slip(mailbox(row.person), serial, game=row.game, seat=row, turn=row.game.turn)
    post(visit.desk, notice, slip)
    what = f"The report of turn {turn} was mailed to {row.name} again."
    return noted_quietly(visit, row.game, what, what)


def enclose(visit: Visit, notice: Dossier, files: tuple[Enclosure, ...] = ()) -> None:
    """Answer the GM, at his address of record, with a letter of its own."""
    assert visit.identity.person is not None
    slip = visit.slip(f"dossier{len(visit.letters)}x")
    slip = replace(slip, to=mailbox(visit.identity.person), files=files)
    visit.letters.append((notice, slip))


def _sheet(visit: Visit, row: SeatRow, *, blind: bool) -> Iterator[str]:
    sheet = games.sheet_of(visit.session, row, row.game.turn)
    if row.eliminated:
        yield f"{row.name}: out of the game."
    elif row.person is None:
        yield f"{row.name}: vacant."
    elif sheet is None:
        standing = ", standing orders run" if row.standing else ""
        yield f"{row.name}: nothing on file{standing}."
    else:
        final = ", final" if row.final_turn == row.game.turn else ""
        count = len(sheet.orders)
        orders = f"{count} order" + ("s" if count != 1 else "")
        yield f"{row.name}: {orders}, receipt {sheet.origin.letter_id}{final}."
        yield from (f"    {order}" for order in sheet.orders if not blind)


def _report(visit: Visit, row: SeatRow, turn: int) -> str:
    """Give the report as it was sent, or as it would have been where there was nobody."""
    letter = mail_queries.report_of(visit.session, row.game, row.number, turn)
    if letter is not None:
        return decode(letter.raw).text
    if not 1 <= turn <= row.game.turn:
        raise Mistake(f"There is no report of turn {turn} for {row.name}.")
    stored = games.turn_of(visit.session, row.game, turn)
    table = loaded_games.lay_turn(visit.site, row.game, stored)
    return text(table.ruleset.view(table.state, Seat(row.number), ""))


def _resent(visit: Visit, command: Resend) -> tuple[SeatRow, int]:
    game = mastered(visit, *_PLAYED)
    row = seat_called(game, command.seat)
    turn = game.turn if command.turn is None else command.turn
    if row.person is None:
        raise Mistake(f"{row.name} is vacant, so nobody can be written to.")
    queries.old_report(visit.session, row, turn)
    return row, turn


def _quarantined(visit: Visit, game: Game) -> Iterator[str]:
    seats = {row.person.address: row.name for row in game.seats if row.person is not None}
    for row in inbox.listing(visit.session, InboxState.QUARANTINED, _LETTERS):
        who = _from_whom(row, game, seats)
        if who:
            came = Moment(row.arrived_at, visit.zone)
            yield f"Receipt {row.id}, from {who}, came on {came}."


def _from_whom(row: InboxLetter, game: Game, seats: dict[str, str]) -> str:
    """Say who of the game sent the letter, as far as its head tells; nothing if nobody."""
    letter = decode(row.raw)
    for sender in letter.senders:
        if sender.address in seats:
            return seats[sender.address]
    return "somebody who names the game" if f"[{game.name}" in letter.subject.upper() else ""
