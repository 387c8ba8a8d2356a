"""The rows about where and when people get their letters."""

from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column, relationship

from referee.store.base import Base, enum_of
from referee.store.models import Person


class ChangeKind(Enum):
    """Which address of a person a change is about."""

    RECORD = "record"
    SECOND = "second"


class ChangeState(Enum):
    """What has become of a wish for another address."""

    WAITING = "waiting"
    DONE = "done"
    EXPIRED = "expired"
    REPLACED = "replaced"
    """A later wish took its place."""
    REFUSED = "refused"
    """Somebody else had the address when both had confirmed."""


class AddressChange(Base):
    """A wish for another address, done when the old and the new one have confirmed it."""

    __tablename__ = "address_changes"
    __table_args__ = (
        Index("ix_address_changes_state_expires_at", "state", "expires_at"),
        # Tokens name a change by its id, so none is ever given again.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    kind: Mapped[ChangeKind] = mapped_column(enum_of(ChangeKind))
    address: Mapped[str] = mapped_column(index=True)
    """The new one, folded."""
    state: Mapped[ChangeState] = mapped_column(enum_of(ChangeState))
    asked_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    wished_at: Mapped[datetime | None]
    """When the address we write to now confirmed that its reader wishes it."""
    proved_at: Mapped[datetime | None]
    """When the new address confirmed that it is his."""

    person: Mapped[Person] = relationship()


class GatheredNotice(Base):
    """A letter that can wait, kept until its reader's daily letter takes it along."""

    __tablename__ = "gathered"
    # A daily letter is named by the first notice in it, so no id is ever given again.
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id", ondelete="SET NULL"))
    kind: Mapped[str]
    subject: Mapped[str]
    text: Mapped[str]
    written_at: Mapped[datetime]
    due_at: Mapped[datetime] = mapped_column(index=True)
