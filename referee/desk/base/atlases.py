"""The atlas of a seat: its reports of all turns as one page, made from the stored states."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import Final

from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import LoadedGame, Showing, lay_turn
from referee.desk.base.outbox_writer import Addressing, envelope, seat_token, with_token
from referee.desk.base.told_turns import events_of
from referee.domain.tokens import Place
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.local_time import Moment
from referee.reports.atlas import AtlasHeading, atlas
from referee.reports.atlas_records import SeenTurn
from referee.rules.extras import extras_of
from referee.rules.news import heard
from referee.rules.ruleset import Seat
from referee.store import Session
from referee.store.games import games
from referee.store.models import SeatRow, TurnRow

FILE: Final = "atlas.html"
MOST_TURNS: Final = 20
"""The turns up to which an atlas is made while its reader waits: it takes less than a second."""


def atlas_file(
    desk: Desk, table: LoadedGame, row: SeatRow, addressing: Addressing
) -> OutgoingFile | None:
    """Return the atlas of a seat for a letter with this addressing, which orders from it name.

    It has the turns of which REPORT FULL shows the seat a report, each as corrected since. Return
    None if no place is known.
    """
    if not table.ruleset.chart(table.state, Seat(row.number)).nodes:
        return None
    heading = replace(
        _heading(table, row),
        orders_to=with_token(desk.site, seat_token(addressing), Place.FILE),
        subject=f"Re: {envelope(desk.site, addressing, desk.now).tag} orders",
    )
    forms = extras_of(table.ruleset).order_forms
    turns = tuple(_seen(desk.session, desk.site, table, row))
    page = atlas(heading, turns, forms, table.phase.key, table.colours)
    return OutgoingFile(FILE, "text/html; charset=utf-8", page)


def atlas_to_read(session: Session, site: Site, table: LoadedGame, row: SeatRow) -> bytes:
    """Return the atlas of a seat, with the same turns, of a game that has ended."""
    turns = tuple(_seen(session, site, table, row))
    return atlas(_heading(table, row), turns, (), table.phase.key, table.colours)


def _heading(table: LoadedGame, row: SeatRow) -> AtlasHeading:
    game, due = table.game, _words(table.game.due_at, row)
    return AtlasHeading(game.name, table.ruleset.info.title, row.name, game.turn, due)


def _seen(session: Session, site: Site, table: LoadedGame, row: SeatRow) -> Iterator[SeenTurn]:
    """Yield the seat's view of each turn, and last the one of now.

    A turn whose state has another schema than the ruleset has now is left out.
    """
    schema, game = table.ruleset.info.schema, table.game
    turns = [turn for turn in games.turns_of(session, game) if turn.number <= game.turn]
    for told, turn in zip((None, *turns), turns, strict=False):
        if turn.number == game.turn:
            yield _turn(table, row, turn.number, told)
        elif turn.schema == schema:
            yield _turn(lay_turn(site, game, turn), row, turn.number, told)


def _turn(table: LoadedGame, row: SeatRow, number: int, told: TurnRow | None) -> SeenTurn:
    """Return the view and the map of the seat in a loaded turn, whose report tells *told*."""
    seat, game = Seat(row.number), table.game
    due = _words(game.due_at, row) if number == game.turn else ""
    view, chart = table.show(Showing(seat, due)), table.ruleset.chart(table.state, seat)
    events = heard(events_of(told), seat) if told is not None else ()
    return SeenTurn(number, view, chart, tuple(sorted(events, key=attrgetter("weight"))))


def _words(at: datetime | None, row: SeatRow) -> str:
    """Return a deadline in the time zone of the seat's player, or ""."""
    if at is None:
        return ""
    return str(Moment(at, row.person.zone if row.person is not None else "UTC"))
