"""The register of what players' letters did for their seats, so that it can be taken back."""

from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Any

from sqlalchemy import ForeignKey, Index, Select, insert, select
from sqlalchemy.orm import Mapped, Session, defer, mapped_column
from sqlalchemy.sql.dml import ReturningInsert

from referee.store.database.base import Base, enum_of
from referee.store.database.dialect import table
from referee.store.models import InboxLetter, SeatRow


class UndoKind(Enum):
    """What of a seat's own a letter changed."""

    SHEET = "sheet"
    READY = "ready"
    """FINAL and WAIT."""
    STANDING = "standing"
    PRESS = "press"
    VOTE = "vote"
    """A ballot, which another one changes; how it was cast is not written here."""


class UndoEntry(Base):
    """Something a player's letter did for his seat, with what it takes to take it back."""

    __tablename__ = "undo_log"
    __table_args__ = (Index("ix_undo_log_seat_id_letter_id", "seat_id", "letter_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    letter_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    """The receipt."""
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    """Who held the seat: his successor neither reads nor undoes it."""
    turn: Mapped[int]
    """For which turn; of standing orders and messages, in which."""
    kind: Mapped[UndoKind] = mapped_column(enum_of(UndoKind))
    what: Mapped[str]
    """In a few words for the player: ``12 orders``, ``a message to MARS``."""
    before: Mapped[list[Any]] = mapped_column(default=list)
    """What there was before: the id of a sheet or none, two turns of readiness, or orders."""
    after: Mapped[list[Any]] = mapped_column(default=list)
    """What there was after it, alike; of a message, its id."""
    undone_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))
    """The letter that took it back."""


def note(
    session: Session,
    seat: SeatRow,
    letter: InboxLetter,
    kind: UndoKind,
    what: str,
    *,
    turn: int,
    before: Sequence[Any] = (),
    after: Sequence[Any] = (),
) -> int:
    """Write down what a letter did, in words for the player and with what was there before.

    Gives its number, by which the words can be changed as long as the letter is read.
    """
    deed = {
        "letter_id": letter.id,
        "seat_id": seat.id,
        "person_id": seat.person_id,
        "turn": turn,
        "kind": kind,
        "what": what,
        "before": list(before),
        "after": list(after),
    }
    return session.scalars(_noting(), deed).one()


def reword(session: Session, number: int, what: str) -> None:
    """Say in other words what a letter did, because it went on and did more of it."""
    session.get_one(UndoEntry, number).what = what


def of_letter(session: Session, seat: SeatRow, receipt: int) -> list[UndoEntry]:
    """Return what a letter of the seat's holder did for it, in the order it was done."""
    return list(
        session.scalars(_own(seat).where(UndoEntry.letter_id == receipt).order_by(UndoEntry.id))
    )


def undone_by(session: Session, seat: SeatRow, receipt: int) -> list[UndoEntry]:
    """Return what a letter of the seat's holder took back."""
    return list(
        session.scalars(_own(seat).where(UndoEntry.undone_id == receipt).order_by(UndoEntry.id))
    )


def since(session: Session, seat: SeatRow, turn: int) -> list[UndoEntry]:
    """Return what letters of the seat's holder did from *turn* on and for later ones."""
    return list(session.scalars(_own(seat).where(UndoEntry.turn >= turn).order_by(UndoEntry.id)))


def last(session: Session, seat: SeatRow, before: int) -> int | None:
    """Return the receipt of the holder's newest letter below *before* that did something.

    Letters of which anything was taken back are passed over.
    """
    touched = select(UndoEntry.letter_id).where(
        UndoEntry.seat_id == seat.id, UndoEntry.undone_id.is_not(None)
    )
    query = _own(seat).where(UndoEntry.letter_id != before, UndoEntry.letter_id.not_in(touched))
    deed = session.scalar(query.order_by(UndoEntry.id.desc()).limit(1))
    return deed.letter_id if deed is not None else None


def letters_of(session: Session, seat: SeatRow) -> list[InboxLetter]:
    """Return the letters that were believed to be of the seat's holder, oldest first."""
    query = (
        select(InboxLetter)
        .where(InboxLetter.game_id == seat.game_id, InboxLetter.seat_number == seat.number)
        .where(InboxLetter.holder_id == seat.person_id)
        .options(defer(InboxLetter.stored))
        .order_by(InboxLetter.id)
    )
    return list(session.scalars(query))


@cache
def _noting() -> ReturningInsert[int]:
    """Return what notes a deed; every letter with orders needs it."""
    return insert(table(UndoEntry)).returning(table(UndoEntry).c.id)


def _own(seat: SeatRow) -> Select[UndoEntry]:
    return select(UndoEntry).where(
        UndoEntry.seat_id == seat.id, UndoEntry.person_id == seat.person_id
    )
