"""Seats that still have to send orders for the current turn, and who can be reminded of them."""

from datetime import datetime

from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import load
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, Person, SeatRow
from referee.store.people import absences, deputies
from referee.store.people.deputies import Deputy


def owing(session: Session, site: Site, game: Game) -> list[SeatRow]:
    """Return the occupied seats that still have to send orders for the current turn."""
    awaiting = load(session, site, game).awaiting
    return [row for row in game.seats if row.number in awaiting and lacks_sheet(session, game, row)]


def within_reach(desk: Desk, game: Game) -> list[SeatRow]:
    """Return the seats that still have to send orders and have somebody to remind now."""
    rows = owing(desk.session, desk.site, game)
    return [row for row in rows if readers(desk.session, row, desk.now)]


def lacks_sheet(session: Session, game: Game, row: SeatRow) -> bool:
    """Return whether a player has sent neither orders for the current turn nor FINAL."""
    if row.person is None or row.final_turn == game.turn:
        return False
    return games.sheet_of(session, row, game.turn) is None


def readers(session: Session, row: SeatRow, now: datetime) -> list[tuple[Person, Deputy | None]]:
    """Return the people to remind of a seat's orders: its player unless away, and its deputy."""
    found: list[tuple[Person, Deputy | None]] = []
    if row.person is not None and absences.at(session, row, now) is None:
        found.append((row.person, None))
    deputy = deputies.acting(session, row, now)
    if deputy is not None and deputy.person is not None:
        found.append((deputy.person, deputy))
    return found
