"""The rows that count: which letters were answered, and which codes did not fit."""

from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from referee.store.base import Base, enum_of


class WrongCode(Base):
    """A security code that did not fit, in a letter from the address of record."""

    __tablename__ = "wrong_codes"

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    sender: Mapped[str] = mapped_column(index=True)
    """The envelope's sender, or else the From."""
    at: Mapped[datetime] = mapped_column(index=True)


class Ration(Enum):
    """From which budget a letter was answered."""

    WORK = "work"
    """It had something that could be done."""
    QUESTION = "question"
    """It is held, and the address of record was asked about it."""
    IDLE = "idle"
    """Nothing in it could be done."""
    STRANGER = "stranger"
    """It came from nobody we know."""
    LAST = "last"
    """The letter that says that answers stop for a while."""


class Answered(Base):
    """A letter was answered: counted against the budgets of its sender."""

    __tablename__ = "answered"
    __table_args__ = (Index("ix_answered_recipient_at", "recipient", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    recipient: Mapped[str]
    """Who got the answer."""
    thread: Mapped[str]
    """The game it was about; empty for none."""
    ration: Mapped[Ration] = mapped_column(enum_of(Ration))
    at: Mapped[datetime] = mapped_column(index=True)
