"""Diaries: what players note for themselves during a game. Each entry belongs to its writer."""

from datetime import datetime

from sqlalchemy import ColumnElement, ForeignKey, Select, UniqueConstraint, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.store.database.base import Base
from referee.store.models import Game, InboxLetter, Person, SeatRow


class DiaryEntry(Base):
    """An entry of a player's diary of a game."""

    __tablename__ = "diary_entries"
    __table_args__ = (UniqueConstraint("game_id", "person_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    """The writer: another player of the same seat does not read it."""
    seat_number: Mapped[int]
    number: Mapped[int]
    """Counted for each writer in a game, from 1."""
    turn: Mapped[int]
    letter_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    text: Mapped[str]
    written_at: Mapped[datetime]

    person: Mapped[Person] = relationship()


def write(
    session: Session, seat: SeatRow, letter: InboxLetter, turn: int, text: str, now: datetime
) -> DiaryEntry:
    """Add an entry to the diary of the seat's player, who must exist."""
    assert seat.person is not None
    last = select(func.max(DiaryEntry.number)).where(*_of(seat.game, seat.person))
    entry = DiaryEntry(
        game_id=seat.game_id,
        person_id=seat.person.id,
        seat_number=seat.number,
        number=(session.scalar(last) or 0) + 1,
        turn=turn,
        letter_id=letter.id,
        text=text,
        written_at=now,
    )
    session.add(entry)
    session.flush()
    return entry


def of(session: Session, game: Game, person: Person) -> list[DiaryEntry]:
    """Return the person's diary of the game."""
    return _in_order(session, select(DiaryEntry).where(*_of(game, person)))


def of_game(session: Session, game: Game) -> list[DiaryEntry]:
    """Return the diaries of everyone who has played in the game, each in order."""
    return _in_order(session, select(DiaryEntry).where(DiaryEntry.game_id == game.id))


def _in_order(session: Session, query: Select[DiaryEntry]) -> list[DiaryEntry]:
    in_order = (DiaryEntry.seat_number, DiaryEntry.person_id, DiaryEntry.number)
    return list(session.scalars(query.order_by(*in_order)))


def _of(game: Game, person: Person) -> tuple[ColumnElement[bool], ...]:
    return DiaryEntry.game_id == game.id, DiaryEntry.person_id == person.id
