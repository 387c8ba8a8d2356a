"""Files attached to emails to players: the report as JSON, the map, the deadline."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.site import Site
from referee.domain.commands import AttachmentKind
from referee.letters.outgoing.attachments import OutgoingFile
from referee.reports import picture
from referee.reports.appointment import Appointment, ics
from referee.reports.structure import Heading, report_file
from referee.rules.ruleset import Seat
from referee.rules.views import View
from referee.store.models import Game, GameStatus, SeatRow

FILES: Final = {
    AttachmentKind.REPORT: "report.json",
    AttachmentKind.MAP: "map.svg",
    AttachmentKind.PNG: "map.png",
    AttachmentKind.DEADLINE: "deadline.ics",
}


def enclosures(
    site: Site, table: LoadedGame, row: SeatRow, view: View, now: datetime
) -> tuple[OutgoingFile, ...]:
    """Return the files that the player wants with each report; *view* is the seat's report.

    An eliminated seat has none.
    """
    wanted = row.person.attachments if row.person is not None and not row.eliminated else []
    makers: dict[AttachmentKind, Callable[[], OutgoingFile | None]] = {
        AttachmentKind.REPORT: lambda: _report(table, row, view),
        AttachmentKind.MAP: lambda: drawn(table, row, AttachmentKind.MAP),
        AttachmentKind.PNG: lambda: drawn(table, row, AttachmentKind.PNG),
        AttachmentKind.DEADLINE: lambda: _deadline(site, table.game, row, now),
    }
    files = (make() for kind, make in makers.items() if kind.value in wanted)
    return tuple(file for file in files if file is not None)


def appointment(site: Site, game: Game, row: SeatRow, now: datetime) -> tuple[OutgoingFile, ...]:
    """Return only the deadline, if the player wants it as a file."""
    wanted = row.person.attachments if row.person is not None else []
    due = _deadline(site, game, row, now) if AttachmentKind.DEADLINE.value in wanted else None
    return (due,) if due is not None else ()


def drawn(table: LoadedGame, row: SeatRow, kind: AttachmentKind) -> OutgoingFile:
    """Return the map of a seat as MAP (SVG) or PNG, drawn once per loaded game."""
    return table.once((kind, row.number), lambda: _drawn(table, row, kind))


def _drawn(table: LoadedGame, row: SeatRow, kind: AttachmentKind) -> OutgoingFile:
    chart = table.ruleset.chart(table.state, Seat(row.number))
    if kind is AttachmentKind.PNG:
        return OutgoingFile(FILES[kind], "image/png", picture.png(chart))
    return OutgoingFile(FILES[kind], "image/svg+xml", picture.svg(chart))


def _report(table: LoadedGame, row: SeatRow, view: View) -> OutgoingFile:
    game, due = table.game, table.game.deadline_at
    stamp = f"{due.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if due is not None else None
    blocks = (*view, table.ruleset.chart(table.state, Seat(row.number)))
    content = report_file(blocks, Heading(game.name, game.turn, row.name, stamp))
    return OutgoingFile(FILES[AttachmentKind.REPORT], "application/json", content)


def _deadline(site: Site, game: Game, row: SeatRow, now: datetime) -> OutgoingFile | None:
    if game.deadline_at is None:
        return None
    due = Appointment(
        key=f"{game.name.lower()}-t{game.turn}-s{row.number}@{site.domain}",
        summary=f"{game.name}: orders of {row.name} for turn {game.turn} are due",
        due=game.deadline_at,
        written=now,
        version=game.moves,
        cancelled=game.status is GameStatus.HELD,
    )
    return OutgoingFile(FILES[AttachmentKind.DEADLINE], "text/calendar; charset=utf-8", ics(due))
