"""Undo log: what players' letters did for their seats, so that it can be undone."""

from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Any, Final

from sqlalchemy import ForeignKey, Index, Select, insert, select
from sqlalchemy.orm import Mapped, Session, defer, mapped_column
from sqlalchemy.sql.dml import ReturningInsert

from referee.store.database.base import Base, enum_of, table
from referee.store.models import InboxLetter, SeatRow


class UndoKind(Enum):
    """The kind of change that a letter made for its seat."""

    SHEET = "sheet"
    READY = "ready"
    """FINAL and WAIT."""
    STANDING = "standing"
    PRESS = "press"
    DIARY = "diary"
    VOTE = "vote"
    """A ballot, which another one replaces; how it was cast is not recorded."""
    LASTING = "lasting"
    """A change that another command ends, such as an absence; UNDO only names it."""


NOT_UNDONE: Final = frozenset({UndoKind.VOTE, UndoKind.LASTING})
"""The changes that UNDO never takes back."""


class UndoEntry(Base):
    """A change by a player's letter, with the data to undo it."""

    __tablename__ = "undo_log"
    __table_args__ = (Index("ix_undo_log_seat_id_letter_id", "seat_id", "letter_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    letter_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    """The holder of the seat: a successor can neither read nor undo it."""
    turn: Mapped[int]
    """The turn it is for; for standing orders, messages and entries, the turn it was made in."""
    kind: Mapped[UndoKind] = mapped_column(enum_of(UndoKind))
    what: Mapped[str]
    """A short text for the player: ``12 orders``, ``a message to MARS``."""
    before: Mapped[list[Any]] = mapped_column(default=list)
    """The value before: the id of a sheet or none, two turns of readiness, or orders."""
    after: Mapped[list[Any]] = mapped_column(default=list)
    """The value after, in the same form; for a message or an entry, its id."""
    undone_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))
    """The letter that undid the change."""


def note(
    session: Session,
    seat: SeatRow,
    letter: InboxLetter,
    kind: UndoKind,
    what: str,
    before: Sequence[Any] = (),
    after: Sequence[Any] = (),
    *,
    turn: int | None = None,
) -> int:
    """Record a change by a letter, for the current turn or *turn*; return the id of the entry.

    The id serves to change the text while the letter is being read.
    """
    entry = {
        "letter_id": letter.id,
        "seat_id": seat.id,
        "person_id": seat.person_id,
        "turn": seat.game.turn if turn is None else turn,
        "kind": kind,
        "what": what,
        "before": list(before),
        "after": list(after),
    }
    return session.scalars(_recording(), entry).one()


def reword(session: Session, number: int, what: str) -> None:
    """Change the text of an entry, because the same letter did more."""
    session.get_one(UndoEntry, number).what = what


def of_letter(session: Session, seat: SeatRow, number: int) -> list[UndoEntry]:
    """Return the changes by a letter of the seat's holder, given by its id, in order."""
    return list(
        session.scalars(_own(seat).where(UndoEntry.letter_id == number).order_by(UndoEntry.id))
    )


def undone_by(session: Session, seat: SeatRow, number: int) -> list[UndoEntry]:
    """Return the changes that a letter of the seat's holder undid, given by its id."""
    return list(
        session.scalars(_own(seat).where(UndoEntry.undone_id == number).order_by(UndoEntry.id))
    )


def since(session: Session, seat: SeatRow, turn: int) -> list[UndoEntry]:
    """Return the changes by the seat's holder for *turn* and later ones."""
    return list(session.scalars(_own(seat).where(UndoEntry.turn >= turn).order_by(UndoEntry.id)))


def last(session: Session, seat: SeatRow, before: int) -> int | None:
    """Return the id of the holder's newest letter with changes, or None.

    The letter *before* itself is left out. So are letters with an undone change.
    """
    touched = select(UndoEntry.letter_id).where(
        UndoEntry.seat_id == seat.id, UndoEntry.undone_id.is_not(None)
    )
    query = _own(seat).where(
        UndoEntry.letter_id != before,
        UndoEntry.letter_id.not_in(touched),
    )
    entry = session.scalar(query.order_by(UndoEntry.id.desc()).limit(1))
    return entry.letter_id if entry is not None else None


def letters_of(session: Session, seat: SeatRow) -> list[InboxLetter]:
    """Return the letters accepted as the seat holder's, oldest first."""
    query = (
        select(InboxLetter)
        .where(InboxLetter.game_id == seat.game_id, InboxLetter.seat_number == seat.number)
        .where(InboxLetter.holder_id == seat.person_id)
        .options(defer(InboxLetter.stored))
        .order_by(InboxLetter.id)
    )
    return list(session.scalars(query))


@cache
def _recording() -> ReturningInsert[int]:
    """Build the statement that records an entry; every letter with orders uses it."""
    return insert(table(UndoEntry)).returning(table(UndoEntry).c.id)


def _own(seat: SeatRow) -> Select[UndoEntry]:
    return select(UndoEntry).where(
        UndoEntry.seat_id == seat.id, UndoEntry.person_id == seat.person_id
    )
