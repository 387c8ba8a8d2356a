"""Files attached to emails to players: the report as JSON, the map, the deadline, the atlas."""

import gzip
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from referee.desk.base.atlases import atlas_file
from referee.desk.base.desk import Desk, Site
from referee.desk.base.faults import Part, try_part
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.outbox_writer import Addressing
from referee.domain.commands import AttachmentKind
from referee.letters.outgoing.compose import OutgoingFile
from referee.reports import picture
from referee.reports.appointment import Appointment, ics
from referee.reports.structure import Heading, report_file
from referee.rules.ruleset import Event, Seat
from referee.rules.views import Chart, View
from referee.store.models import Game, GameStatus, SeatRow

_MOST_IN_LETTER: Final = 100_000
"""The octets above which a text goes with a letter as a file."""
_MOST_IN_FILE: Final = 5_000_000
"""The size of the largest file, so that the letter does not bounce."""
_MOST_PLAIN: Final = 500_000
"""The octets above which the file is compressed."""
_LOST: Final[OutgoingFile | None] = OutgoingFile("", "", b"")
"""In the place of a file that could not be made; None is one that the game does not have."""
PARTS: Final = {
    AttachmentKind.REPORT: Part.JSON,
    AttachmentKind.MAP: Part.MAP,
    AttachmentKind.PNG: Part.PNG,
    AttachmentKind.DEADLINE: Part.CALENDAR,
    AttachmentKind.ATLAS: Part.ATLAS,
}
FILES: Final = {kind: part.title for kind, part in PARTS.items()}


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A text that is in a letter, or in a file with it if it is long; one too large in neither."""

    text: str
    files: tuple[OutgoingFile, ...] = ()

    @property
    def is_left_out(self) -> bool:
        """Whether the text is too large for a letter."""
        return not self.text and not self.files

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the files."""
        return tuple(file.name for file in self.files)


def enclosed(name: str, text: str) -> Enclosed:
    """Return a text for a letter; a long one as a file of that name, compressed if very long."""
    content = f"{text}\n".encode()
    if len(content) <= _MOST_IN_LETTER:
        return Enclosed(text)
    if len(content) <= _MOST_PLAIN:
        return Enclosed("", (OutgoingFile(name, "text/plain; charset=utf-8", content),))
    packed = gzip.compress(content, mtime=0)
    if len(packed) > _MOST_IN_FILE:
        return Enclosed("")
    return Enclosed("", (OutgoingFile(f"{name}.gz", "application/gzip", packed),))


def enclosures(
    desk: Desk,
    table: LoadedGame,
    row: SeatRow,
    view: View,
    addressing: Addressing,
    news: Sequence[Event],
) -> tuple[Sequence[OutgoingFile], Sequence[Part]]:
    """Return the files that the player wants with each report, and those that failed.

    *view* is the seat's report below its *news*, and *addressing* that of its email. An eliminated
    seat has no files, and a game without a map attaches none.
    """
    wanted = row.person.attachments if row.person is not None and not row.eliminated else []
    makers: dict[AttachmentKind, Callable[[], OutgoingFile | None]] = {
        AttachmentKind.REPORT: lambda: _report(table, row, view, news),
        AttachmentKind.MAP: lambda: _map(table, row, AttachmentKind.MAP),
        AttachmentKind.PNG: lambda: _map(table, row, AttachmentKind.PNG),
        AttachmentKind.DEADLINE: lambda: _deadline(desk.site, table.game, row, desk.now),
        AttachmentKind.ATLAS: lambda: atlas_file(desk, table, row, addressing),
    }
    made = {
        PARTS[kind]: try_part(desk, table.game, PARTS[kind], make, _LOST)
        for kind, make in makers.items()
        if kind.value in wanted
    }
    files = [file for file in made.values() if file is not None and file is not _LOST]
    return files, [part for part, file in made.items() if file is _LOST]


