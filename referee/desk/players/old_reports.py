"""REPORT: a report that is sent again, with what holds now of its turn and the deadline."""

from dataclasses import replace
from datetime import datetime

from referee.desk.base.loaded_games import ended
from referee.desk.games import deadlines
from referee.desk.orders.command_entries import For, question
from referee.desk.orders.gm_authority import BEGUN
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reports.game_end import result_for
from referee.desk.reports.report_formats import full_report
from referee.domain.commands import ShowReport
from referee.letters.incoming.sheet_edits import without_sheet
from referee.letters.outgoing.compose import sent
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import ReportAgain
from referee.letters.outgoing.pairs import as_lines
from referee.rules.ruleset import UserError
from referee.store import Session
from referee.store.games import games
from referee.store.mail import mail_queries
from referee.store.models import Game, OutboxLetter, SeatRow


@question(
    ShowReport, "REPORT", For.SEAT | For.DEPUTY, shown_in="report_formats", answer=ReportAgain
)
def answer_report(context: LetterContext, command: ShowReport) -> str:
    """REPORT. The old report is a letter of its own."""
    session, row = context.session, _seat(context)
    if command.full:
        report = full_report(session, context.site, row, command.turn)
        present = in_words(session, row.game, report.turn, context.zone, context.now)
        report = replace(report, present=present)
    else:
        report = old_report(session, row, command.turn, context.zone, context.now)
    kind = "full" if command.full else "again"
    return context.mail(report, f"{kind}{report.turn}x")


def _seat(context: LetterContext) -> SeatRow:
    """Return the seat whose report is wanted.

    Raises UserError if there is none. It has the result of a game that has ended for those who left
    it, or observe it.
    """
    person, table = context.identity.person, context.table
    if context.identity.seat is not None or person is None or table is None:
        return context.seat()
    told = result_for(context.session, table, person)
    if not told:
        return context.seat()
    game = table.game
    raise UserError(
        f"You have no seat in {game.name}, so it has no report of yours. {game.name} "
        f"{ended(game)}. {told}"
    )


def old_report(
    session: Session, row: SeatRow, turn: int | None, zone: str, now: datetime
) -> ReportAgain:
    """Return a report as it was sent. Raises UserError if there is none of that turn.

    That of a turn that a rollback undid has no order sheet: its orders would be for another turn.
    """
    wanted = row.game.turn if turn is None else turn
    letter = mail_queries.report_of(session, row.game, row.number, wanted)
    if letter is None:
        raise UserError(f"There is no report of turn {wanted} for {row.name}.")
    shown, undone = sent(letter.raw), is_undone(session, row.game, wanted, letter)
    present = in_words(session, row.game, wanted, zone, now, undone=undone)
    shown = as_lines(without_sheet(shown.text)) if undone else shown
    return ReportAgain(row.game.name, wanted, row.name, shown, present=present)


def is_undone(session: Session, game: Game, turn: int, letter: OutboxLetter) -> bool:
    """Return whether a rollback undid the turn of which *letter* is the newest report."""
    if turn > game.turn:
        return True
    # Nobody got a report if the seat had no player when the turn was played again.
    return turn > 1 and letter.created_at < games.began(session, game, turn)


def in_words(
    session: Session, game: Game, turn: int, zone: str, now: datetime, *, undone: bool = False
) -> str:
    """Return the fate of a turn that is not the current one, and the present deadline, or ""."""
    told = [_of_past(session, game, turn, zone, undone=undone)]
    if game.status in BEGUN:
        told.append(deadlines.sentence(game, zone, now))
    return " ".join(filter(None, told))


def _of_past(session: Session, game: Game, turn: int, zone: str, *, undone: bool) -> str:
    if undone:
        return f"Turn {turn} was undone by a rollback: this report is only for reading."
    if turn == game.turn:
        return ""
    resolved = games.turn_of(session, game, turn).resolved_at
    return f"Turn {turn} was resolved on {Moment(resolved, zone)}." if resolved is not None else ""
