"""Report formats: a full report, or only the parts its player wants to read."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import LoadedGame, Showing, lay_turn, ruleset_of
from referee.desk.base.outbox_writer import both_ways
from referee.desk.base.told_turns import opened, shown, told_by
from referee.domain.player_settings import ReportFormat
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Report, ReportAgain
from referee.letters.outgoing.pairs import NOTHING
from referee.reports.changes import changes
from referee.rules.ruleset import Seat, UserError
from referee.rules.views import View
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, SeatRow, TurnRow


def view_of(table: LoadedGame, row: SeatRow, told: Sequence[TurnRow]) -> View:
    """Return the loaded game as the seat sees it, with the logs of the turns *told*.

    An eliminated seat sees only the public view.
    """
    return shown(table, _showing(row, deadline_of(table.game, row)), told)


def deadline_of(game: Game, row: SeatRow) -> Moment | None:
    """Return the current turn's deadline, if it has one now, in the zone of the seat's player."""
    return _moment(game.due_at, row)


def as_wanted(
    site: Site, table: LoadedGame, row: SeatRow, report: Report, told: Sequence[TurnRow]
) -> Report:
    """Return a report in the format that the seat's player has chosen; it tells the turns *told*.

    The last report is always full, and so are NEWS and CHANGES without an earlier turn.
    """
    wanted = row.person.report_format if row.person is not None else ReportFormat.FULL
    if wanted is ReportFormat.FULL or report.seed:
        return report
    short = replace(report, format=wanted, guide=None)
    if wanted is ReportFormat.COMPACT:
        return short
    if not told:
        return report
    if wanted is ReportFormat.NEWS:
        return replace(short, view=NOTHING)
    if not _is_readable(site, table.game, told[0]):
        return report
    before = view_of(lay_turn(site, table.game, told[0]), row, ())
    return replace(short, view=both_ways(changes(before, view_of(table, row, told))))


def full_report(session: Session, site: Site, row: SeatRow, turn: int | None) -> ReportAgain:
    """Return the full view of a turn for the seat. Raises UserError if there is no such turn.

    It names no deadline if the turn has none, because it is resolved or the game is on hold.
    """
    wanted = row.game.turn if turn is None else turn
    state = _turn(session, site, row.game, wanted)
    if state is None:
        raise UserError(f"There is no report of turn {wanted} for {row.name}.")
    due = _moment(row.game.due_at, row) if wanted == row.game.turn else None
    to = _showing(row, due)
    view = opened(lay_turn(site, row.game, state), to, told_by(session, row.game, wanted))
    return ReportAgain(row.game.name, wanted, row.name, both_ways(view), full=True)


def _turn(session: Session, site: Site, game: Game, number: int) -> TurnRow | None:
    """Return a turn of the game, or None if there is none or its state has another schema."""
    try:
        turn = games.turn_of(session, game, number)
    except LookupError:
        return None
    return turn if _is_readable(site, game, turn) else None


def _is_readable(site: Site, game: Game, turn: TurnRow) -> bool:
    return turn.schema == ruleset_of(site.rulesets, game.ruleset).info.schema


def _showing(row: SeatRow, due: Moment | None) -> Showing:
    seat = None if row.eliminated else Seat(row.number)
    return Showing(seat, str(due) if due is not None else "")


def _moment(at: datetime | None, row: SeatRow) -> Moment | None:
    if at is None:
        return None
    return Moment(at, row.person.zone if row.person is not None else "UTC")
