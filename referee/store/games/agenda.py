"""The agenda: in which games something has to be looked at, in which matter, and from when.

So that no round of the loop asks for all votes, offers, deputies and observers there are.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from enum import Enum
from typing import Any, Final

from sqlalchemy import ForeignKey, Index, delete, event, inspect, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, UOWTransaction, mapped_column

from referee.store.database.base import Base, enum_of
from referee.store.database.dialect import is_postgres
from referee.store.games import games
from referee.store.games.votes import Vote
from referee.store.models import LONG_AGO, Game, GameStatus, SeatRow
from referee.store.people.deputies import Deputy
from referee.store.people.observers import Observer
from referee.store.people.offers import Offer
from referee.store.people.standbys import Standby


class AgendaTopic(Enum):
    """What is looked at."""

    START = "start"
    """A forming game, whether its seats are all taken."""
    VOTES = "votes"
    OFFERS = "offers"
    """Seats that are offered to standbys, and what was asked of whom."""
    DEPUTIES = "deputies"
    OBSERVERS = "observers"


class AgendaEntry(Base):
    """A look that has to be taken at a game."""

    __tablename__ = "agenda"
    __table_args__ = (Index("ix_agenda_matter_at", "matter", "at"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    matter: Mapped[AgendaTopic] = mapped_column(enum_of(AgendaTopic), primary_key=True)
    at: Mapped[datetime | None]
    """From when; None once something changes that the matter hangs on."""


_OF_GAME: Final = (
    "status",
    "turn",
    "places",
    "missed_limit",
    "masters_may_play",
    "observers_behind",
)
_OF_SEAT: Final = ("person_id", "person", "epoch", "eliminated", "offered_at", "missed")


def due(session: Session, matter: AgendaTopic, now: datetime) -> list[int]:
    """Give the ids of the games to be looked at in a matter by now."""
    query = select(AgendaEntry.game_id).where(AgendaEntry.matter == matter, AgendaEntry.at <= now)
    return sorted(session.scalars(query))


def looks(session: Session, matter: AgendaTopic, now: datetime) -> Iterator[Game]:
    """Lock the games to be looked at in a matter by now, and give one after the other."""
    for number in due(session, matter, now):
        game = games.lock(session, session.get_one(Game, number))
        if take(session, game, matter, now):
            yield game


def take(session: Session, game: Game, matter: AgendaTopic, now: datetime) -> bool:
    """Say whether the locked game still has to be looked at, and nobody is just changing it.

    What changes from now on waits for the end of this transaction, and is looked at again.
    """
    query = select(AgendaEntry.at).where(
        AgendaEntry.game_id == game.id, AgendaEntry.matter == matter, AgendaEntry.at <= now
    )
    return session.scalar(query.with_for_update(skip_locked=True)) is not None


def settle(session: Session, game: Game, matter: AgendaTopic, at: datetime | None) -> None:
    """Let the game be looked at again at a moment; None when only a change can be the reason."""
    # What this look has changed itself is no reason.
    session.flush()
    look = AgendaEntry.game_id == game.id, AgendaEntry.matter == matter
    session.execute(update(AgendaEntry).where(*look).values(at=at))


def close(session: Session, game: Game, matter: AgendaTopic) -> None:
    """Take the matter off the agenda: in that game there is nothing to look at any more."""
    session.flush()
    session.execute(
        delete(AgendaEntry).where(AgendaEntry.game_id == game.id, AgendaEntry.matter == matter)
    )


def stir(session: Session, numbers: Collection[int]) -> None:
    """Let all matters of the games with these numbers be looked at again."""
    # Of most games nothing is on the agenda, and so nothing is written.
    session.execute(
        update(AgendaEntry).where(AgendaEntry.game_id.in_(sorted(numbers))).values(at=LONG_AGO)
    )


@event.listens_for(Session, "before_flush")
def _note_changes(session: Session, _work: UOWTransaction, _rows: object) -> None:
    """Put on the agenda what changes, wherever that is done: nobody would notice its absence."""
    changed = [*session.dirty, *session.new]
    for game, matter in sorted({found for row in changed for found in _matters(session, row)}):
        _put(session, game, AgendaTopic(matter))
    if stirred := {found for row in changed for found in _stirred(row)}:
        stir(session, stirred)
    if any(isinstance(row, Standby) for row in session.new):
        offers = update(AgendaEntry).where(AgendaEntry.matter == AgendaTopic.OFFERS)
        session.execute(offers.values(at=LONG_AGO))


def _matters(session: Session, row: object) -> Iterator[tuple[int, str]]:
    """Give in which matter of which game there is something to look at from now on."""
    match row:
        case Vote():
            yield _game(session, row).id, AgendaTopic.VOTES.value
        case Observer():
            yield _game(session, row).id, AgendaTopic.OBSERVERS.value
        case Offer():
            yield _seat(session, row).game_id, AgendaTopic.OFFERS.value
        case Deputy():
            yield _seat(session, row).game_id, AgendaTopic.DEPUTIES.value
        case SeatRow() if _has_changed(row, *_OF_SEAT):
            game = _game(session, row)
            if inspect(game).persistent and game.status is GameStatus.FORMING:
                yield game.id, AgendaTopic.START.value
            elif inspect(game).persistent and row.offered_at is not None:
                yield game.id, AgendaTopic.OFFERS.value
        case Game() if inspect(row).persistent and _has_changed(row, "places", "status"):
            if row.status is GameStatus.FORMING:
                yield row.id, AgendaTopic.START.value
        case _:
            return


def _stirred(row: object) -> Iterator[int]:
    """Give the game of which all matters are looked at again because of the row."""
    match row:
        case Game() if inspect(row).persistent and _has_changed(row, *_OF_GAME):
            yield row.id
        case SeatRow() if inspect(row).persistent and _has_changed(row, *_OF_SEAT):
            yield row.game_id
        case _:
            return


def _game(session: Session, row: Any) -> Game:
    """Give the game of a row, which may be a new one that knows it by its number alone."""
    return row.__dict__.get("game") or session.get_one(Game, row.game_id)


def _seat(session: Session, row: Any) -> SeatRow:
    return row.__dict__.get("seat") or session.get_one(SeatRow, row.seat_id)


def _put(session: Session, game: int, matter: AgendaTopic) -> None:
    make: Any = postgresql.insert if is_postgres(session) else sqlite.insert
    row = make(AgendaEntry).values(game_id=game, matter=matter, at=LONG_AGO)
    session.execute(
        row.on_conflict_do_update(index_elements=["game_id", "matter"], set_={"at": LONG_AGO})
    )


def _has_changed(row: Any, *names: str) -> bool:
    """Say whether one of these attributes of a row differs from what is stored."""
    attributes = inspect(row).attrs
    return any(attributes[name].history.has_changes() for name in names)
