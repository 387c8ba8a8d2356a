"""Queries of a GM: sheets, reports, the audit log, letters in quarantine."""

from collections.abc import Iterator
from dataclasses import replace

from referee.desk.base import robots
from referee.desk.base.loaded_games import Showing, lay_turn
from referee.desk.base.outbox_writer import both_ways, mailbox
from referee.desk.base.told_turns import opened, told_by
from referee.desk.gm import seat_orders
from referee.desk.orders.command_entries import For, question
from referee.desk.orders.gm_authority import (
    BEGUN,
    plays,
    require_gm,
    require_outside_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import seat_called
from referee.desk.players import old_reports
from referee.desk.seats import first_gm
from referee.domain.gm_commands import (
    ShowAudit,
    ShowQuarantine,
    ShowReportOf,
    ShowSheets,
)
from referee.letters.incoming.decode import decode
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import GmAnswer
from referee.letters.outgoing.pairs import Drawn
from referee.rules.ruleset import Seat, UserError
from referee.rules.wording import counted
from referee.store.games import audit, games
from referee.store.letter_states import InboxState
from referee.store.mail import inbox, mail_queries
from referee.store.models import Game, GameStatus, InboxLetter, SeatRow

_EVERY = tuple(GameStatus)
_PLAYED = (*BEGUN, GameStatus.ENDED)
_ENTRIES = 100
_LETTERS = 200


@question(
    ShowSheets, "SHEETS", For.GM, shown_in="gm_looking", says="shows which seats have sent orders."
)
def sheets(context: LetterContext, _command: ShowSheets) -> str:
    """SHEETS. A GM who plays sees who has sent orders, but not the orders."""
    game = require_gm(context, *BEGUN)
    is_player = plays(game, context.identity.person)
    lines = [line for row in game.seats for line in _sheet(context, row, is_player=is_player)]
    lines += seat_orders.listed(context, game)
    if is_player:
        lines.append("You play in this game, so the orders themselves are not shown.")
    return "\n".join([f"Turn {game.turn}:", *lines])


@question(
    ShowReportOf,
    "REPORT",
    For.GM,
    shown_in="gm_looking",
    answer=GmAnswer,
    check=lambda context: require_outside_gm(context, *_PLAYED),
)
def report_of(context: LetterContext, command: ShowReportOf) -> str:
    """REPORT OF. The answer is a letter of its own."""
    game = context.game()
    row = seat_called(game, command.seat)
    turn = game.turn if command.turn is None else command.turn
    title = f"report of {row.name} for turn {turn}"
    present, report = _report(context, row, turn)
    enclose(context, GmAnswer(game.name, title, report, present=present))
    return ""


@question(ShowAudit, "AUDIT", For.GM, shown_in="gm_looking")
def audit_log(context: LetterContext, _command: ShowAudit) -> str:
    """AUDIT. The answer has the latest entries: what was done, by whom and when.

    A GM who plays sees their own, and before the end of the others only those of all players. One
    by the only GM of a time is by another if it is older than their role.
    """
    game, person = require_gm(context, *_EVERY), context.person()
    entries = audit.newest(context.session, game, _ENTRIES)
    if game.status is not GameStatus.ENDED and plays(game, person):
        since, own = first_gm.gm_row(game, person).since, ("GM", f"GM #{person.account}")
        entries = [e for e in entries if e.public or (e.who in own and e.at >= since)]
    lines = [f"{entry.at:%Y-%m-%d %H:%M} UTC  {entry.who}: {entry.what}" for entry in entries]
    return "\n".join(lines or ["Nothing has been done to the game yet.", ""])


@question(ShowQuarantine, "QUARANTINE", For.GM, shown_in="gm_looking")
def quarantine(context: LetterContext, _command: ShowQuarantine) -> str:
    """QUARANTINE. Lists letters, never their content; the operator can release them."""
    game = require_gm(context, *_EVERY)
    lines = list(_quarantined(context, game))
    if not lines:
        return "No email about this game is in quarantine."
    return "\n".join([*lines, "The operator can release them, by their references."])


def enclose(context: LetterContext, notice: GmAnswer, files: tuple[OutgoingFile, ...] = ()) -> None:
    """Answer the GM at their primary address, in a letter of its own."""
    assert context.identity.person is not None
    addressing = context.addressing(f"dossier{len(context.letters)}x")
    addressing = replace(addressing, to=mailbox(context.identity.person), files=files)
    context.letters.append((notice, addressing))


def _sheet(context: LetterContext, row: SeatRow, *, is_player: bool) -> Iterator[str]:
    sheet = games.sheet_of(context.session, row, row.game.turn)
    if row.eliminated:
        yield f"{row.name}: eliminated."
    elif row.person is None and sheet is None:
        yield f"{row.name}: {robots.without_player(row)}."
    elif sheet is None:
        standing = ", standing orders run" if row.standing else ""
        yield f"{row.name}: nothing on file{standing}."
    else:
        final = ", final" if row.final_turn == row.game.turn else ""
        orders = counted(len(sheet.orders), "order")
        vacant = f"{robots.without_player(row)}, " if row.person is None else ""
        by_gm = " by a GM" if sheet.by_gm else ""
        yield f"{row.name}: {vacant}{orders}{by_gm}, sheet {sheet.revision}{final}."
        yield from (f"    {order}" for order in sheet.orders if not is_player)


def _report(context: LetterContext, row: SeatRow, turn: int) -> tuple[str, str | Drawn]:
    """Return the state of a turn now, and its report as it was sent, or else as it would read."""
    session, zone, now = context.session, context.zone, context.now
    if mail_queries.report_of(session, row.game, row.number, turn) is not None:
        again = old_reports.old_report(session, row, turn, zone, now)
        return again.present, again.text
    if not 1 <= turn <= row.game.turn:
        raise UserError(f"There is no report of turn {turn} for {row.name}.")
    stored = games.turn_of(session, row.game, turn)
    table = lay_turn(context.site, row.game, stored)
    present = old_reports.in_words(session, row.game, turn, zone, now)
    to, told = Showing(Seat(row.number), ""), told_by(session, row.game, turn)
    return present, both_ways(opened(table, to, told))


def _quarantined(context: LetterContext, game: Game) -> Iterator[str]:
    seats = {row.person.address: row.name for row in game.seats if row.person is not None}
    for row in inbox.listing(context.session, InboxState.QUARANTINED, _LETTERS):
        who = _sender(row, game, seats)
        if who:
            arrived = Moment(row.arrived_at, context.zone)
            # The number of the email counts those of everyone; its note has the reference.
            reference = row.note.rpartition(" ")[2]
            yield f"Reference {reference}: from {who}, arrived on {arrived}."


def _sender(row: InboxLetter, game: Game, seats: dict[str, str]) -> str:
    """Return who in the game sent the letter, by its header fields, or "" if nobody did."""
    letter = decode(row.raw)
    for sender in letter.senders:
        if sender.address in seats:
            return seats[sender.address]
    return "someone who names the game" if f"[{game.name}" in letter.subject.upper() else ""
