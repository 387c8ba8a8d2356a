"""Seats that still have to send orders: who can know of them, and who can be reminded."""

from dataclasses import dataclass
from datetime import datetime

from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import LoadedGame, house_options, load
from referee.rules.wording import counted, listed
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import absences, deputies
from referee.store.people.deputies import Deputy


@dataclass(frozen=True, slots=True)
class Awaited:
    """The seats whose orders are awaited: the *names* that a reader knows, and how many *others*.

    Nothing in it depends on what is in the orders of those who sent some.
    """

    names: tuple[str, ...]
    others: int

    @property
    def in_words(self) -> str:
        """The sentence for a reader of the game."""
        if not self.others and not self.names:
            return "No orders are awaited: everybody has sent theirs."
        word = "other" if self.names else "player"
        rest = (counted(self.others, word),) * bool(self.others)
        return f"Orders are still awaited from {listed([*self.names, *rest])}."


def awaited(session: Session, table: LoadedGame, reader: SeatRow | None) -> Awaited | None:
    """Return whose orders a reader may know to be awaited, or None if only the GM may.

    The reader is the player of a seat, or everyone: then a seat is named if all who play have met
    it. The house rule *awaited* allows it, except in a secret phase, in which nobody knows who has
    orders to send.
    """
    game = table.game
    is_told = house_options(game)["awaited"] and not (game.for_one or table.phase.secret)
    if not is_told or game.status is not GameStatus.RUNNING:
        return None
    rows = _owing(session, table)
    readers = [reader] if reader is not None else [row for row in game.seats if not row.eliminated]
    known = frozenset.intersection(*(table.met_by(row) | {row.number} for row in readers))
    names = tuple(row.name for row in rows if row.number in known)
    return Awaited(names, len(rows) - len(names))


def owing(session: Session, site: Site, game: Game) -> list[SeatRow]:
    """Return the occupied seats that still have to send orders for the current turn."""
    return _owing(session, load(session, site, game))


def _owing(session: Session, table: LoadedGame) -> list[SeatRow]:
    return [row for row in lacking_sheets(session, table.game) if row.number in table.awaiting]


def within_reach(desk: Desk, game: Game) -> list[SeatRow]:
    """Return the seats that still have to send orders and have somebody to remind now."""
    rows = owing(desk.session, desk.site, game)
    away = absences.away(desk.session, game, desk.now)
    acting = deputies.acting_in(desk.session, game)
    return [
        row
        for row in rows
        if row.number not in away or (row.id in acting and acting[row.id].person is not None)
    ]


def lacking_sheets(session: Session, game: Game) -> list[SeatRow]:
    """Return the seats whose players have sent neither orders for the current turn nor FINAL."""
    filed = games.sheets_on_file(session, game)
    rows = (row for row in game.seats if row.person is not None)
    return [row for row in rows if row.final_turn != game.turn and row.id not in filed]


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
    deputy = deputies.acting(session, row)
    if deputy is not None and deputy.person is not None:
        found.append((deputy.person, deputy))
    return found
