"""The files that go with letters to players: the report for programs, the map, the deadline."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from referee.desk.base.loaded_games import Table
from referee.desk.base.site import House
from referee.domain.commands import AttachmentKind
from referee.letters.outgoing.attachments import Enclosure
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
    house: House, table: Table, row: SeatRow, view: View, now: datetime
) -> tuple[Enclosure, ...]:
    """Give the files that the player wants with each report; *view* is his report.

    A seat that is out of the game has none.
    """
    wanted = row.person.attachments if row.person is not None and not row.eliminated else []
    made: dict[AttachmentKind, Callable[[], Enclosure | None]] = {
        AttachmentKind.REPORT: lambda: _report(table, row, view),
        AttachmentKind.MAP: lambda: drawn(table, row, AttachmentKind.MAP),
        AttachmentKind.PNG: lambda: drawn(table, row, AttachmentKind.PNG),
        AttachmentKind.DEADLINE: lambda: _deadline(house, table.game, row, now),
    }
    files = (make() for kind, make in made.items() if kind.value in wanted)
    return tuple(file for file in files if file is not None)


def appointment(house: House, game: Game, row: SeatRow, now: datetime) -> tuple[Enclosure, ...]:
    """Give the deadline alone, if the player wants it as a file."""
    wanted = row.person.attachments if row.person is not None else []
    due = _deadline(house, game, row, now) if AttachmentKind.DEADLINE.value in wanted else None
    return (due,) if due is not None else ()


def drawn(table: Table, row: SeatRow, kind: AttachmentKind) -> Enclosure:
    """Give the map of a seat as MAP (SVG) or PNG."""
    return table.once((kind, row.number), lambda: _drawn(table, row, kind))


def _drawn(table: Table, row: SeatRow, kind: AttachmentKind) -> Enclosure:
    chart = table.ruleset.chart(table.state, Seat(row.number))
    if kind is AttachmentKind.PNG:
        return Enclosure(FILES[kind], "image/png", picture.png(chart))
    return Enclosure(FILES[kind], "image/svg+xml", picture.svg(chart))


def _report(table: Table, row: SeatRow, view: View) -> Enclosure:
    game, due = table.game, table.game.deadline_at
    stamp = f"{due.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if due is not None else None
    blocks = (*view, table.ruleset.chart(table.state, Seat(row.number)))
    content = report_file(blocks, Heading(game.name, game.turn, row.name, stamp))
    return Enclosure(FILES[AttachmentKind.REPORT], "application/json", content)


def _deadline(house: House, game: Game, row: SeatRow, now: datetime) -> Enclosure | None:
    if game.deadline_at is None:
        return None
    due = Appointment(
        key=f"{game.name.lower()}-t{game.turn}-s{row.number}@{house.domain}",
        summary=f"{game.name}: orders of {row.name} for turn {game.turn} are due",
        due=game.deadline_at,
        written=now,
        version=game.moves,
        cancelled=game.status is GameStatus.HELD,
    )
    return Enclosure(FILES[AttachmentKind.DEADLINE], "text/calendar; charset=utf-8", ics(due))