def appointment(site: Site, game: Game, row: SeatRow, now: datetime) -> tuple[OutgoingFile, ...]:
    """Return only the deadline, if the player wants it as a file; an eliminated seat has none."""
    wants = _wants_deadline(row) and not row.eliminated
    due = _deadline(site, game, row, now) if wants else None
    return (due,) if due is not None else ()


def cancelled(
    site: Site, game: Game, row: SeatRow, now: datetime, turn: int | None = None
) -> tuple[OutgoingFile, ...]:
    """Return the file that removes the deadline from the calendar of a player who has it there.

    It is that of *turn*, or else of the current turn. The version of the entry must have risen.
    """
    if not _wants_deadline(row):
        return ()
    name = FILES[AttachmentKind.DEADLINE] if turn is None else f"deadline-turn-{turn}.ics"
    entry = replace(_entry(site, game, row, now, turn or game.turn), cancelled=True)
    return (_calendar_file(name, entry),)


def taken_off(site: Site, row: SeatRow, now: datetime) -> tuple[OutgoingFile, ...]:
    """Take the deadline out of the calendar of a player who no longer orders for the seat.

    Return the file for it. Call it while the player holds the seat.
    """
    row.game.moves += 1
    return cancelled(site, row.game, row, now)


def _wants_deadline(row: SeatRow) -> bool:
    return row.person is not None and AttachmentKind.DEADLINE.value in row.person.attachments


def drawn(table: LoadedGame, row: SeatRow, kind: AttachmentKind) -> OutgoingFile:
    """Return the map of a seat as MAP (SVG) or PNG, drawn once per loaded game."""
    chart = partial(table.ruleset.chart, table.state, Seat(row.number))
    return table.once((kind, row.number), lambda: pictured(table, chart(), kind))


def _map(table: LoadedGame, row: SeatRow, kind: AttachmentKind) -> OutgoingFile | None:
    """Return the map of a seat, or None if there is no place on it."""
    has_places = bool(table.ruleset.chart(table.state, Seat(row.number)).nodes)
    return drawn(table, row, kind) if has_places else None


def pictured(table: LoadedGame, chart: Chart, kind: AttachmentKind) -> OutgoingFile:
    """Return a map of the game as MAP (SVG) or PNG."""
    if kind is AttachmentKind.PNG:
        return OutgoingFile(FILES[kind], "image/png", picture.png(chart, table.colours))
    return OutgoingFile(FILES[kind], "image/svg+xml", picture.svg(chart, table.colours))


def _report(table: LoadedGame, row: SeatRow, view: View, news: Sequence[Event]) -> OutgoingFile:
    game, due = table.game, table.game.deadline_at
    stamp = f"{due.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if due is not None else None
    blocks = (*view, table.ruleset.chart(table.state, Seat(row.number)))
    content = report_file(blocks, Heading(game.name, game.turn, row.name, stamp), news)
    return OutgoingFile(FILES[AttachmentKind.REPORT], "application/json", content)


def _deadline(site: Site, game: Game, row: SeatRow, now: datetime) -> OutgoingFile | None:
    if game.deadline_at is None:
        return None
    entry = _entry(site, game, row, now, game.turn)
    entry = replace(entry, cancelled=game.status is GameStatus.HELD)
    return _calendar_file(FILES[AttachmentKind.DEADLINE], entry)


def _entry(site: Site, game: Game, row: SeatRow, now: datetime, turn: int) -> Appointment:
    return Appointment(
        key=f"{game.name.lower()}-t{turn}-s{row.number}@{site.domain}",
        summary=f"{game.name}: orders of {row.name} for turn {turn} are due",
        organizer=site.address,
        due=game.deadline_at if turn == game.turn else None,
        written=now,
        version=game.moves,
        description=f"Send your orders by a reply to the last report of {game.name}.",
    )


def _calendar_file(name: str, entry: Appointment) -> OutgoingFile:
    kind = f"text/calendar; charset=utf-8; method={entry.method}"
    return OutgoingFile(name, kind, ics(entry))
